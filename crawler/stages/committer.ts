import type { PageSink } from '../../indexer/index.ts';
import type { Clock } from '../../shards/index.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { CrawlStore } from '../frontier/store.ts';

/** A commit follows at the latest this long after an outcome, or after this many of them. */
const COMMIT_DELAY_MS = 500;
const COMMIT_OUTCOMES = 256;
const COMMIT_WRITES = 8_192;

export interface CommitterOptions {
  readonly store: CrawlStore;
  readonly frontier: Frontier;
  readonly pages: PageSink;
  readonly clock: Clock;
  /** What else must be in the transaction (counters). */
  readonly beforeSeal: () => void;
  readonly onFailure: (stage: string, error: unknown) => void;
}

/**
 * Group commit. First the page log is synced, then one transaction takes what was settled before that: acknowledgements, URL
 * records, new links, host rows. So a process that dies leaves a page that is in the log but not acknowledged, never the
 * other way round; it is fetched again and its newer record holds.
 */
export class Committer {
  readonly #options: CommitterOptions;
  #outcomes = 0;
  #hasTimer = false;
  #isClosed = false;
  #running: Promise<void> | undefined;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /** An outcome was settled, or links were added. */
  note(): void {
    this.#outcomes += 1;
    const { store } = this.#options;
    if (this.#outcomes >= COMMIT_OUTCOMES || store.writeCount >= COMMIT_WRITES) this.hurry();
    else this.#startTimer();
  }

  /** Commits soon: somebody waits for it. */
  hurry(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#commit()
      .catch((error: unknown) => this.#options.onFailure('commit', error))
      .finally(() => {
        this.#running = undefined;
        if (this.#outcomes > 0) this.#startTimer();
      });
  }

  /** Commits all that was settled until now. */
  async flush(): Promise<void> {
    await this.#running;
    await this.#commit();
  }

  /** No commit begins by itself any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  #startTimer(): void {
    if (this.#hasTimer || this.#running !== undefined) return;
    this.#hasTimer = true;
    void this.#options.clock.sleep(COMMIT_DELAY_MS).then(() => {
      this.#hasTimer = false;
      if (this.#outcomes > 0 && !this.#isClosed) this.hurry();
    });
  }

  async #commit(): Promise<void> {
    const { store, frontier, pages, beforeSeal } = this.#options;
    this.#outcomes = 0;
    beforeSeal();
    const acked = frontier.beginCommit();
    await store.commit(() => pages.sync());
    frontier.endCommit(acked);
  }
}
