import type { EpochNumber } from '../../shards/index.ts';
import { formatTree, type QueryTree } from '../language/tree.ts';
import type { QueryWarning } from '../language/warnings.ts';
import type { Answer } from './answer.ts';
import type { Round } from './round.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { IndexView } from './view.ts';

/** What every answer says of its question. */
export interface Question {
  readonly query: string;
  readonly tree: QueryTree;
  readonly warnings: readonly QueryWarning[];
  readonly view: IndexView;
  /** The epoch that weighed it. */
  readonly epoch: EpochNumber;
  readonly watch: Stopwatch;
}

const frameOf = ({ query, tree, warnings, epoch, watch }: Question) => ({
  query,
  interpreted: formatTree(tree),
  warnings,
  took: watch.times(),
  epoch,
});

/** The answer of one round. */
export const composeAnswer = (question: Question, round: Round): Answer => {
  const { gathered, hits, total, lostPages, isSafe } = round;
  const partial = lostPages || gathered.shards.ok < gathered.shards.total;
  return {
    ...frameOf(question),
    total: isSafe && !partial ? total : { value: total.value, relation: 'gte' },
    partial,
    shards: gathered.shards,
    missing: gathered.missing,
    coverage: gathered.coverage,
    tiers: { high: 'searched', low: gathered.lowTier ?? 'searched', exact: isSafe },
    hits,
  };
};

/** The same answer where a shard could not say all that was to be searched for. */
export const incomplete = (answer: Answer): Answer => ({
  ...answer,
  partial: true,
  total: { value: answer.total.value, relation: 'gte' },
});

/** The answer to a query that says nothing to look for: no shard is asked, none is missing. */
export const emptyAnswer = (question: Question): Answer => {
  const shards = question.view.nodes.flatMap(({ status }) => status?.shards ?? []);
  const docs = shards.reduce((sum, { docCount }) => sum + docCount, 0);
  return {
    ...frameOf(question),
    total: { value: 0, relation: 'eq' },
    partial: false,
    shards: { total: shards.length, ok: shards.length, truncated: 0, failed: 0, timedOut: 0 },
    missing: [],
    coverage: { docs, total: docs },
    tiers: { high: 'searched', low: 'searched', exact: true },
    hits: [],
  };
};
