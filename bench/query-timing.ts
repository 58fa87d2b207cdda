import { parseQuery, planQuery, type QueryMode, queryConfig, queryLanguages } from '../query/index.ts';
import {
  createAnalyser,
  currentGeneration,
  type LocalNode,
  openNode,
  type QueryPlan,
  type ScoringName,
  type SearchRequest,
  type ShardHit,
} from '../shards/index.ts';

export interface QueryTimingOptions {
  /** The data folder's `shards` and `stats`. */
  readonly shardsFolder: string;
  readonly statsFolder: string;
  readonly queries: readonly string[];
  readonly mode: QueryMode;
  readonly k: number;
  /** How often all queries are asked; of each query the best round counts. */
  readonly rounds: number;
  readonly scoring?: ScoringName;
  /** Keep the hits of each query. */
  readonly keepsTops?: boolean;
}

export interface TimedHit {
  readonly url: string;
  readonly score: number;
}

export interface QueryTiming {
  readonly mode: QueryMode;
  readonly k: number;
  /** Queries timed: those that ask for anything. */
  readonly queries: number;
  /** Microseconds a query, inside the node: lookup, evaluation over all shards, merge; planning is left out. */
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /** From the call to the first query: files read and verified, statistics loaded. */
  readonly openMs: number;
  /** Largest resident set of the process until the last query was answered. */
  readonly peakBytes: number;
  /** By query, in their order; empty unless asked for. */
  readonly tops: readonly { readonly query: string; readonly hits: readonly TimedHit[] }[];
}

const NO_LIMIT_MS = 600_000;

interface TimedQuery {
  readonly text: string;
  readonly request: SearchRequest;
  bestUs: number;
}

/** As peers are asked: no more matches are counted than hits are wanted. */
const requestOf = (plan: QueryPlan, k: number): SearchRequest => ({
  plan,
  k,
  evaluation: 'pruned',
  budgetMs: NO_LIMIT_MS,
  countLimit: k,
});

const planAll = async (node: LocalNode, options: QueryTimingOptions): Promise<TimedQuery[]> => {
  const statistics = await node.statistics();
  const info = await currentGeneration(options.shardsFolder);
  const analyser = createAnalyser(info?.analyser ?? 'default');
  const languages = queryLanguages(statistics, queryConfig.parse());
  return options.queries.flatMap((text) => {
    const { plan } = planQuery(parseQuery(text), { statistics, analyser, mode: options.mode, languages });
    return plan === undefined ? [] : { text, request: requestOf(plan, options.k), bestUs: Infinity };
  });
};

const mergeHits = (shards: readonly { readonly hits: readonly ShardHit[] }[], k: number): ShardHit[] => {
  const [only] = shards;
  if (shards.length === 1 && only !== undefined) return [...only.hits];
  const all = shards.flatMap(({ hits }) => hits);
  return all.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1)).slice(0, k);
};

/** The value that a share of the values, which rise, lies below; 0 of none. */
export const percentile = (rising: readonly number[], share: number): number =>
  rising[Math.min(rising.length - 1, Math.floor(share * rising.length))] ?? 0;

const topsOf = async (
  node: LocalNode,
  { text, request }: TimedQuery,
): Promise<QueryTiming['tops'][number]> => {
  const hits = mergeHits((await node.search(request)).shards, request.k);
  const pages = await node.fetch({ hits, groups: [], passageLength: 0 });
  return {
    query: text,
    hits: hits.map(({ score }, index) => ({ url: pages[index]?.url ?? '', score })),
  };
};

/** Times queries inside one process over all shards of a data folder: per query the best of the rounds. */
export const timeQueries = async (options: QueryTimingOptions): Promise<QueryTiming> => {
  const { mode, k, rounds, scoring = 'default' } = options;
  const openedAt = performance.now();
  const node = await openNode({ ...options, scoring, pollMs: 0 });
  const openMs = performance.now() - openedAt;
  try {
    const timed = await planAll(node, options);
    for (let round = 0; round < rounds; round += 1) {
      for (const query of timed) {
        const started = process.hrtime.bigint();
        const { shards } = await node.search(query.request);
        mergeHits(shards, k);
        query.bestUs = Math.min(query.bestUs, Number(process.hrtime.bigint() - started) / 1000);
      }
    }
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    const times = timed.map(({ bestUs }) => bestUs).sort((a, b) => a - b);
    const tops =
      options.keepsTops === true ? await Promise.all(timed.map((query) => topsOf(node, query))) : [];
    return {
      mode,
      k,
      queries: timed.length,
      mean: times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length),
      p50: percentile(times, 0.5),
      p90: percentile(times, 0.9),
      p99: percentile(times, 0.99),
      openMs,
      peakBytes,
      tops,
    };
  } finally {
    await node.close();
  }
};
