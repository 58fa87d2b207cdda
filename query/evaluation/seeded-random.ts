/**
 * Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed: SplitMix32, the 32-bit form of the
 * generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
 * @param seed Any integer; its low 32 bits count.
 */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
};
