import type { EvaluationQuery, Grades, Judgments } from './collection.ts';
import { fail } from './errors.ts';
import { type Metrics, meanOf, measure, relevantCount } from './metrics.ts';
import { type RankedResult, type Tops, topsKey } from './tops.ts';

/** Results that are asked for: as deep as average precision is usually taken. */
export const EVALUATION_DEPTH = 1000;

export interface EvaluateOptions {
  readonly queries: readonly EvaluationQuery[];
  readonly qrels: Judgments;
  /** The search: at most `k` results, best first. */
  readonly run: (queryText: string, k: number) => Promise<readonly RankedResult[]>;
  /**
   * The one name of a document: the address that a redirect or a duplicate leads to. It is given results and judged
   * names alike, so it also turns an id into the form in which results name it. Default: names are as they are.
   */
  readonly mapUrl?: (url: string) => string;
  /** Results to leave out before scoring, such as a book's index pages. Default: none. */
  readonly isExcluded?: (url: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface QueryEvaluation {
  readonly query: EvaluationQuery;
  readonly metrics: Metrics;
}

export interface Evaluation {
  readonly means: Metrics;
  /** The queries that have a relevant page, in order; the means are over these. */
  readonly perQuery: readonly QueryEvaluation[];
  /** Queries that were left out because nothing relevant is known. */
  readonly unjudgedCount: number;
  /** What the search gave for the judged queries, as it gave it. */
  readonly tops: Tops;
}

const identity = (url: string): string => url;

/** Judgments by final name. Where two judged addresses are one page the better grade holds. */
const mapGrades = (grades: Grades, mapUrl: (url: string) => string): Grades => {
  const mapped = new Map<string, number>();
  for (const [document, grade] of grades) {
    const name = mapUrl(document);
    mapped.set(name, Math.max(grade, mapped.get(name) ?? grade));
  }
  return mapped;
};

/** Final names, each at its best rank only. */
const mapRanking = (results: readonly RankedResult[], options: EvaluateOptions): string[] => {
  const { mapUrl = identity, isExcluded = () => false } = options;
  const kept = results.filter(({ url }) => !isExcluded(url));
  return [...new Set(kept.map(({ url }) => mapUrl(url)))];
};

/**
 * Runs every judged query and measures its ranking.
 * @throws QUERY_EVAL_NOTHING_JUDGED when no query has a relevant page.
 */
export const evaluate = async (options: EvaluateOptions): Promise<Evaluation> => {
  const { queries, qrels, run, mapUrl = identity, signal } = options;
  const judged = queries.flatMap((query) => {
    const grades = mapGrades(qrels.get(query.id) ?? new Map(), mapUrl);
    return relevantCount(grades) === 0 ? [] : [{ query, grades }];
  });
  if (judged.length === 0) throw fail('QUERY_EVAL_NOTHING_JUDGED', { queries: queries.length });
  const perQuery: QueryEvaluation[] = [];
  const tops = new Map<string, readonly RankedResult[]>();
  for (const { query, grades } of judged) {
    signal?.throwIfAborted();
    const results = await run(query.text, EVALUATION_DEPTH);
    tops.set(topsKey(query.text), results);
    perQuery.push({ query, metrics: measure(mapRanking(results, options), grades) });
  }
  return {
    means: meanOf(perQuery.map(({ metrics }) => metrics)),
    perQuery,
    unjudgedCount: queries.length - judged.length,
    tops,
  };
};

/** A `run` that answers from a file of rankings: how a baseline is measured with the same judgments. */
export const runFromTops =
  (tops: Tops): EvaluateOptions['run'] =>
  async (queryText, k) =>
    (tops.get(topsKey(queryText)) ?? []).slice(0, k);
