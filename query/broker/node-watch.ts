import type { Clock, NodeStatus, ShardClient } from '../../shards/index.ts';
import { LATE, withDeadline } from './deadline.ts';

/** What the broker last knew of one node. */
export interface NodeView {
  readonly client: ShardClient;
  /** undefined while the node has never answered. */
  readonly status: NodeStatus | undefined;
  /** Why the node did not answer the last time, if it did not. */
  readonly error: string | undefined;
  /** Whether it let the time for its status pass and has not answered since: another question would wait as long. */
  readonly isSilent: boolean;
}

export interface NodeWatchOptions {
  readonly clock: Clock;
  /** Called when a silent node answers after all. */
  readonly onReturn: () => void;
}

/** What an error of any kind says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Of the nodes, by their order, which to ask: those that are not silent, or all when all of them are. */
export const worthAsking = (nodes: readonly Pick<NodeView, 'isSilent'>[]): readonly boolean[] => {
  const areAllSilent = nodes.every(({ isSilent }) => isSilent);
  return nodes.map(({ isSilent }) => areAllSilent || !isSilent);
};

/**
 * Knows how one node is. A node that hangs (stopped, swapping, behind a dead link) costs the others one wait: from then on it
 * is asked for its status without anybody waiting, until it answers.
 */
export class NodeWatch {
  readonly #options: NodeWatchOptions;
  #view: NodeView;
  /** Settles when the node has answered or failed; never rejects. */
  #asking: Promise<void> | undefined;

  constructor(client: ShardClient, options: NodeWatchOptions) {
    this.#options = options;
    this.#view = { client, status: undefined, error: undefined, isSilent: false };
  }

  /**
   * Asks for the status, unless that question is still open. Waits for the answer of a node that is not silent, at most
   * `timeoutMs`. A node that does not answer keeps what was known of it, so that its shards are missed and not forgotten.
   */
  async look(timeoutMs: number): Promise<NodeView> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const { clock } = this.#options;
    const asking = this.#asking;
    if (this.#view.isSilent) return this.#view;
    if ((await withDeadline({ clock, timeoutMs }, () => asking)) === LATE) {
      this.#view = { ...this.#view, error: `no status within ${timeoutMs} ms`, isSilent: true };
    }
    return this.#view;
  }

  async #ask(): Promise<void> {
    const { client } = this.#view;
    try {
      const status = await client.status();
      const wasSilent = this.#view.isSilent;
      this.#view = { client, status, error: undefined, isSilent: false };
      if (wasSilent) this.#options.onReturn();
    } catch (error) {
      this.#view = { ...this.#view, error: messageOf(error) };
    }
  }
}
