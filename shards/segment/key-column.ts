import { trustUrlKey } from '../values/hash.ts';
import type { UrlKey } from '../values/ids.ts';

/** Ranks of keys: documents in rising order of their keys. */
export const sortKeys = (keys: BigUint64Array): Uint32Array => {
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2);
  return Uint32Array.from(keys.keys()).sort(
    (a, b) => halves[a * 2 + 1]! - halves[b * 2 + 1]! || halves[a * 2]! - halves[b * 2]!,
  );
};

/** URL keys by document, and documents by URL key. */
export class KeyColumn {
  /** Low and high half of each key; comparing them makes no bigint per step. */
  readonly #halves: Uint32Array;
  readonly #order: Uint32Array;

  constructor(halves: Uint32Array, order: Uint32Array) {
    this.#halves = halves;
    this.#order = order;
  }

  key(doc: number): UrlKey {
    return trustUrlKey((BigInt(this.#halves[doc * 2 + 1]!) << 32n) | BigInt(this.#halves[doc * 2]!));
  }

  /** -1 when no document has the key. */
  find(key: UrlKey): number {
    const high = Number(key >> 32n);
    const low = Number(key & 0xffffffffn);
    let from = 0;
    let to = this.#order.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const doc = this.#order[middle]!;
      const difference = this.#halves[doc * 2 + 1]! - high || this.#halves[doc * 2]! - low;
      if (difference === 0) return doc;
      if (difference < 0) from = middle + 1;
      else to = middle;
    }
    return -1;
  }
}
