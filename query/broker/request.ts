import { failQuery } from '../errors.ts';
import type { QueryMode } from '../language/draft.ts';
import type { QueryTree } from '../language/tree.ts';
import type { IndexView } from './view.ts';

/** Farthest start of a page of results, and results on one page at most. */
export const MAX_FROM = 1000;
export const MAX_PAGE_RESULTS = 100;
/** Results that paging reaches: all that one node has to rank. */
export const MAX_RESULT = MAX_FROM + MAX_PAGE_RESULTS;

/**
 * Which tiers of the index are asked. `auto`: all; the low one is skipped only where it cannot change the answer. `count`:
 * the low one only when the others have too few matches (IIR 7.2.1). `high`: never the low one. `all`: always.
 */
export const TIER_RULES = ['auto', 'high', 'count', 'all'] as const;
export type TierRule = (typeof TIER_RULES)[number];

export interface SearchOptions {
  readonly q: string;
  /** Hits wanted, default 10; 0 only counts. */
  readonly k?: number;
  /** Hits to leave out before them, default 0; from + k <= MAX_RESULT. */
  readonly from?: number;
  readonly mode?: QueryMode;
  readonly evaluation?: 'pruned' | 'exhaustive';
  /** Default 'auto'. */
  readonly tier?: TierRule;
  /** false leaves passages out. */
  readonly snippet?: boolean;
  /** true adds the tree of each score. */
  readonly explain?: boolean;
  readonly signal?: AbortSignal;
}

/** SearchOptions with nothing left open. */
export type Wanted = Required<SearchOptions>;

/** Fills in defaults. Throws QUERY_BAD_RANGE. */
export const withDefaults = (options: SearchOptions): Wanted => {
  const { q, k = 10, from = 0, mode = 'auto', evaluation = 'pruned' } = options;
  const { tier = 'auto', snippet = true, explain = false, signal = new AbortController().signal } = options;
  const whole = Number.isInteger(k) && Number.isInteger(from);
  if (!whole || k < 0 || from < 0 || from + k > MAX_RESULT) {
    throw failQuery('QUERY_BAD_RANGE', { from, k, limit: MAX_RESULT });
  }
  return { q, k, from, mode, evaluation, tier, snippet, explain, signal };
};

/** Names an answer in the cache. Two spellings that read alike share one; a new epoch, generation or commit makes a new name. */
export const cacheKey = (wanted: Wanted, tree: QueryTree, view: IndexView): string => {
  const { k, from, mode, evaluation, tier, snippet, explain } = wanted;
  const options = [k, from, mode, evaluation, tier, snippet, explain];
  return JSON.stringify([tree.nodes, tree.warnings, options, view.statistics.epoch, view.version]);
};
