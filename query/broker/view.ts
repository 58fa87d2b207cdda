import type { Clock, EpochNumber, IndexStatistics, NodeStatus, ShardClient } from '../../shards/index.ts';
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

/**
 * What the broker knows of the index: who holds what, and the statistics in force: those of the newest epoch that all nodes
 * which answer have been given.
 */
export interface IndexView {
  readonly statistics: IndexStatistics;
  /** The epoch before, for when a node does not know the newest one after all; undefined when none is kept. */
  readonly older: IndexStatistics | undefined;
  readonly nodes: readonly NodeView[];
  /** Name of the analyser of the first node that has ever answered; a generation is cut by one, everywhere. */
  readonly analyser: string;
  /** Names the state of all nodes; part of every cache key. */
  readonly version: string;
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
    const nodes = await Promise.all(this.#options.clients.map((client, index) => this.#ask(client, index)));
    const epochs = epochsOf(nodes);
    const statistics = (await this.#statisticsOf(epochs.inForce, nodes)) ?? this.#view?.statistics;
    if (statistics === undefined) {
      const reason = nodes.find(({ error }) => error !== undefined)?.error ?? 'no node has statistics';
      throw failQuery('QUERY_NO_SHARD', { reason });
    }
    const older = await this.#statisticsOf(epochs.older, nodes);
    const version = nodes
      .map(({ status, error }) =>
        error === undefined ? `${status?.generation}.${status?.commit}.${status?.epoch}` : 'down',
      )
      .join(' ');
    const analyser = nodes.find(({ status }) => status !== undefined)?.status?.analyser ?? 'default';
    this.#view = { statistics, older, nodes, analyser, version };
    this.#takenAtMs = this.#options.clock.monotonicMs();
    return this.#view;
  }

  /** A node that does not answer keeps what was known of it, so that its shards are missed and not forgotten. */
  async #ask(client: ShardClient, index: number): Promise<NodeView> {
    const { clock, timeoutMs } = this.#options;
    try {
      const status = await withDeadline({ clock, timeoutMs }, () => client.status());
      if (status === LATE) throw new Error(`no status within ${timeoutMs} ms`);
      return { client, status, error: undefined };
    } catch (error) {
      return { client, status: this.#view?.nodes[index]?.status, error: messageOf(error) };
    }
  }

  /** An epoch is the same on every node: it is asked for once, of the first node that gives it. */
  async #statisticsOf(
    epoch: EpochNumber | undefined,
    nodes: readonly NodeView[],
  ): Promise<IndexStatistics | undefined> {
    if (epoch === undefined) return undefined;
    const known = [this.#view?.statistics, this.#view?.older].find((each) => each?.epoch === epoch);
    if (known !== undefined) return known;
    const { clock, timeoutMs } = this.#options;
    for (const { client, status, error } of nodes) {
      if (error !== undefined || status?.epochs.includes(epoch) !== true) continue;
      const answer = await withDeadline({ clock, timeoutMs }, () => client.statistics(epoch)).catch(
        () => LATE,
      );
      if (typeof answer === 'object') return answer;
    }
    return undefined;
  }
}

/**
 * Of the epochs that nodes which answer keep: the newest one that all of them have, or the newest of all when they have
 * none in common; and the next one below it.
 */
const epochsOf = (nodes: readonly NodeView[]): { inForce?: EpochNumber; older?: EpochNumber } => {
  const kept = nodes.flatMap(({ status, error }) =>
    error === undefined && status !== undefined ? [status.epochs] : [],
  );
  const known = [...new Set(kept.flat())].sort((a, b) => b - a);
  const inForce = known.find((epoch) => kept.every((epochs) => epochs.includes(epoch))) ?? known[0];
  const older = known.find((epoch) => inForce !== undefined && epoch < inForce);
  return { ...(inForce === undefined ? {} : { inForce }), ...(older === undefined ? {} : { older }) };
};
