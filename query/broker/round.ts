import type { Clock } from '../../shards/index.ts';
import type { QueryConfig } from '../config.ts';
import { failQuery } from '../errors.ts';
import type { PlannedQuery } from '../language/planner.ts';
import type { AnswerHit } from './answer.ts';
import { mergeHits } from './merge.ts';
import type { Wanted } from './request.ts';
import { type Gathered, gather, scatter } from './scatter.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { IndexView } from './view.ts';
import { describeHit, explainWinners, fetchWinners, type Winner } from './winners.ts';

/** What shards are asked: a plan, and what to mark in the passages of its hits. */
export type Asked = Exclude<PlannedQuery['loosened'], undefined>;

/** Where a query runs. */
export interface RoundContext {
  readonly view: IndexView;
  readonly watch: Stopwatch;
  readonly clock: Clock;
  readonly config: QueryConfig;
}

/** One evaluation of a plan: what the shards said, merged and with pages. */
export interface Round {
  readonly gathered: Gathered;
  readonly hits: readonly AnswerHit[];
  /** Matches of all shards, less the copies that the merge left out. */
  readonly total: number;
  /** Whether a node could not show a hit's page or explain its score: its generation was closed, or it went away. */
  readonly lostPages: boolean;
}

/** Asks all nodes, merges, and fetches the pages of the winners. Throws QUERY_NO_SHARD when no shard answers. */
export const runRound = async (
  { plan, marks }: Asked,
  wanted: Wanted,
  { view, watch, clock, config }: RoundContext,
): Promise<Round> => {
  const { nodes } = view;
  const { from, k, evaluation, signal } = wanted;
  const deadline = { timeoutMs: config.timeoutMs, clock, signal };
  const outcomes = await scatter(nodes, { plan, k: from + k, evaluation }, deadline);
  const gathered = gather(nodes, outcomes);
  watch.lapSearch(gathered.queueMs);
  if (gathered.shards.ok + gathered.shards.truncated === 0) {
    throw failQuery('QUERY_NO_SHARD', { reason: gathered.reasons[0] ?? 'all were late' });
  }
  const merged = mergeHits(gathered.lists, from + k);
  const winners = merged.hits.slice(from).map((hit): Winner => ({ hit, nodeIndex: gathered.nodeOf(hit) }));
  watch.lap('merge');
  const groups = wanted.snippet ? marks : [];
  const pages = await fetchWinners(nodes, winners, {
    groups,
    passageLength: config.passageLength,
    deadline,
  });
  const explanations = wanted.explain ? await explainWinners(nodes, winners, plan, deadline) : [];
  watch.lap('fetch');
  const hits = winners.flatMap(({ hit }, rank) => {
    const page = pages[rank];
    return page === undefined ? [] : [describeHit(hit, page, explanations[rank])];
  });
  return {
    gathered,
    hits,
    total: Math.max(0, gathered.total - merged.duplicateCount),
    lostPages: hits.length < winners.length || explanations.includes(undefined),
  };
};
