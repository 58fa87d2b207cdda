import {
  type Analyser,
  type Clock,
  type ContributionStatus,
  createAnalyser,
  type Drift,
  driftFrom,
  type IndexStatistics,
  type NodeStatus,
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
import { type PlannedQuery, planQuery } from '../language/planner.ts';
import { prefixesOf } from '../language/prefixes.ts';
import { queryLanguages } from '../language/query-languages.ts';
import type { QueryTree } from '../language/tree.ts';
import type { Answer } from './answer.ts';
import { answerQuery, type RoundAnswer } from './answer-query.ts';
import { AnswerCache } from './cache.ts';
import { incomplete } from './compose.ts';
import { LATE, withDeadline } from './deadline.ts';
import { expandPrefixes } from './expand-prefixes.ts';
import { FrequencyDrift } from './frequency-drift.ts';
import { worthAsking } from './node-watch.ts';
import { cacheKey, type SearchOptions, type Wanted, withDefaults } from './request.ts';
import type { RoundContext } from './round.ts';
import { Stopwatch } from './stopwatch.ts';
import { UnknownTerms } from './unknown-terms.ts';
import { type IndexView, IndexViewer } from './view.ts';

export interface BrokerOptions {
  /** The nodes that hold the index; the broker closes them with itself. */
  readonly nodes: readonly ShardClient[];
  /** Cuts queries instead of the analyser that the nodes name. */
  readonly analyser?: Analyser;
  readonly config?: Partial<QueryConfig>;
  readonly clock?: Clock;
  /** What the refresher of the statistics knows of each shard, where one runs in this process. */
  readonly contributions?: () => readonly ContributionStatus[];
}

/** How far the index has moved from the epoch in force. */
export interface IndexDrift extends Drift {
  /** Mean change of the frequencies of words searched for, without its sign; undefined before any were seen. */
  readonly frequencies: number | undefined;
}

/** What the index holds and which nodes hold it. */
export interface IndexOverview {
  readonly epoch: number;
  readonly docCount: number;
  readonly languages: readonly { readonly lang: string; readonly docCount: number }[];
  readonly drift: IndexDrift;
  /** How old what each shard adds to the statistics is; empty where no refresher runs. */
  readonly contributions: readonly ContributionStatus[];
  readonly nodes: readonly {
    readonly generation: number | undefined;
    /** Why the node does not answer, undefined when it does. */
    readonly error: string | undefined;
    readonly shards: NodeStatus['shards'];
  }[];
}

/** Answers queries over all nodes. */
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
  /** Closes the nodes. */
  close(): Promise<void>;
}

const analysers = new Map<string, Analyser>();

/** An analyser keeps the stems it has made, so one of each name serves all. */
const analyserNamed = (name: string): Analyser => {
  const analyser = analysers.get(name) ?? createAnalyser(name);
  analysers.set(name, analyser);
  return analyser;
};

interface Run extends Pick<RoundContext, 'view' | 'watch'> {
  /** What the shards may take. */
  readonly timeoutMs: number;
}

class NodeBroker implements Broker {
  readonly #options: BrokerOptions;
  readonly #config: QueryConfig;
  readonly #clock: Clock;
  readonly #viewer: IndexViewer;
  readonly #cache: AnswerCache;
  readonly #unknownTerms = new UnknownTerms();
  readonly #drift = new FrequencyDrift();

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
    const { view, timeoutMs } = await this.#currentView();
    const tree = parseQuery(wanted.q);
    const key = cacheKey(wanted, tree, view);
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      watch.lap('parse');
      return { ...cached, query: wanted.q, took: watch.times() };
    }
    const first = await this.#answer(wanted, tree, { view, watch, timeoutMs });
    const mayAskAgain = first.lostPages && watch.times().total < this.#config.timeoutMs;
    const answer = mayAskAgain ? await this.#answerAgain(wanted, tree, watch) : first.answer;
    if (answer.shards.timedOut > 0) this.#viewer.suspect();
    if (answer.epoch === view.statistics.epoch) this.#cache.put(key, answer);
    return answer;
  }

  /** A view, and what waiting for it has left of a query's time: half at least. */
  async #currentView(fresh = false): Promise<{ readonly view: IndexView; readonly timeoutMs: number }> {
    const { timeoutMs } = this.#config;
    const askedAtMs = this.#clock.monotonicMs();
    const view = await this.#viewer.current(fresh);
    const leftMs = timeoutMs - Math.floor(this.#clock.monotonicMs() - askedAtMs);
    return { view, timeoutMs: Math.max(leftMs, Math.ceil(timeoutMs / 2)) };
  }

  /** Under the epoch in force; when a node does not know it after all, all nodes are asked under the one before. */
  async #answer(wanted: Wanted, tree: QueryTree, { view, watch, timeoutMs }: Run): Promise<RoundAnswer> {
    const analyser = this.#options.analyser ?? analyserNamed(view.analyser);
    const prefixes = prefixesOf(tree.nodes, analyser);
    const under = async (statistics: IndexStatistics, fallBack?: () => Promise<RoundAnswer>) => {
      const expanding = { view, statistics, clock: this.#clock, signal: wanted.signal };
      const config = { ...this.#config, timeoutMs };
      const { expansions, isWhole, leftMs } = await expandPrefixes(prefixes, { ...expanding, config });
      if (prefixes.length > 0) watch.lap('search');
      const context = { ...expanding, watch, config: { ...config, timeoutMs: leftMs } };
      const plan = (known: IndexStatistics): PlannedQuery =>
        planQuery(tree, {
          statistics: known,
          analyser,
          mode: wanted.mode,
          languages: queryLanguages(known, this.#config),
          expansions,
        });
      const { unknownTerms, drift } = { unknownTerms: this.#unknownTerms, drift: this.#drift };
      const answered = await answerQuery({ wanted, tree, context, plan, unknownTerms, drift }, fallBack);
      return isWhole ? answered : { ...answered, answer: incomplete(answered.answer) };
    };
    const { statistics, older } = view;
    return older === undefined ? under(statistics) : under(statistics, () => under(older));
  }

  /** Once more over a fresh view: a node may have swapped its generation between search and pages. */
  async #answerAgain(wanted: Wanted, tree: QueryTree, watch: Stopwatch): Promise<Answer> {
    const { view, timeoutMs } = await this.#currentView(true);
    const { answer } = await this.#answer(wanted, tree, { view, watch, timeoutMs });
    return answer;
  }

  async page(url: string): Promise<StoredPage | undefined> {
    const { nodes } = await this.#viewer.current();
    const isAsked = worthAsking(nodes);
    const asked = nodes.filter((_, index) => isAsked[index]);
    for (const name of namesOf(url)) {
      const answers = await Promise.allSettled(asked.map(({ client }) => this.#pageOf(client, name)));
      for (const answer of answers) {
        if (answer.status === 'fulfilled' && answer.value !== undefined) return answer.value;
      }
      if (answers.every(({ status }) => status === 'rejected')) {
        throw failQuery('QUERY_NO_SHARD', { reason: 'no node could look the page up' });
      }
    }
    return undefined;
  }

  async #pageOf(client: ShardClient, url: NormalUrl): Promise<StoredPage | undefined> {
    const deadline = { timeoutMs: this.#config.timeoutMs, clock: this.#clock };
    const page = await withDeadline(deadline, () => client.page(urlKey(url)));
    if (page === LATE) throw failQuery('QUERY_NO_SHARD', { reason: 'the node was late' });
    return page;
  }

  async overview(): Promise<IndexOverview> {
    const { statistics, nodes } = await this.#viewer.current();
    return {
      epoch: statistics.epoch,
      docCount: statistics.docCount,
      languages: statistics.languages,
      drift: {
        ...driftFrom(
          statistics,
          nodes.flatMap(({ status }) => status?.shards ?? []),
        ),
        frequencies: this.#drift.mean,
      },
      contributions: this.#options.contributions?.() ?? [],
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

/** A broker over the given nodes, which it closes with itself. Nothing is asked of them before the first call. */
export const createBroker = (options: BrokerOptions): Broker => new NodeBroker(options);
