import type { UrlKey } from '../values/ids.ts';
import type { TopK } from './top-k.ts';

/** Matches are counted exactly up to here; a larger number is of no use to a reader and dear to find. */
export const COUNT_LIMIT = 1000;

/** Counts matches of a shard up to a limit. */
export class MatchCounter {
  readonly #limit: number;
  #count = 0;

  constructor(limit = COUNT_LIMIT) {
    this.#limit = limit;
  }

  /** Whether one more match would change the answer: then no evaluation may skip any. */
  get isOpen(): boolean {
    return this.#count <= this.#limit;
  }

  /** How many more matches are worth finding. */
  get missing(): number {
    return Math.max(0, this.#limit + 1 - this.#count);
  }

  add(matches = 1): void {
    this.#count += matches;
  }

  /** The same whatever was skipped: beyond the limit the value is the limit. */
  total(): { value: number; relation: 'eq' | 'gte' } {
    return this.isOpen ? { value: this.#count, relation: 'eq' } : { value: this.#limit, relation: 'gte' };
  }
}

/** What evaluations of one segment report to. */
export interface Collector {
  /** A document whose score is below this cannot enter any more. Grows while documents are collected. */
  readonly threshold: number;
  /** Documents may come in any order, each once. */
  collect(doc: number, score: number): void;
}

/** Collector of one segment into the heap of its shard. */
export const collectInto = (top: TopK, segmentIndex: number, key: (doc: number) => UrlKey): Collector => ({
  get threshold() {
    return top.threshold;
  },
  collect: (doc, score) => top.offer(score, segmentIndex, doc, key),
});
