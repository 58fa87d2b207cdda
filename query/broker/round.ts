import type { Clock, IndexStatistics } from '../../shards/index.ts';
import type { QueryConfig } from '../config.ts';
import { failQuery } from '../errors.ts';
import type { PlannedQuery } from '../language/planner.ts';
import type { AnswerHit } from './answer.ts';
import { askTiers } from './ask-tiers.ts';
import { countMatches, type Total } from './count-matches.ts';
import { type Merged, mergeHits } from './merge.ts';
import type { Wanted } from './request.ts';
import { type Gathered, scatter } from './scatter.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { IndexView } from './view.ts';
import { describeHit, explainWinners, fetchWinners, type Winner } from './winners.ts';

/** What shards are asked: a plan, and what to mark in the passages of its hits. */
export type Asked = Exclude<PlannedQuery['loosened'], undefined>;

/** Where a query runs. */
export interface RoundContext {
  readonly view: IndexView;
  /** The epoch that the query is weighed by. */
  readonly statistics: IndexStatistics;
  readonly watch: Stopwatch;
  readonly clock: Clock;
  readonly config: QueryConfig;
}

/** What the shards said to a plan, merged. */
export interface Scan {
  readonly asked: Asked;
  readonly gathered: Gathered;
  readonly merged: Merged;
  /** Matches of all shards. */
  readonly total: Total;
  /** Whether no document that was left out could have been among the best. */
  readonly isSafe: boolean;
}

/** A scan with the pages of its hits. */
export interface Round extends Scan {
  readonly hits: readonly AnswerHit[];
  /** Whether a node could not show a hit's page or explain its score: its generation was closed, or it went away. */
  readonly lostPages: boolean;
}

/** Asks all nodes and merges; also how many documents hold each of `frequenciesOf`. */
export const scanShards = async (
  asked: Asked,
  frequenciesOf: readonly string[],
  wanted: Wanted,
  { view: { nodes }, watch, clock, config }: RoundContext,
): Promise<Scan> => {
  const { from, k, evaluation, signal, tier } = wanted;
  const deadline = { timeoutMs: config.timeoutMs, clock, signal };
  const request = { plan: asked.plan, k: from + k, evaluation };
  const { gathered, isSafe } = await askTiers(nodes, tier, from + k, (tiers) =>
    scatter(nodes, { ...request, tiers, frequenciesOf }, deadline),
  );
  watch.lapSearch(gathered.queueMs);
  const merged = mergeHits(gathered.lists, from + k);
  watch.lap('merge');
  return { asked, gathered, merged, isSafe, total: countMatches(gathered.totals, merged.duplicateCount) };
};

/** Fetches the pages of a scan's winners. Throws QUERY_NO_SHARD when no shard has answered. */
export const showWinners = async (
  scan: Scan,
  wanted: Wanted,
  { view: { nodes }, watch, clock, config }: RoundContext,
): Promise<Round> => {
  const { gathered, merged, asked } = scan;
  if (gathered.shards.ok + gathered.shards.truncated === 0) {
    throw failQuery('QUERY_NO_SHARD', { reason: gathered.reasons[0] ?? 'all were late' });
  }
  const deadline = { timeoutMs: config.timeoutMs, clock, signal: wanted.signal };
  const winners = merged.hits
    .slice(wanted.from)
    .map((hit): Winner => ({ hit, nodeIndex: gathered.nodeOf(hit) }));
  const pages = await fetchWinners(nodes, winners, {
    groups: wanted.snippet ? asked.marks : [],
    passageLength: config.passageLength,
    deadline,
  });
  const explanations = wanted.explain ? await explainWinners(nodes, winners, asked.plan, deadline) : [];
  watch.lap('fetch');
  const hits = winners.flatMap(({ hit }, rank) => {
    const page = pages[rank];
    return page === undefined ? [] : [describeHit(hit, page, explanations[rank])];
  });
  return { ...scan, hits, lostPages: hits.length < winners.length || explanations.includes(undefined) };
};
