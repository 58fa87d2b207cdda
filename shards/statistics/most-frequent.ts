import type { IndexStatistics } from './statistics.ts';

interface Ranked {
  readonly term: string;
  readonly documentFrequency: number;
}

const compare = (a: Ranked, b: Ranked): number => {
  if (a.documentFrequency !== b.documentFrequency) return b.documentFrequency - a.documentFrequency;
  return a.term < b.term ? -1 : 1;
};

/** Candidates are sorted and cut when there are so many times as many as wanted. */
const SLACK = 4;

/**
 * Takes terms one by one and keeps those that most documents of an epoch hold, ties in order of the terms. The order is
 * the epoch's own: of the best of several sets the best are the best of all, however documents are spread over shards.
 */
export class MostFrequent {
  readonly #limit: number;
  #kept: Ranked[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Terms must be distinct. */
  add(term: string, documentFrequency: number): void {
    this.#kept.push({ term, documentFrequency });
    if (this.#kept.length > this.#limit * SLACK) this.#cut();
  }

  /** At most `limit` terms, best first. */
  terms(): string[] {
    this.#cut();
    return this.#kept.map(({ term }) => term);
  }

  #cut(): void {
    this.#kept = this.#kept.sort(compare).slice(0, this.#limit);
  }
}

/** At most `limit` of the distinct terms, those of most documents first. */
export const mostFrequent = (
  terms: Iterable<string>,
  statistics: IndexStatistics,
  limit: number,
): string[] => {
  const best = new MostFrequent(limit);
  for (const term of terms) best.add(term, statistics.documentFrequency(term));
  return best.terms();
};
