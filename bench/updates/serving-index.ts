import { join } from 'node:path';
import {
  type Broker,
  createBroker,
  parseQuery,
  plainWords,
  planQuery,
  queryConfig,
  queryLanguages,
} from '../../query/index.ts';
import {
  type Analyser,
  createAnalyser,
  type LocalNode,
  openNode,
  StatisticsRefresher,
} from '../../shards/index.ts';

const K = 10;
const BUDGET_MS = 60_000;

/** A data folder served as `quarry serve` does: one searching thread, statistics kept fresh, commits followed. */
export class ServingIndex implements AsyncDisposable {
  readonly #node: LocalNode;
  readonly #analyser: Analyser;
  readonly #broker: Broker;
  readonly #refresher: StatisticsRefresher;

  private constructor(node: LocalNode, analyser: Analyser, statsFolder: string) {
    this.#node = node;
    this.#analyser = analyser;
    this.#broker = createBroker({ nodes: [node] });
    const intervalMs = queryConfig.parse().statisticsIntervalMs;
    this.#refresher = new StatisticsRefresher({ nodes: [node], statsFolder, intervalMs });
    this.#refresher.start();
  }

  static async open(data: string): Promise<ServingIndex> {
    const folders = { shardsFolder: join(data, 'shards'), statsFolder: join(data, 'stats') };
    const node = await openNode({ ...folders, workers: 1 });
    return new ServingIndex(node, createAnalyser((await node.status()).analyser), folders.statsFolder);
  }

  /** Plans a query and has the best ten found: all of an answer but the pages' texts, which updates do not touch. */
  async query(text: string): Promise<void> {
    const statistics = await this.#node.statistics();
    const languages = queryLanguages(statistics, queryConfig.parse());
    const context = { statistics, analyser: this.#analyser, languages, mode: 'auto' as const };
    const { plan } = planQuery(parseQuery(plainWords(text)), context);
    if (plan === undefined) return;
    const { shards } = await this.#node.search({ plan, k: K, evaluation: 'pruned', budgetMs: BUDGET_MS });
    const broken = shards.find(({ status }) => status !== 'ok');
    if (broken !== undefined)
      throw new Error(`shard ${broken.shard} ${broken.status}: ${broken.error ?? ''}`);
  }

  /** How many documents a user is told of that hold the word. */
  async countOf(word: string): Promise<number> {
    return (await this.#broker.search({ q: word, snippet: false })).total.value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#refresher.close();
    await this.#broker.close();
  }
}
