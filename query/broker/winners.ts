import type { FetchedPage, FetchRequest, QueryPlan, ScoreExplanation, ShardHit } from '../../shards/index.ts';
import { hostOfUrl } from '../../shards/index.ts';
import type { AnswerHit } from './answer.ts';
import { type DeadlineOptions, LATE, withDeadline } from './deadline.ts';
import type { NodeView } from './node-watch.ts';

/** A hit with the node that can show its page. */
export interface Winner {
  readonly hit: ShardHit;
  readonly nodeIndex: number;
}

export interface FetchOptions extends Omit<FetchRequest, 'hits'> {
  readonly deadline: DeadlineOptions;
}

/**
 * Pages in the order of the winners, by one request to each node that owns some, all at once; undefined where the node
 * failed or was late.
 */
export const fetchWinners = async (
  nodes: readonly NodeView[],
  winners: readonly Winner[],
  { deadline, ...request }: FetchOptions,
): Promise<readonly (FetchedPage | undefined)[]> => {
  const pages: (FetchedPage | undefined)[] = winners.map(() => undefined);
  const owners = new Map<number, number[]>();
  for (const [rank, { nodeIndex }] of winners.entries()) {
    const ranks = owners.get(nodeIndex);
    if (ranks === undefined) owners.set(nodeIndex, [rank]);
    else ranks.push(rank);
  }
  const fetchFrom = async (nodeIndex: number, ranks: readonly number[]): Promise<void> => {
    const client = nodes[nodeIndex]?.client;
    if (client === undefined) return;
    const hits = ranks.flatMap((rank) => winners[rank]?.hit ?? []);
    try {
      const fetched = await withDeadline(deadline, (signal) => client.fetch({ ...request, hits }, signal));
      if (fetched === LATE) return;
      for (const [index, rank] of ranks.entries()) pages[rank] = fetched[index];
    } catch {
      // Its pages stay undefined, which makes the answer partial; only the caller's own abort ends the query.
      deadline.signal?.throwIfAborted();
    }
  };
  await Promise.all([...owners].map(([nodeIndex, ranks]) => fetchFrom(nodeIndex, ranks)));
  return pages;
};

/** Score trees of the winners, from the nodes that scored them; undefined where the node failed or was late. */
export const explainWinners = (
  nodes: readonly NodeView[],
  winners: readonly Winner[],
  plan: QueryPlan,
  deadline: DeadlineOptions,
): Promise<(ScoreExplanation | undefined)[]> => {
  const explain = async ({ hit, nodeIndex }: Winner): Promise<ScoreExplanation | undefined> => {
    const client = nodes[nodeIndex]?.client;
    if (client === undefined) return undefined;
    try {
      const explanation = await withDeadline(deadline, () => client.explain(plan, hit.key));
      return explanation === LATE ? undefined : explanation;
    } catch {
      // The hit stands without its tree; only the caller's own abort ends the query.
      deadline.signal?.throwIfAborted();
      return undefined;
    }
  };
  return Promise.all(winners.map(explain));
};

/** A hit with its page, as an answer shows it. */
export const describeHit = (
  hit: ShardHit,
  page: FetchedPage,
  explanation: ScoreExplanation | undefined,
): AnswerHit => ({
  url: page.url,
  title: page.title,
  snippet: page.passage,
  score: hit.score,
  site: hostOfUrl(page.url),
  lang: page.lang,
  type: page.type,
  fetchedAt: new Date(page.fetchedAtMs).toISOString(),
  ...(explanation === undefined ? {} : { explanation }),
});
