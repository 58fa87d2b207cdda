/** Words in a shingle (IIR 19.6). */
const SHINGLE_WORDS = 4;

/** All runs of four words of the lower-case text, each once; the whole text when it is shorter. */
export const shinglesOf = (text: string): ReadonlySet<string> => {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length < SHINGLE_WORDS) return new Set([words.join(' ')]);
  const shingles = new Set<string>();
  for (let first = 0; first + SHINGLE_WORDS <= words.length; first++) {
    shingles.add(words.slice(first, first + SHINGLE_WORDS).join(' '));
  }
  return shingles;
};

/** Jaccard coefficient of two texts' shingles, 0 to 1: what sketches estimate, computed in full. */
export const resemblance = (a: string, b: string): number => {
  const left = shinglesOf(a);
  const right = shinglesOf(b);
  let sharedCount = 0;
  for (const shingle of left) if (right.has(shingle)) sharedCount += 1;
  return sharedCount / (left.size + right.size - sharedCount);
};
