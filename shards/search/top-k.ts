import type { UrlKey } from '../values/ids.ts';

/** A hit inside one shard. */
export interface RankedDocument {
  readonly score: number;
  readonly key: UrlKey;
  /** Index of the segment in the list that was evaluated. */
  readonly segmentIndex: number;
  readonly doc: number;
}

/** Whether `a` stands before `b`: higher score, then lower key. Keys are unique, so the order is total. */
const isBetter = (a: RankedDocument, b: RankedDocument): boolean =>
  a.score !== b.score ? a.score > b.score : a.key < b.key;

/**
 * The best k documents seen so far, as a binary heap with the worst on top. Because the order is total and a newcomer
 * is compared by its whole rank, the result does not depend on the order of arrival and the best k are a prefix of the
 * best k + 1.
 */
export class TopK {
  readonly #capacity: number;
  readonly #heap: RankedDocument[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /**
   * Smallest score that could still enter: documents with a bound below it may be skipped, documents with just this
   * score may not (their key decides). Never falls. Infinity when nothing is wanted at all.
   */
  get threshold(): number {
    if (this.#heap.length < this.#capacity) return 0;
    return this.#heap[0]?.score ?? Number.POSITIVE_INFINITY;
  }

  /** `key` is asked for only when the score may enter: it may cost a read. */
  offer(score: number, segmentIndex: number, doc: number, key: (doc: number) => UrlKey): void {
    if (score < this.threshold) return;
    const newcomer: RankedDocument = { score, key: key(doc), segmentIndex, doc };
    if (this.#heap.length < this.#capacity) {
      this.#heap.push(newcomer);
      this.#rise(this.#heap.length - 1);
      return;
    }
    const worst = this.#heap[0];
    if (worst === undefined || !isBetter(newcomer, worst)) return;
    this.#heap[0] = newcomer;
    this.#sink();
  }

  /** Best first. */
  ranked(): RankedDocument[] {
    return this.#heap.toSorted((a, b) => (isBetter(a, b) ? -1 : 1));
  }

  #rise(from: number): void {
    const heap = this.#heap;
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const [child, above] = [heap[index], heap[parent]];
      if (child === undefined || above === undefined || !isBetter(above, child)) return;
      heap[parent] = child;
      heap[index] = above;
      index = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      let worst = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        const [candidate, current] = [heap[child], heap[worst]];
        if (candidate !== undefined && current !== undefined && isBetter(current, candidate)) worst = child;
      }
      if (worst === index) return;
      const [parent, below] = [heap[index], heap[worst]];
      if (parent === undefined || below === undefined) return;
      heap[index] = below;
      heap[worst] = parent;
      index = worst;
    }
  }
}
