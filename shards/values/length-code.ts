/** Lengths below this are stored exactly. */
const EXACT_LENGTHS = 24;

/** A number as four significant bits and an exponent: monotonic, and exact below 16. */
const toFloat4 = (value: number): number => {
  const bitCount = 32 - Math.clz32(value);
  if (bitCount < 4) return value;
  const shift = bitCount - 4;
  return ((value >>> shift) & 7) | ((shift + 1) << 3);
};

const fromFloat4 = (code: number): number => {
  const shift = (code >>> 3) - 1;
  return shift < 0 ? code & 7 : ((code & 7) | 8) << shift;
};

/** Longest length that has a code of its own. */
export const MAX_LENGTH_TOKENS = 0x7fffffff;

/**
 * One byte for the length of a field in tokens (0..2^31-1), as Lucene's SmallFloat.intToByte4 codes it, so that scores
 * can be compared: exact below 40, then in steps of at most 1/8. Monotonic.
 */
export const lengthCode = (lengthTokens: number): number => {
  const length = Math.min(lengthTokens, MAX_LENGTH_TOKENS);
  return length < EXACT_LENGTHS ? length : EXACT_LENGTHS + toFloat4(length - EXACT_LENGTHS);
};

/** Smallest length that has this code (0..255). */
export const decodeLength = (code: number): number =>
  code < EXACT_LENGTHS ? code : EXACT_LENGTHS + fromFloat4(code - EXACT_LENGTHS);
