import { measureFolder } from '../../indexer/index.ts';
import type { CrawlContext } from './crawl-context.ts';
import { type CrawlStatistics, RateMeter, type WaitingFor } from './statistics.ts';

const INTERVAL_MS = 1_000;
/** Measuring a folder reads its directory: less often. */
const DISK_EVERY = 5;

export interface WatchOptions {
  readonly context: CrawlContext;
  readonly dispatcher: { readonly waitingFor: WaitingFor };
  /** Fetches under way. */
  readonly load: () => number;
  readonly dataFolder: string;
  readonly knownUrls: () => number;
  readonly onLimit: () => void;
}

/** Housekeeping (IIR 20.2): statistics every second, and the limits of time and disk. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #stop = new AbortController();
  readonly #startedAtMs: number;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#startedAtMs = options.context.clock.monotonicMs();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Until `stop`; sends the last figures then. */
  async run(): Promise<void> {
    const { context, onLimit } = this.#options;
    const rate = new RateMeter(context.clock);
    for (let tick = 0; !this.#stop.signal.aborted; tick += 1) {
      const statistics = this.#statistics(rate);
      context.emit({ kind: 'statistics', statistics });
      // For `quarry status` in another process; goes with the next commit.
      context.store.putMeta('statistics', statistics);
      context.committer.note();
      if (this.#isOverTime() || (tick % DISK_EVERY === 0 && (await this.#isOverDisk()))) onLimit();
      await context.clock.sleep(INTERVAL_MS, this.#stop.signal).catch(() => undefined);
    }
    context.emit({ kind: 'statistics', statistics: this.#statistics(rate) });
  }

  get #elapsedMs(): number {
    return this.#options.context.clock.monotonicMs() - this.#startedAtMs;
  }

  #isOverTime(): boolean {
    const { maxTimeS } = this.#options.context.config;
    return maxTimeS > 0 && this.#elapsedMs >= 1000 * maxTimeS;
  }

  async #isOverDisk(): Promise<boolean> {
    const { context, dataFolder } = this.#options;
    const { maxDiskBytes } = context.config;
    return maxDiskBytes > 0 && (await measureFolder(dataFolder)).diskBytes >= maxDiskBytes;
  }

  #statistics(rate: RateMeter): CrawlStatistics {
    const { context, dispatcher, load, knownUrls } = this.#options;
    const { counts, frontier } = context;
    return {
      ...counts,
      byStatus: { ...counts.byStatus },
      errors: { ...counts.errors },
      pagesPerS: rate.sample(counts.ok),
      queued: frontier.size,
      inFlight: load(),
      hosts: frontier.answeredHostCount,
      knownUrls: knownUrls(),
      waitingFor: dispatcher.waitingFor,
      elapsedMs: this.#elapsedMs,
    };
  }
}
