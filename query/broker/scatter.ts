import type { SearchAnswer, SearchRequest, ShardAnswer, ShardHit } from '../../shards/index.ts';
import type { MissingShard, ShardCounts } from './answer.ts';
import { type DeadlineOptions, LATE, withDeadline } from './deadline.ts';
import { messageOf, type NodeView, worthAsking } from './node-watch.ts';

/** Share of the deadline that evaluation in a node may take; the rest is for the way back. */
const EVALUATION_SHARE = 0.9;

export type NodeOutcome =
  | { readonly kind: 'answered'; readonly answer: SearchAnswer }
  | { readonly kind: 'failed'; readonly reason: string; readonly code?: string }
  | { readonly kind: 'timedOut' };

const LEFT_OUT: NodeOutcome = { kind: 'timedOut' };

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * One request to each node for all its shards, under one deadline. Never rejects for a node's sake: a node that fails
 * or is late is an outcome; a silent one counts as late at once. Rejects with the signal's reason when the caller gives up.
 */
export const scatter = (
  nodes: readonly NodeView[],
  request: Omit<SearchRequest, 'budgetMs'>,
  deadline: DeadlineOptions,
): Promise<readonly NodeOutcome[]> => {
  const budgetMs = Math.max(1, Math.floor(deadline.timeoutMs * EVALUATION_SHARE));
  const ask = async ({ client }: NodeView): Promise<NodeOutcome> => {
    try {
      const answer = await withDeadline(deadline, (signal) =>
        client.search({ ...request, budgetMs }, signal),
      );
      return answer === LATE ? { kind: 'timedOut' } : { kind: 'answered', answer };
    } catch (error) {
      deadline.signal?.throwIfAborted();
      const code = codeOf(error);
      return { kind: 'failed', reason: messageOf(error), ...(code === undefined ? {} : { code }) };
    }
  };
  const isAsked = worthAsking(nodes);
  return Promise.all(nodes.map((node, index) => (isAsked[index] ? ask(node) : Promise.resolve(LEFT_OUT))));
};

/** All that the outcomes of a scatter say together. */
export interface Gathered {
  readonly lists: readonly (readonly ShardHit[])[];
  /** Index of the node that sent a hit of `lists`. */
  readonly nodeOf: (hit: ShardHit) => number;
  /** What each shard counted; one that did not answer in full has at least so many. */
  readonly totals: readonly ShardAnswer['total'][];
  readonly shards: ShardCounts;
  readonly missing: readonly MissingShard[];
  readonly coverage: { readonly docs: number; readonly total: number };
  readonly queueMs: number;
  /** Why shards failed, first one first. */
  readonly reasons: readonly string[];
  /** Whether a node does not know the epoch of the plan (any more, or not yet). */
  readonly unknownEpoch: boolean;
  /** Whether any shard ranked documents of its low tier; undefined where no shard has one. */
  readonly lowTier: ShardAnswer['lowTier'];
  /** Documents of all shards that hold each of the request's `frequenciesOf`. */
  readonly frequencies: readonly number[];
}

const sumFrequencies = (answers: readonly ShardAnswer[]): number[] => {
  const sums: number[] = [];
  for (const { frequencies = [] } of answers) {
    for (const [index, count] of frequencies.entries()) sums[index] = (sums[index] ?? 0) + count;
  }
  return sums;
};

const lowTierOf = (answers: readonly ShardAnswer[]): ShardAnswer['lowTier'] => {
  const said = answers.map(({ lowTier }) => lowTier);
  return (['searched', 'skipped'] as const).find((state) => said.includes(state));
};

/** A shard that said nothing. */
const silent = (
  shard: number,
  docCount: number,
  outcome: Exclude<NodeOutcome, { kind: 'answered' }>,
): ShardAnswer => ({
  shard,
  docCount,
  status: outcome.kind,
  ...(outcome.kind === 'failed' ? { error: outcome.reason } : {}),
  hits: [],
  total: { value: 0, relation: 'gte' },
});

const tally = (outcome: NodeOutcome, { status }: NodeView): ShardAnswer[] => {
  if (outcome.kind === 'answered') return [...outcome.answer.shards];
  return (status?.shards ?? []).map(({ shard, docCount }) => silent(shard, docCount, outcome));
};

/**
 * Shards of the index that no node is known to serve, because nobody named one or it has never answered. Where not even
 * their number is known, one stands for all of a node.
 */
const unserved = (
  nodes: readonly NodeView[],
  outcomes: readonly NodeOutcome[],
  answers: readonly ShardAnswer[],
): ShardAnswer[] => {
  const unknown = outcomes.flatMap((outcome, index) =>
    outcome.kind !== 'answered' && nodes[index]?.status === undefined ? [outcome] : [],
  );
  const shardCount = Math.max(0, ...nodes.map(({ status }) => status?.shardCount ?? 0));
  if (shardCount === 0) return unknown.map((outcome) => silent(-1, 0, outcome));
  const served = new Set(answers.map(({ shard }) => shard));
  const missing = Array.from({ length: shardCount }, (_, shard) => shard).filter(
    (shard) => !served.has(shard),
  );
  return missing.map((shard) =>
    silent(shard, 0, unknown[0] ?? { kind: 'failed', reason: `no node serves shard ${shard}` }),
  );
};

/** Adds outcomes up; a node that is silent counts with the shards and documents last known of it. */
export const gather = (nodes: readonly NodeView[], outcomes: readonly NodeOutcome[]): Gathered => {
  const known = outcomes.flatMap((outcome, index) => {
    const node = nodes[index];
    return node === undefined ? [] : tally(outcome, node);
  });
  const answers = [...known, ...unserved(nodes, outcomes, known)];
  const count = (status: ShardAnswer['status']) =>
    answers.filter((answer) => answer.status === status).length;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const senders = new Map<ShardHit, number>();
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind !== 'answered') continue;
    for (const { hits } of outcome.answer.shards) for (const hit of hits) senders.set(hit, index);
  }
  return {
    nodeOf: (hit) => senders.get(hit) ?? -1,
    lists: answers.map(({ hits }) => hits),
    totals: answers.map(({ total, status }) =>
      status === 'ok' ? total : { value: total.value, relation: 'gte' as const },
    ),
    shards: {
      total: answers.length,
      ok: count('ok'),
      truncated: count('truncated'),
      failed: count('failed'),
      timedOut: count('timedOut'),
    },
    missing: answers.flatMap(({ shard, status }) => (status === 'ok' ? [] : [{ shard, status }])),
    coverage: {
      docs: sum(answers.filter(({ status }) => status === 'ok').map(({ docCount }) => docCount)),
      total: sum(answers.map(({ docCount }) => docCount)),
    },
    queueMs: Math.max(
      0,
      ...outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.answer.queueMs : 0)),
    ),
    unknownEpoch: outcomes.some(
      (outcome) => outcome.kind === 'failed' && outcome.code === 'SHARDS_UNKNOWN_EPOCH',
    ),
    lowTier: lowTierOf(answers),
    frequencies: sumFrequencies(answers),
    reasons: answers.flatMap(({ error }) => (error === undefined ? [] : [error])),
  };
};
