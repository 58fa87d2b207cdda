/** One source of counts: parallel arrays in any order, hashes may repeat. */
export interface TermCounts {
  readonly hashes: BigUint64Array;
  readonly counts: Uint32Array;
}

/** A 64-bit hash as low and high word at 2 i and 2 i + 1: comparing those makes no BigInt. */
const wordsOf = (hashes: BigUint64Array): Uint32Array =>
  new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * hashes.length);

/** Hashes are spread evenly, so that a bucket holds a few. */
const HASHES_PER_BUCKET = 4;
const MAX_BUCKET_BITS = 22;

const bucketBits = (count: number): number =>
  Math.min(MAX_BUCKET_BITS, Math.max(1, Math.ceil(Math.log2(Math.max(2, count / HASHES_PER_BUCKET)))));

/** Where each bucket of the high words' leading bits begins, and in one more entry the end of the last. */
const bucketStarts = (words: Uint32Array, bits: number): Uint32Array => {
  const starts = new Uint32Array(2 ** bits + 1);
  for (let at = 1; at < words.length; at += 2) {
    const bucket = (words[at] ?? 0) >>> (32 - bits);
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + 1;
  }
  for (let bucket = 1; bucket < starts.length; bucket++) {
    starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
  }
  return starts;
};

/** Sorts entries from..to-1 by insertion; there are few, and nearly all of them in their places. */
const sortBucket = (words: Uint32Array, counts: Uint32Array, from: number, to: number): void => {
  for (let index = from + 1; index < to; index++) {
    const low = words[2 * index] ?? 0;
    const high = words[2 * index + 1] ?? 0;
    const count = counts[index] ?? 0;
    let at = index;
    for (; at > from; at--) {
      const aboveHigh = words[2 * at - 1] ?? 0;
      const aboveLow = words[2 * at - 2] ?? 0;
      if (aboveHigh < high || (aboveHigh === high && aboveLow <= low)) break;
      words[2 * at] = aboveLow;
      words[2 * at + 1] = aboveHigh;
      counts[at] = counts[at - 1] ?? 0;
    }
    words[2 * at] = low;
    words[2 * at + 1] = high;
    counts[at] = count;
  }
};

/**
 * Counts in rising order of their hashes, by one distribution over the leading bits and insertion inside the buckets:
 * linear for hashes, which are evenly spread.
 */
export const sortByHash = ({ hashes, counts }: TermCounts): TermCounts => {
  const words = wordsOf(hashes);
  const sortedHashes = new BigUint64Array(hashes.length);
  const sorted = { words: wordsOf(sortedHashes), counts: new Uint32Array(hashes.length) };
  const bits = bucketBits(hashes.length);
  const starts = bucketStarts(words, bits);
  const next = starts.slice();
  for (let index = 0; index < hashes.length; index++) {
    const low = words[2 * index] ?? 0;
    const high = words[2 * index + 1] ?? 0;
    const bucket = high >>> (32 - bits);
    const at = next[bucket] ?? 0;
    next[bucket] = at + 1;
    sorted.words[2 * at] = low;
    sorted.words[2 * at + 1] = high;
    sorted.counts[at] = counts[index] ?? 0;
  }
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    sortBucket(sorted.words, sorted.counts, starts[bucket] ?? 0, starts[bucket + 1] ?? 0);
  }
  return { hashes: sortedHashes, counts: sorted.counts };
};
