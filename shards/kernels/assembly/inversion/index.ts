export { countTerms, placeTerms, scatter } from './count-and-scatter.ts';
export { encodeTerms } from './encode-terms.ts';
export { buildHashIndex } from './term-hash.ts';
export { sortTerms } from './sort-terms.ts';
