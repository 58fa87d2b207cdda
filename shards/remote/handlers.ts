import type { LocalNode } from '../server/local-node.ts';
import type { ShardClient } from '../server/shard-client.ts';
import type { Clock } from '../values/clock.ts';
import { failRemote } from './errors.ts';
import {
  contributionsOperation,
  expandOperation,
  explainOperation,
  fetchOperation,
  type Operation,
  pageOperation,
  searchOperation,
  stageOperation,
  statisticsOperation,
  statusOperation,
} from './operations.ts';

/** What a shard server serves: a node that can also give an epoch away. */
export type ServedNode = ShardClient & Pick<LocalNode, 'epochBytes'>;

/** Where and when a request came in. */
export interface RequestContext {
  readonly node: ServedNode;
  readonly clock: Clock;
  /** Monotonic. */
  readonly receivedMs: number;
  /** Aborted when the asker cancels or goes away. */
  readonly signal: AbortSignal;
}

/** A request that was read and can be run; resolves to the payload of its answer. */
export type Job = (context: RequestContext) => Promise<Uint8Array>;

export interface Handler {
  readonly maxRequestBytes: number;
  /** Throws SHARDS_PROTOCOL_VIOLATED. The payload is not used after the call. */
  readonly read: (payload: Uint8Array, peer: string) => Job;
}

const handler = <Request, Answer>(
  operation: Operation<Request, Answer>,
  run: (request: Request, context: RequestContext) => Promise<Answer>,
): readonly [number, Handler] => {
  const { kind, maxRequestBytes, maxAnswerBytes } = operation;
  const read: Handler['read'] = (payload, peer) => {
    const request = operation.readRequest(payload, peer);
    return async (context) => {
      const answer = operation.writeAnswer(await run(request, context));
      if (answer.length <= maxAnswerBytes) return answer;
      throw failRemote('SHARDS_MESSAGE_TOO_LONG', { bytes: answer.length, limit: maxAnswerBytes });
    };
  };
  return [kind, { maxRequestBytes, read }];
};

/** What a shard server does with each kind of frame that asks. */
export const HANDLERS: ReadonlyMap<number, Handler> = new Map([
  handler(searchOperation, async (request, { node, clock, receivedMs, signal }) => {
    // What the request has waited here is gone from its budget.
    const waitedMs = clock.monotonicMs() - receivedMs;
    const budgetMs = request.budgetMs - waitedMs;
    const answer = await node.search({ ...request, budgetMs }, signal);
    return { ...answer, queueMs: answer.queueMs + waitedMs };
  }),
  handler(fetchOperation, (request, { node, signal }) => node.fetch(request, signal)),
  handler(pageOperation, (key, { node }) => node.page(key)),
  handler(explainOperation, ({ plan, key }, { node }) => node.explain(plan, key)),
  handler(expandOperation, (request, { node, signal }) => node.expand(request, signal)),
  handler(statusOperation, (_, { node }) => node.status()),
  handler(statisticsOperation, async ({ epoch, have }, { node }) => {
    if (epoch !== undefined) return node.epochBytes(epoch);
    const { epoch: newest } = await node.status();
    return newest === have ? undefined : node.epochBytes(newest);
  }),
  handler(contributionsOperation, (known, { node, signal }) => node.contributions(known, signal)),
  handler(stageOperation, (bytes, { node }) => node.stage(bytes)),
]);
