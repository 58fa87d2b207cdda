import type { EpochNumber, IndexStatistics, QueryPlan } from '../../shards/index.ts';

/** Terms remembered under one epoch; beyond that all are forgotten, which costs a second round when one comes again. */
const MAX_TERMS = 10_000;
const KEPT_EPOCHS = 2;

/** All terms that a plan scores or asks for. */
export const termsOf = ({ optional, required, phrases }: QueryPlan): string[] => {
  const inPhrases = phrases.flatMap(({ words }) => words.map(({ group }) => group));
  return [...new Set([...optional, ...required, ...inPhrases].flatMap(({ terms }) => terms))];
};

/**
 * Document frequencies of terms that came into the index after an epoch was counted, as shards tell them in their answers. A
 * query that names one is weighed again when they say something new, so that pages that were indexed a moment ago are
 * ranked alike over any number of shards.
 */
export class UnknownTerms {
  readonly #byEpoch = new Map<EpochNumber, Map<string, number>>();

  /** The epoch, and beside it what has been learned of terms that it does not know. */
  over(statistics: IndexStatistics): IndexStatistics {
    return {
      ...statistics,
      documentFrequency: (term) =>
        statistics.documentFrequency(term) || (this.#byEpoch.get(statistics.epoch)?.get(term) ?? 0),
    };
  }

  /** Takes in the documents that now hold each of the terms; true if that is news. */
  learn(epoch: EpochNumber, terms: readonly string[], counts: readonly number[]): boolean {
    const known = this.#termsUnder(epoch);
    let isNews = false;
    for (const [index, term] of terms.entries()) {
      const count = counts[index] ?? 0;
      if (count === (known.get(term) ?? 0)) continue;
      if (known.size >= MAX_TERMS) known.clear();
      known.set(term, count);
      isNews = true;
    }
    return isNews;
  }

  #termsUnder(epoch: EpochNumber): Map<string, number> {
    const known = this.#byEpoch.get(epoch) ?? new Map<string, number>();
    this.#byEpoch.set(epoch, known);
    for (const old of [...this.#byEpoch.keys()].sort((a, b) => b - a).slice(KEPT_EPOCHS)) {
      this.#byEpoch.delete(old);
    }
    return known;
  }
}
