import type { SearchRequest, ShardAnswer, TierChoice } from '../../shards/index.ts';
import { compareHits } from './merge.ts';
import type { NodeView } from './node-watch.ts';
import type { TierRule } from './request.ts';
import { type Gathered, gather, type NodeOutcome } from './scatter.ts';

type Ask = (choice: TierChoice) => Promise<readonly NodeOutcome[]>;

/** What to ask first under each rule. */
const FIRST_ROUND: Readonly<Record<TierRule, SearchRequest['tiers']>> = {
  auto: 'guaranteed',
  all: 'all',
  high: 'upper',
  count: 'upper',
};

const WORST_FIRST = ['failed', 'timedOut', 'truncated', 'ok'] as const;

/** What a shard says of its upper tiers and of its low one, as one answer. */
const joinShard = (upper: ShardAnswer, low: ShardAnswer): ShardAnswer => {
  const error = upper.error ?? low.error;
  return {
    ...upper,
    status: WORST_FIRST.find((status) => status === upper.status || status === low.status) ?? 'failed',
    ...(error === undefined ? {} : { error }),
    hits: [...upper.hits, ...low.hits].sort(compareHits),
    total: {
      value: upper.total.value + low.total.value,
      relation: upper.total.relation === 'eq' ? low.total.relation : 'gte',
    },
    lowTier: low.lowTier,
  };
};

const joinOutcome = (upper: NodeOutcome, low: NodeOutcome): NodeOutcome => {
  if (upper.kind !== 'answered') return upper;
  if (low.kind !== 'answered') return low;
  const shards = upper.answer.shards.map((answer) => {
    const other = low.answer.shards.find(({ shard }) => shard === answer.shard);
    return other === undefined ? answer : joinShard(answer, other);
  });
  return {
    kind: 'answered',
    answer: {
      shards,
      queueMs: upper.answer.queueMs + low.answer.queueMs,
      searchMs: upper.answer.searchMs + low.answer.searchMs,
    },
  };
};

/** What the tiers of all shards had to say. */
export interface TieredAnswer {
  readonly gathered: Gathered;
  /** Whether no document that was left out could have been among the best. */
  readonly isSafe: boolean;
}

/**
 * Asks all shards under a rule (IIR 7.2.1). Under `count` the low tiers are asked in a second round, of all shards, when the
 * others have fewer than `wantedCount` matches over all shards together.
 */
export const askTiers = async (
  nodes: readonly NodeView[],
  rule: TierRule,
  wantedCount: number,
  ask: Ask,
): Promise<TieredAnswer> => {
  const first = await ask(FIRST_ROUND[rule] ?? 'guaranteed');
  const gathered = gather(nodes, first);
  const isWhole = rule === 'auto' || rule === 'all' || gathered.lowTier === undefined;
  if (isWhole) return { gathered, isSafe: true };
  const matchCount = gathered.totals.reduce((sum, { value }) => sum + value, 0);
  if (rule === 'high' || matchCount >= wantedCount) return { gathered, isSafe: false };
  const second = await ask('low');
  const joined = first.map((outcome, index) => joinOutcome(outcome, second[index] ?? { kind: 'timedOut' }));
  return { gathered: gather(nodes, joined), isSafe: true };
};
