import type { Clock, IndexStatistics, NodeStatus, ShardClient } from '../../shards/index.ts';
import { failQuery } from '../errors.ts';
import { LATE, withDeadline } from './deadline.ts';

/** What the broker last knew of one node. */
export interface NodeView {
  readonly client: ShardClient;
  /** undefined while the node has never answered. */
  readonly status: NodeStatus | undefined;
  /** Why the node did not answer the last time, if it did not. */
  readonly error: string | undefined;
}

/** What the broker knows of the index: the newest epoch's statistics and who holds what. */
export interface IndexView {
  readonly statistics: IndexStatistics;
  readonly nodes: readonly NodeView[];
  /** Name of the analyser of the first node that has ever answered; a generation is cut by one, everywhere. */
  readonly analyser: string;
  /** Names the state of all nodes; part of every cache key. */
  readonly version: string;
}

interface NodeReport {
  readonly node: NodeView;
  readonly statistics: IndexStatistics | undefined;
}

export interface ViewOptions {
  readonly clients: readonly ShardClient[];
  readonly maxAgeMs: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** What an error of any kind says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Keeps an IndexView no older than `maxAgeMs`; concurrent queries share one refresh. */
export class IndexViewer {
  readonly #options: ViewOptions;
  #view: IndexView | undefined;
  #takenAtMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<IndexView> | undefined;

  constructor(options: ViewOptions) {
    this.#options = options;
  }

  /** A view of at most `maxAgeMs`, or a fresh one. Throws QUERY_NO_SHARD when no node has ever answered. */
  async current(fresh = false): Promise<IndexView> {
    const ageMs = this.#options.clock.monotonicMs() - this.#takenAtMs;
    if (!fresh && this.#view !== undefined && ageMs <= this.#options.maxAgeMs) return this.#view;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<IndexView> {
    const reports = await Promise.all(this.#options.clients.map((client, index) => this.#ask(client, index)));
    const nodes = reports.map(({ node }) => node);
    const statistics = newestStatistics(reports) ?? this.#view?.statistics;
    if (statistics === undefined) {
      const reason = nodes.find(({ error }) => error !== undefined)?.error ?? 'there is no node';
      throw failQuery('QUERY_NO_SHARD', { reason });
    }
    const version = nodes
      .map(({ status, error }) => (error === undefined ? `${status?.generation}.${status?.epoch}` : 'down'))
      .join(' ');
    const analyser = nodes.find(({ status }) => status !== undefined)?.status?.analyser ?? 'default';
    this.#view = { statistics, nodes, analyser, version };
    this.#takenAtMs = this.#options.clock.monotonicMs();
    return this.#view;
  }

  /** A node that does not answer keeps what was known of it, so that its shards are missed and not forgotten. */
  async #ask(client: ShardClient, index: number): Promise<NodeReport> {
    const { clock, timeoutMs } = this.#options;
    try {
      const answer = await withDeadline({ clock, timeoutMs }, () =>
        Promise.all([client.status(), client.statistics()]),
      );
      if (answer === LATE) throw new Error(`no status within ${timeoutMs} ms`);
      const [status, statistics] = answer;
      return { node: { client, status, error: undefined }, statistics };
    } catch (error) {
      const known = this.#view?.nodes[index]?.status;
      return { node: { client, status: known, error: messageOf(error) }, statistics: undefined };
    }
  }
}

const newestStatistics = (reports: readonly NodeReport[]): IndexStatistics | undefined => {
  let newest: IndexStatistics | undefined;
  for (const { statistics } of reports) {
    if (statistics !== undefined && (newest === undefined || statistics.epoch > newest.epoch)) {
      newest = statistics;
    }
  }
  return newest;
};
