import type { Turn } from '../frontier/frontier.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { Notifier } from './notifier.ts';
import { LONGEST_WAIT_MS } from './settle.ts';
import type { Stage } from './stage.ts';
import type { WaitingFor } from './statistics.ts';

/** The loop looks again at least this often: clocks, limits and statistics. */
const LONGEST_SLEEP_MS = 1_000;

export interface DispatcherOptions {
  readonly context: CrawlContext;
  readonly visits: Stage<Turn>;
  readonly pages: { readonly load: number; readonly isFull: boolean };
  readonly wake: Notifier;
  /** Whether to take no more turns: a limit is reached, the user stops, a stage has failed. */
  readonly isStopping: () => boolean;
  readonly onPageLimit: () => void;
}

/** Gives turns to the fetch slots as hosts come due, until nothing is left or the crawl stops. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  #waitingFor: WaitingFor = 'nothing';

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  get waitingFor(): WaitingFor {
    return this.#waitingFor;
  }

  async run(): Promise<void> {
    const { context, visits, pages, isStopping } = this.#options;
    const { clock, frontier, committer } = context;
    while (!isStopping()) {
      if (this.#isAtPageLimit) {
        this.#options.onPageLimit();
        return;
      }
      if (visits.isFull || pages.isFull || this.#mayReachPageLimit) {
        this.#waitingFor = pages.isFull ? 'cpu' : 'slow servers';
        await this.#sleep(LONGEST_SLEEP_MS);
        continue;
      }
      const turn = frontier.take(clock.monotonicMs());
      if (turn !== undefined) {
        await visits.push(turn);
        continue;
      }
      if (frontier.isAwaitingCommit) committer.hurry();
      if (frontier.size === 0 && visits.load === 0 && pages.load === 0) return;
      await this.#idle();
    }
  }

  get #isAtPageLimit(): boolean {
    const { counts, config } = this.#options.context;
    return config.maxPages > 0 && counts.ok >= config.maxPages;
  }

  /** With what is under way the limit may be reached: more could overshoot it. */
  get #mayReachPageLimit(): boolean {
    const { context, visits, pages } = this.#options;
    const { maxPages } = context.config;
    return maxPages > 0 && context.counts.ok + visits.load + pages.load >= maxPages;
  }

  /** Nothing is due: says why and sleeps until something may be. */
  async #idle(): Promise<void> {
    const { context, visits } = this.#options;
    const { frontier, clock } = context;
    const dueMs = frontier.nextDueMs();
    const waitMs = dueMs === undefined ? LONGEST_SLEEP_MS : dueMs - clock.monotonicMs();
    if (frontier.isAwaitingCommit) this.#waitingFor = 'disk';
    else if (dueMs !== undefined) this.#waitingFor = 'politeness';
    else if (frontier.resolvingCount > visits.load) this.#waitingFor = 'dns';
    else this.#waitingFor = visits.load > 0 ? 'slow servers' : 'nothing';
    const { first } = frontier;
    if (waitMs > LONGEST_WAIT_MS && first !== undefined && visits.load === 0) {
      frontier.giveUp(first, 'busy');
      return;
    }
    await this.#sleep(Math.min(waitMs, LONGEST_SLEEP_MS));
  }

  async #sleep(delayMs: number): Promise<void> {
    await this.#options.wake.wait(Math.max(1, delayMs));
  }
}
