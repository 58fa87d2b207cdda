import { hash64 } from '../values/hash.ts';
import { sortByHash, type TermCounts } from './sort-by-hash.ts';

const LOW_WORD = 0xffffffffn;

/**
 * Document frequencies by 64-bit term hash (values/hash.ts), in rising order of the hashes: two typed arrays, no object
 * a term. Two terms of one hash would share a count; among a hundred million terms the odds are 1 in 3,700.
 */
export class TermFrequencies {
  readonly hashes: BigUint64Array;
  readonly counts: Uint32Array;
  /** The same hashes as pairs of low and high word: comparing those needs no BigInt. */
  readonly words: Uint32Array;

  /** `hashes` rising and distinct, `counts` parallel to it. */
  constructor(hashes: BigUint64Array, counts: Uint32Array) {
    this.hashes = hashes;
    this.counts = counts;
    this.words = new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * hashes.length);
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
      const middleHigh = this.words[2 * middle + 1] ?? 0;
      const middleLow = this.words[2 * middle] ?? 0;
      if (middleHigh < high || (middleHigh === high && middleLow < low)) from = middle + 1;
      else to = middle;
    }
    return from < this.size && this.hashes[from] === hash ? from : -1;
  }

  /** Index of the first hash that is not above the one before it; -1 when all rise. */
  firstOutOfOrder(): number {
    const { words } = this;
    for (let index = 1; index < this.size; index++) {
      const high = words[2 * index + 1] ?? 0;
      const highBefore = words[2 * index - 1] ?? 0;
      if (high > highBefore) continue;
      if (high < highBefore || (words[2 * index] ?? 0) <= (words[2 * index - 2] ?? 0)) return index;
    }
    return -1;
  }
}

const NOTHING = new TermFrequencies(new BigUint64Array(0), new Uint32Array(0));

/** Puts an entry behind the others, or adds it to the last one when that has the same hash. */
class FrequencyBuilder {
  readonly #hashes: BigUint64Array;
  readonly #words: Uint32Array;
  readonly #counts: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#hashes = new BigUint64Array(capacity);
    this.#words = new Uint32Array(this.#hashes.buffer);
    this.#counts = new Uint32Array(capacity);
  }

  append(low: number, high: number, count: number): void {
    const last = this.#size - 1;
    if (last >= 0 && this.#words[2 * last] === low && this.#words[2 * last + 1] === high) {
      this.#counts[last] = (this.#counts[last] ?? 0) + count;
      return;
    }
    if (count === 0) return;
    this.#words[2 * this.#size] = low;
    this.#words[2 * this.#size + 1] = high;
    this.#counts[this.#size] = count;
    this.#size++;
  }

  build(): TermFrequencies {
    return new TermFrequencies(this.#hashes.slice(0, this.#size), this.#counts.slice(0, this.#size));
  }
}

const mergeTwo = (a: TermFrequencies, b: TermFrequencies): TermFrequencies => {
  const merged = new FrequencyBuilder(a.size + b.size);
  let left = 0;
  let right = 0;
  while (left < a.size || right < b.size) {
    // Past the end a high word above all others: the other side goes first.
    const leftHigh = left < a.size ? (a.words[2 * left + 1] ?? 0) : Number.POSITIVE_INFINITY;
    const rightHigh = right < b.size ? (b.words[2 * right + 1] ?? 0) : Number.POSITIVE_INFINITY;
    const leftLow = a.words[2 * left] ?? 0;
    const rightLow = b.words[2 * right] ?? 0;
    if (leftHigh < rightHigh || (leftHigh === rightHigh && leftLow <= rightLow)) {
      merged.append(leftLow, leftHigh, a.counts[left++] ?? 0);
    } else merged.append(rightLow, rightHigh, b.counts[right++] ?? 0);
  }
  return merged.build();
};

/** Counts in any order as frequencies: equal hashes added up, those that nothing holds left out. */
export const frequenciesOf = (counts: TermCounts): TermFrequencies => {
  const { hashes, counts: sorted } = sortByHash(counts);
  const words = new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * hashes.length);
  const builder = new FrequencyBuilder(hashes.length);
  for (let index = 0; index < hashes.length; index++) {
    builder.append(words[2 * index] ?? 0, words[2 * index + 1] ?? 0, sorted[index] ?? 0);
  }
  return builder.build();
};

/** Adds up counts of equal hashes, two lists at a time; the order of the sources does not matter. */
export const sumFrequencies = (sources: readonly TermFrequencies[]): TermFrequencies => {
  let lists = sources;
  while (lists.length > 1) {
    lists = lists.flatMap((list, index) => {
      if (index % 2 === 1) return [];
      const next = lists[index + 1];
      return [next === undefined ? list : mergeTwo(list, next)];
    });
  }
  return lists[0] ?? NOTHING;
};
