import { hash64 } from '../values/hash.ts';

const LOW_WORD = 0xffffffffn;

/**
 * Document frequencies by 64-bit term hash (values/hash.ts), in rising order of the hashes: two typed arrays, no object
 * a term. Two terms of one hash would share a count; among a hundred million terms the odds are 1 in 3,700.
 */
export class TermFrequencies {
  readonly hashes: BigUint64Array;
  readonly counts: Uint32Array;
  /** The same hashes as pairs of low and high word: comparing those needs no BigInt. */
  readonly #words: Uint32Array;

  /** `hashes` rising and distinct, `counts` parallel to it. */
  constructor(hashes: BigUint64Array, counts: Uint32Array) {
    this.hashes = hashes;
    this.counts = counts;
    this.#words = new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * hashes.length);
  }

  get size(): number {
    return this.hashes.length;
  }

  /** 0 for a term that is not here. */
  of(term: string): number {
    return this.counts[this.indexOf(hash64(term))] ?? 0;
  }

  /** -1 when the hash is not here. */
  indexOf(hash: bigint): number {
    const low = Number(hash & LOW_WORD);
    const high = Number(hash >> 32n);
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const middleHigh = this.#words[2 * middle + 1] ?? 0;
      const middleLow = this.#words[2 * middle] ?? 0;
      if (middleHigh < high || (middleHigh === high && middleLow < low)) from = middle + 1;
      else to = middle;
    }
    return from < this.size && this.hashes[from] === hash ? from : -1;
  }
}

/** One source of counts: parallel arrays in any order, hashes may repeat. */
export interface TermCounts {
  readonly hashes: BigUint64Array;
  readonly counts: Uint32Array;
}

const distinctHashes = (sources: readonly TermCounts[]): BigUint64Array => {
  const all = new BigUint64Array(sources.reduce((sum, { hashes }) => sum + hashes.length, 0));
  let filled = 0;
  for (const { hashes } of sources) {
    all.set(hashes, filled);
    filled += hashes.length;
  }
  all.sort();
  let distinct = 0;
  for (const [index, hash] of all.entries()) {
    if (index === 0 || hash !== all[distinct - 1]) all[distinct++] = hash;
  }
  return all.slice(0, distinct);
};

/** Adds up counts of equal hashes; the order of the sources does not matter. */
export const sumFrequencies = (sources: readonly TermCounts[]): TermFrequencies => {
  const hashes = distinctHashes(sources);
  const sum = new TermFrequencies(hashes, new Uint32Array(hashes.length));
  for (const source of sources) {
    for (const [index, hash] of source.hashes.entries()) {
      const at = sum.indexOf(hash);
      sum.counts[at] = (sum.counts[at] ?? 0) + (source.counts[index] ?? 0);
    }
  }
  return sum;
};
