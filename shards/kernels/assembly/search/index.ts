export { decodeDocs, decodeFrequencies } from './decode-block.ts';
export { decodeTail } from './decode-tail.ts';
export { hasRecord, openOthers, readRecord, recordOf } from './other-frequencies.ts';
export { firstNotBelow } from './search-in-block.ts';
export { unpack } from './unpack.ts';
