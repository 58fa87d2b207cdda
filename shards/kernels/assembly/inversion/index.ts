export { countBiwords, nameBiwords } from './biwords.ts';
export { countTerms, placeTerms, scatter, sumCounts } from './count-and-scatter.ts';
export { encodeTerms } from './encode-terms.ts';
export { buildHashIndex } from './term-hash.ts';
export { sortTerms } from './sort-terms.ts';
