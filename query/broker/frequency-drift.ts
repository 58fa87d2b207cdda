import { type EpochNumber, type IndexStatistics, relativeChange } from '../../shards/index.ts';

/** One query in so many also asks for the present frequencies of words that the epoch knows. */
const QUERIES_PER_SAMPLE = 32;
/** Weight of the newest word in the mean. */
const NEWEST_SHARE = 0.02;

/** How far the frequencies of words that are searched for have moved from the epoch: a mean that forgets slowly. */
export class FrequencyDrift {
  #epoch: EpochNumber | undefined;
  #queries = 0;
  #mean: number | undefined;

  /** Whether the next query is one of the sample. */
  isDue(): boolean {
    return this.#queries++ % QUERIES_PER_SAMPLE === 0;
  }

  /** Mean relative change without its sign, 0 for none; undefined before anything was seen under the newest epoch. */
  get mean(): number | undefined {
    return this.#mean;
  }

  /** Takes in the documents that hold each term now. */
  observe(statistics: IndexStatistics, terms: readonly string[], counts: readonly number[]): void {
    if (statistics.epoch !== this.#epoch) {
      this.#epoch = statistics.epoch;
      this.#mean = undefined;
    }
    for (const [index, term] of terms.entries()) {
      const then = statistics.documentFrequency(term);
      const change = Math.abs(relativeChange(then, counts[index] ?? 0));
      this.#mean = this.#mean === undefined ? change : this.#mean + NEWEST_SHARE * (change - this.#mean);
    }
  }
}
