import {
  type Analyser,
  type Clock,
  type NormalUrl,
  type ShardClient,
  type StoredPage,
  systemClock,
  trustNormalUrl,
  urlKey,
} from '../../shards/index.ts';
import { type QueryConfig, queryConfig } from '../config.ts';
import { failQuery } from '../errors.ts';
import { parseQuery } from '../language/parser.ts';
import { type PlannedQuery, planQuery, type QueryMode, queryLanguages } from '../language/planner.ts';
import { formatTree, type QueryTree } from '../language/tree.ts';
import { type QueryWarning, warning } from '../language/warnings.ts';
import type { Answer, AnswerHit } from './answer.ts';
import { AnswerCache } from './cache.ts';
import { mergeHits } from './merge.ts';
import { type Gathered, gather, scatter } from './scatter.ts';
import { Stopwatch } from './stopwatch.ts';
import { type IndexView, IndexViewer } from './view.ts';
import { describeHit, explainWinners, fetchWinners, type Winner } from './winners.ts';

/** Results that paging reaches: `from` up to 1,000 and one page of 100 behind it. */
export const MAX_RESULT = 1100;

export interface BrokerOptions {
  /** The nodes that hold the index; the broker closes them with itself. */
  readonly nodes: readonly ShardClient[];
  /** The analyser that the segments record. */
  readonly analyser: Analyser;
  readonly config?: Partial<QueryConfig>;
  readonly clock?: Clock;
}

export interface SearchOptions {
  readonly q: string;
  /** Hits wanted, default 10; 0 only counts. */
  readonly k?: number;
  /** Hits to leave out before them, default 0; from + k <= MAX_RESULT. */
  readonly from?: number;
  readonly mode?: QueryMode;
  readonly evaluation?: 'pruned' | 'exhaustive';
  /** false leaves passages out. */
  readonly snippet?: boolean;
  /** true adds the tree of each score. */
  readonly explain?: boolean;
  readonly signal?: AbortSignal;
}

export interface IndexOverview {
  readonly epoch: number;
  readonly docCount: number;
  readonly languages: readonly { readonly lang: string; readonly docCount: number }[];
  readonly nodes: readonly {
    readonly generation: number | undefined;
    readonly error: string | undefined;
    readonly shards: readonly {
      readonly shard: number;
      readonly docCount: number;
      readonly deletedCount: number;
      readonly segmentCount: number;
      readonly bytes: number;
    }[];
  }[];
}

export interface Broker {
  /**
   * Answers a query from all shards. A shard that is down or late makes the answer partial.
   * Throws QUERY_NO_SHARD when none answers, QUERY_BAD_RANGE outside the first MAX_RESULT results.
   */
  search(options: SearchOptions): Promise<Answer>;
  /** The stored copy of a page, undefined when the index has none. */
  page(url: string): Promise<StoredPage | undefined>;
  /** Throws QUERY_NO_SHARD when no node has ever answered. */
  overview(): Promise<IndexOverview>;
  close(): Promise<void>;
}

type Wanted = Required<Omit<SearchOptions, 'signal'>> & { readonly signal: AbortSignal };

/** What shards are asked: a plan, and what to mark in the passages of its hits. */
type Asked = Exclude<PlannedQuery['loosened'], undefined>;

/** One evaluation of a plan: what the shards said, merged and with pages. */
interface Round {
  readonly gathered: Gathered;
  readonly hits: readonly AnswerHit[];
  readonly total: number;
  /** Whether a node lost its generation between search and fetch. */
  readonly lostPages: boolean;
}

class NodeBroker implements Broker {
  readonly #options: BrokerOptions;
  readonly #config: QueryConfig;
  readonly #clock: Clock;
  readonly #viewer: IndexViewer;
  readonly #cache: AnswerCache;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#config = queryConfig.parse(options.config);
    this.#clock = options.clock ?? systemClock;
    this.#cache = new AnswerCache(this.#config.cacheEntries);
    this.#viewer = new IndexViewer({
      clients: options.nodes,
      maxAgeMs: this.#config.viewMaxAgeMs,
      timeoutMs: this.#config.timeoutMs,
      clock: this.#clock,
    });
  }

  async search(options: SearchOptions): Promise<Answer> {
    const wanted = withDefaults(options);
    const watch = new Stopwatch(this.#clock);
    const view = await this.#viewer.current();
    const tree = parseQuery(wanted.q);
    const key = cacheKey(wanted, tree, view);
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      watch.lap('parse');
      return { ...cached, query: wanted.q, took: watch.times() };
    }
    const answer = await this.#answer(wanted, tree, { view, watch });
    this.#cache.put(key, answer);
    return answer;
  }

  async #answer(wanted: Wanted, tree: QueryTree, run: Run): Promise<Answer> {
    const planned = this.#plan(wanted, tree, run.view);
    run.watch.lap('parse');
    const warnings = [...tree.warnings, ...planned.warnings];
    if (planned.plan === undefined) return emptyAnswer(wanted, tree, { ...run, warnings });
    const { plan, marks } = planned;
    const first = await this.#round({ plan, marks }, wanted, run);
    if (first.lostPages) {
      const view = await this.#viewer.current(true);
      const again = this.#plan(wanted, tree, view);
      if (again.plan === undefined) return emptyAnswer(wanted, tree, { ...run, view, warnings });
      const renewed = { plan: again.plan, marks: again.marks };
      const second = await this.#round(renewed, wanted, { ...run, view });
      return composeAnswer(wanted, tree, { run: { ...run, view }, warnings, round: second });
    }
    if (planned.loosened !== undefined && first.total === 0) {
      const looser = await this.#round(planned.loosened, wanted, run);
      const said = looser.total > 0 ? [...warnings, warning('loosened')] : warnings;
      return composeAnswer(wanted, tree, { run, warnings: said, round: looser });
    }
    return composeAnswer(wanted, tree, { run, warnings, round: first });
  }

  #plan(wanted: Wanted, tree: QueryTree, view: IndexView): PlannedQuery {
    return planQuery(tree, {
      statistics: view.statistics,
      analyser: this.#options.analyser,
      mode: wanted.mode,
      languages: queryLanguages(view.statistics, this.#config),
    });
  }

  async #round({ plan, marks }: Asked, wanted: Wanted, run: Run): Promise<Round> {
    const { nodes } = run.view;
    const { from, k, evaluation, signal } = wanted;
    const count = from + k;
    const options = { timeoutMs: this.#config.timeoutMs, clock: this.#clock, signal };
    const outcomes = await scatter(nodes, { plan, k: count, evaluation }, options);
    const gathered = gather(nodes, outcomes);
    run.watch.lapSearch(gathered.queueMs);
    if (gathered.shards.ok + gathered.shards.truncated === 0) {
      throw failQuery('QUERY_NO_SHARD', { reason: gathered.reasons[0] ?? 'all were late' });
    }
    const merged = mergeHits(gathered.lists, count);
    const winners = merged.hits.slice(from).map((hit): Winner => ({ hit, nodeIndex: gathered.nodeOf(hit) }));
    run.watch.lap('merge');
    const fetched = await fetchWinners(nodes, winners, {
      marks: wanted.snippet ? marks : [],
      passageLength: this.#config.passageLength,
      signal,
    });
    const explanations = wanted.explain ? await explainWinners(nodes, winners, plan) : [];
    run.watch.lap('fetch');
    const hits = winners.flatMap(({ hit }, rank) => {
      const page = fetched.pages[rank];
      return page === undefined ? [] : [describeHit(hit, page, explanations[rank])];
    });
    return {
      gathered,
      hits,
      total: Math.max(0, gathered.total - merged.duplicateCount),
      lostPages: hits.length < winners.length,
    };
  }

  async page(url: string): Promise<StoredPage | undefined> {
    const { nodes } = await this.#viewer.current();
    for (const name of namesOf(url)) {
      const answers = await Promise.allSettled(nodes.map(({ client }) => client.page(urlKey(name))));
      for (const answer of answers) {
        if (answer.status === 'fulfilled' && answer.value !== undefined) return answer.value;
      }
      if (answers.every(({ status }) => status === 'rejected')) {
        throw failQuery('QUERY_NO_SHARD', { reason: 'no node could look the page up' });
      }
    }
    return undefined;
  }

  async overview(): Promise<IndexOverview> {
    const { statistics, nodes } = await this.#viewer.current();
    return {
      epoch: statistics.epoch,
      docCount: statistics.docCount,
      languages: statistics.languages,
      nodes: nodes.map(({ status, error }) => ({
        generation: status?.generation,
        error,
        shards: status?.shards ?? [],
      })),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#options.nodes.map((node) => node.close()));
  }
}

/** What one query carries through its rounds. */
interface Run {
  readonly view: IndexView;
  readonly watch: Stopwatch;
}

const withDefaults = (options: SearchOptions): Wanted => {
  const { q, k = 10, from = 0, mode = 'auto', evaluation = 'pruned' } = options;
  const { snippet = true, explain = false, signal = new AbortController().signal } = options;
  const whole = Number.isInteger(k) && Number.isInteger(from);
  if (!whole || k < 0 || from < 0 || from + k > MAX_RESULT) {
    throw failQuery('QUERY_BAD_RANGE', { from, k, limit: MAX_RESULT });
  }
  return { q, k, from, mode, evaluation, snippet, explain, signal };
};

/** Two spellings of one query share an answer; the mode of evaluation does not change it but its times. */
const cacheKey = (wanted: Wanted, tree: QueryTree, view: IndexView): string => {
  const { k, from, mode, evaluation, snippet, explain } = wanted;
  const warned = tree.warnings.map(({ code, text }) => code + text);
  return JSON.stringify([
    tree.nodes,
    warned,
    k,
    from,
    mode,
    evaluation,
    snippet,
    explain,
    view.statistics.epoch,
    view.version,
  ]);
};

/** Names under which a page may be known: as given, and as a URL parser writes it. */
const namesOf = (url: string): NormalUrl[] => {
  const names = new Set([url]);
  if (URL.canParse(url)) {
    const parsed = new URL(url);
    parsed.hash = '';
    names.add(parsed.href);
  }
  return [...names].map(trustNormalUrl);
};

const TIERS = { high: 'searched', low: 'searched', exact: true } as const;

const composeAnswer = (
  wanted: Wanted,
  tree: QueryTree,
  parts: { readonly run: Run; readonly warnings: readonly QueryWarning[]; readonly round: Round },
): Answer => {
  const { gathered, hits, total, lostPages } = parts.round;
  const partial = lostPages || gathered.shards.ok < gathered.shards.total;
  const exact = gathered.exact && !partial;
  return {
    query: wanted.q,
    interpreted: formatTree(tree),
    warnings: parts.warnings,
    total: { value: total, relation: exact ? 'eq' : 'gte' },
    took: parts.run.watch.times(),
    partial,
    epoch: parts.run.view.statistics.epoch,
    shards: gathered.shards,
    coverage: gathered.coverage,
    tiers: TIERS,
    hits,
  };
};

/** The answer to a query that says nothing to look for: no shard is asked, none is missing. */
const emptyAnswer = (
  wanted: Wanted,
  tree: QueryTree,
  { view, watch, warnings }: Run & { readonly warnings: readonly QueryWarning[] },
): Answer => {
  const shards = view.nodes.flatMap(({ status }) => status?.shards ?? []);
  const docs = shards.reduce((sum, { docCount }) => sum + docCount, 0);
  return {
    query: wanted.q,
    interpreted: formatTree(tree),
    warnings,
    total: { value: 0, relation: 'eq' },
    took: watch.times(),
    partial: false,
    epoch: view.statistics.epoch,
    shards: { total: shards.length, ok: shards.length, truncated: 0, failed: 0, timedOut: 0 },
    coverage: { docs, total: docs },
    tiers: TIERS,
    hits: [],
  };
};

export const createBroker = (options: BrokerOptions): Broker => new NodeBroker(options);
