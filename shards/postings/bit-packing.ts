/** Postings of a full block. A term's last block may be shorter; it is coded as a tail (tail-codec.ts). */
export const BLOCK_LENGTH = 128;

const LANES = 4;
const ROWS = BLOCK_LENGTH / LANES;

/** Bits that the largest of the first `count` values needs, 0..32. */
export const bitWidth = (values: Uint32Array, count: number): number => {
  let union = 0;
  for (let i = 0; i < count; i += 1) union |= values[i]!;
  return 32 - Math.clz32(union);
};

/** 32-bit words of a packed block. */
export const packedWords = (width: number): number => LANES * width;

/**
 * Packs 128 values of at most `width` bits into 4 × width words. Value i lies in lane i mod 4; a lane is a stream of
 * 32-bit words of its own, and the four lanes' words alternate, so that one 128-bit load serves four neighbours
 * (Lemire and Boytsov, "Decoding billions of integers per second through vectorization", section 4).
 */
export const packLanes = (values: Uint32Array, width: number): Uint32Array => {
  const words = new Uint32Array(packedWords(width));
  for (let row = 0; row < ROWS; row += 1) {
    const bit = row * width;
    const shift = bit & 31;
    const word = (bit >>> 5) * LANES;
    for (let lane = 0; lane < LANES; lane += 1) {
      const value = values[row * LANES + lane]!;
      if (width > 0) words[word + lane]! |= value << shift;
      if (shift + width > 32) words[word + LANES + lane]! |= value >>> (32 - shift);
    }
  }
  return words;
};

/** Inverse of packLanes: reads 4 × width words from `wordOffset` and fills the first 128 of `values`. */
export const unpackLanes = (
  words: Uint32Array,
  wordOffset: number,
  width: number,
  values: Uint32Array,
): void => {
  if (width === 0) {
    values.fill(0, 0, BLOCK_LENGTH);
    return;
  }
  const mask = 0xffffffff >>> (32 - width);
  let bit = 0;
  for (let i = 0; i < BLOCK_LENGTH; i += LANES) {
    const shift = bit & 31;
    const at = wordOffset + (bit >>> 5) * LANES;
    if (shift + width <= 32) {
      values[i] = (words[at]! >>> shift) & mask;
      values[i + 1] = (words[at + 1]! >>> shift) & mask;
      values[i + 2] = (words[at + 2]! >>> shift) & mask;
      values[i + 3] = (words[at + 3]! >>> shift) & mask;
    } else {
      const back = 32 - shift;
      values[i] = ((words[at]! >>> shift) | (words[at + 4]! << back)) & mask;
      values[i + 1] = ((words[at + 1]! >>> shift) | (words[at + 5]! << back)) & mask;
      values[i + 2] = ((words[at + 2]! >>> shift) | (words[at + 6]! << back)) & mask;
      values[i + 3] = ((words[at + 3]! >>> shift) | (words[at + 7]! << back)) & mask;
    }
    bit += width;
  }
};
