export { decodeDocs } from './decode-docs.ts';
export { decodeFrequencies } from './decode-frequencies.ts';
export { decodeOthers } from './decode-others.ts';
export { decodePositions } from './decode-positions.ts';
export { decodeTail } from './decode-tail.ts';
export { firstNotBelow } from './search-in-block.ts';
export { unpack } from './unpack.ts';
