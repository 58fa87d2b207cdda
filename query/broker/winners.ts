import type { FetchedPage, FetchRequest, QueryPlan, ScoreExplanation, ShardHit } from '../../shards/index.ts';
import { hostOfUrl } from '../../shards/index.ts';
import type { AnswerHit } from './answer.ts';
import type { NodeView } from './view.ts';

/** A hit with the node that can show its page. */
export interface Winner {
  readonly hit: ShardHit;
  readonly nodeIndex: number;
}

export interface Fetched {
  /** Pages in the order of the winners; undefined where the node could not give it. */
  readonly pages: readonly (FetchedPage | undefined)[];
  /** Nodes that could not give the pages they had promised. */
  readonly failedNodes: ReadonlySet<number>;
}

export interface FetchOptions {
  readonly marks: FetchRequest['groups'];
  readonly passageLength: number;
  readonly signal: AbortSignal;
}

/** One request to each node that owns winners, all at once. */
export const fetchWinners = async (
  nodes: readonly NodeView[],
  winners: readonly Winner[],
  options: FetchOptions,
): Promise<Fetched> => {
  const pages: (FetchedPage | undefined)[] = winners.map(() => undefined);
  const failedNodes = new Set<number>();
  const owners = new Map<number, number[]>();
  for (const [rank, { nodeIndex }] of winners.entries()) {
    owners.set(nodeIndex, [...(owners.get(nodeIndex) ?? []), rank]);
  }
  const fetchFrom = async (nodeIndex: number, ranks: readonly number[]): Promise<void> => {
    const hits = ranks.flatMap((rank) => winners[rank]?.hit ?? []);
    const { marks: groups, passageLength, signal } = options;
    try {
      const fetched = await nodes[nodeIndex]?.client.fetch({ hits, groups, passageLength }, signal);
      for (const [index, rank] of ranks.entries()) pages[rank] = fetched?.[index];
    } catch {
      options.signal.throwIfAborted();
      failedNodes.add(nodeIndex);
    }
  };
  await Promise.all([...owners].map(([nodeIndex, ranks]) => fetchFrom(nodeIndex, ranks)));
  return { pages, failedNodes };
};

/** Score trees of the winners, from the nodes that scored them; undefined where a node could not say. */
export const explainWinners = (
  nodes: readonly NodeView[],
  winners: readonly Winner[],
  plan: QueryPlan,
): Promise<(ScoreExplanation | undefined)[]> =>
  Promise.all(winners.map(async ({ hit, nodeIndex }) => nodes[nodeIndex]?.client.explain(plan, hit.key)));

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
