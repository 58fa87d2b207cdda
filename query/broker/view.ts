import type { Clock, EpochNumber, IndexStatistics, ShardClient } from '../../shards/index.ts';
import { failQuery } from '../errors.ts';
import { LATE, withDeadline } from './deadline.ts';
import { type NodeView, NodeWatch } from './node-watch.ts';

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
  /** For the first view; half of it for another one, so that the query which waits for it has the rest. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** The part of a query's time that a new view may take where there is an old one. */
const REFRESH_SHARE = 1 / 2;
/** A view with a node that is silent is taken anew so often at least, so that the node comes back. */
const SILENT_MAX_AGE_MS = 1000;

/** Keeps an IndexView no older than `maxAgeMs`; concurrent queries share one refresh. */
export class IndexViewer {
  readonly #options: ViewOptions;
  readonly #watches: readonly NodeWatch[];
  #view: IndexView | undefined;
  #takenAtMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<IndexView> | undefined;

  constructor(options: ViewOptions) {
    this.#options = options;
    const onReturn = (): void => {
      this.#takenAtMs = Number.NEGATIVE_INFINITY;
    };
    this.#watches = options.clients.map(
      (client) => new NodeWatch(client, { clock: options.clock, onReturn }),
    );
  }

  /** Says that a node was late: the next query looks whether it is silent, unless one is known to be. */
  suspect(): void {
    if (!this.#hasSilentNode) this.#takenAtMs = Number.NEGATIVE_INFINITY;
  }

  get #hasSilentNode(): boolean {
    return this.#view?.nodes.some(({ isSilent }) => isSilent) === true;
  }

  get #maxAgeMs(): number {
    const { maxAgeMs } = this.#options;
    return this.#hasSilentNode ? Math.min(maxAgeMs, SILENT_MAX_AGE_MS) : maxAgeMs;
  }

  get #timeoutMs(): number {
    const { timeoutMs } = this.#options;
    return this.#view === undefined ? timeoutMs : Math.max(1, Math.floor(timeoutMs * REFRESH_SHARE));
  }

  /** A view of at most `maxAgeMs`, or a fresh one. Throws QUERY_NO_SHARD when no node has ever answered. */
  async current(fresh = false): Promise<IndexView> {
    const ageMs = this.#options.clock.monotonicMs() - this.#takenAtMs;
    if (!fresh && this.#view !== undefined && ageMs <= this.#maxAgeMs) return this.#view;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<IndexView> {
    const timeoutMs = this.#timeoutMs;
    const nodes = await Promise.all(this.#watches.map((watch) => watch.look(timeoutMs)));
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

  /** An epoch is the same on every node: it is asked for once, of the first node that gives it. */
  async #statisticsOf(
    epoch: EpochNumber | undefined,
    nodes: readonly NodeView[],
  ): Promise<IndexStatistics | undefined> {
    if (epoch === undefined) return undefined;
    const known = [this.#view?.statistics, this.#view?.older].find((each) => each?.epoch === epoch);
    if (known !== undefined) return known;
    const { clock } = this.#options;
    const timeoutMs = this.#timeoutMs;
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
