import type { Grades } from './collection.ts';

/**
 * Measures of one ranking against one query's judgments, all from 0 to 1. A ranking is a list of different documents,
 * best first; a document is relevant when its grade is 1 or more; one that is not judged is not relevant.
 * The definitions are trec_eval's (IIR 8.3 and 8.4).
 */
export interface Metrics {
  /** Normalised discounted cumulative gain of the first ten. */
  readonly ndcg10: number;
  /** Average precision over the whole ranking; its mean over queries is MAP. */
  readonly map: number;
  /** Share of relevant ones among ten, also when there are fewer results. */
  readonly p10: number;
  /** One over the rank of the first relevant one, 0 when it is not among ten. */
  readonly mrr10: number;
  /** Share of the relevant ones that stand among the first hundred. */
  readonly recall100: number;
}

export type MetricName = keyof Metrics;
export const METRIC_NAMES = ['ndcg10', 'map', 'p10', 'mrr10', 'recall100'] as const satisfies MetricName[];

type Ranking = readonly string[];

const gainOf = (grade: number | undefined): number => Math.max(0, grade ?? 0);
const isRelevant = (document: string, grades: Grades): boolean => (grades.get(document) ?? 0) >= 1;

/** Documents of grade 1 or more. */
export const relevantCount = (grades: Grades): number =>
  [...grades.values()].filter((grade) => grade >= 1).length;

/** Discounted cumulative gain; the discount at rank r is log2(r + 1) (Järvelin and Kekäläinen 2002, as trec_eval has it). */
const discountedGain = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);

/** The ideal is the judged documents in order of grade. 0 when nothing is relevant. */
export const ndcg = (ranking: Ranking, grades: Grades, cut: number): number => {
  const ideal = [...grades.values()].map(gainOf).sort((a, b) => b - a);
  const best = discountedGain(ideal.slice(0, cut));
  if (best === 0) return 0;
  return discountedGain(ranking.slice(0, cut).map((document) => gainOf(grades.get(document)))) / best;
};

/** Mean, over all relevant documents, of the precision where each stands; 0 for one that was not found. */
export const averagePrecision = (ranking: Ranking, grades: Grades): number => {
  const relevant = relevantCount(grades);
  if (relevant === 0) return 0;
  let found = 0;
  let sum = 0;
  for (const [index, document] of ranking.entries()) {
    if (isRelevant(document, grades)) sum += ++found / (index + 1);
  }
  return sum / relevant;
};

/** Share of relevant ones among the first `cut`, by `cut` also when fewer were found. */
export const precision = (ranking: Ranking, grades: Grades, cut: number): number =>
  ranking.slice(0, cut).filter((document) => isRelevant(document, grades)).length / cut;

/** One over the rank of the first relevant one among the first `cut`, else 0. */
export const reciprocalRank = (ranking: Ranking, grades: Grades, cut: number): number => {
  const index = ranking.slice(0, cut).findIndex((document) => isRelevant(document, grades));
  return index < 0 ? 0 : 1 / (index + 1);
};

/** Share of all relevant ones among the first `cut`; 0 when none is known. */
export const recall = (ranking: Ranking, grades: Grades, cut: number): number => {
  const relevant = relevantCount(grades);
  if (relevant === 0) return 0;
  return ranking.slice(0, cut).filter((document) => isRelevant(document, grades)).length / relevant;
};

/** All measures of one ranking. */
export const measure = (ranking: Ranking, grades: Grades): Metrics => ({
  ndcg10: ndcg(ranking, grades, 10),
  map: averagePrecision(ranking, grades),
  p10: precision(ranking, grades, 10),
  mrr10: reciprocalRank(ranking, grades, 10),
  recall100: recall(ranking, grades, 100),
});

/** Mean of each measure. The list must not be empty. */
export const meanOf = (each: readonly Metrics[]): Metrics => {
  const mean = (name: MetricName): number =>
    each.reduce((sum, metrics) => sum + metrics[name], 0) / each.length;
  return {
    ndcg10: mean('ndcg10'),
    map: mean('map'),
    p10: mean('p10'),
    mrr10: mean('mrr10'),
    recall100: mean('recall100'),
  };
};
