import type { Clock, NormalUrl } from '../../shards/index.ts';

/** What the crawl waits for, seen from its fetch slots. */
export type WaitingFor = 'nothing' | 'politeness' | 'slow servers' | 'dns' | 'cpu' | 'disk';

/** Counts of one visit round: from its start over all interruptions to its end. */
export interface CrawlCounts {
  /** URLs whose visit ended with an answer or a failure; not robots.txt, not repeated attempts. */
  asked: number;
  /** Of them, answered 200 or 304. */
  ok: number;
  byStatus: Record<string, number>;
  duplicates: number;
  /** Failures by reason, exclusions by robots.txt included. */
  errors: Record<string, number>;
  /** Of bodies as sent. */
  bytes: number;
}

/** Counts of the whole visit round, over its interruptions. */
export interface CrawlSummary extends CrawlCounts {
  /** Hosts that answered. */
  readonly hosts: number;
  readonly knownUrls: number;
  /** URLs that still wait. */
  readonly queued: number;
  /** Of this run. */
  readonly durationMs: number;
  /** `limit`: of pages, time or disk; run again, it goes on. */
  readonly stopped: 'done' | 'limit' | 'interrupted';
}

export interface CrawlStatistics extends CrawlCounts {
  /** Of the last seconds. */
  readonly pagesPerS: number;
  readonly queued: number;
  readonly inFlight: number;
  /** Hosts that answered. */
  readonly hosts: number;
  readonly knownUrls: number;
  readonly waitingFor: WaitingFor;
  readonly elapsedMs: number;
}

/** What `onProgress` is told. Nothing is printed by the crawler itself. */
export type CrawlEvent =
  | { readonly kind: 'statistics'; readonly statistics: CrawlStatistics }
  | { readonly kind: 'page'; readonly url: NormalUrl; readonly status: number; readonly title: string }
  | { readonly kind: 'scope'; readonly seed: NormalUrl; readonly host: string }
  | { readonly kind: 'warning'; readonly code: string; readonly text: string };

export const newCounts = (): CrawlCounts => ({
  asked: 0,
  ok: 0,
  byStatus: {},
  duplicates: 0,
  errors: {},
  bytes: 0,
});

export const countUp = (counts: Record<string, number>, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

const RATE_WINDOW_MS = 5_000;

/** Pages per second over the last few seconds. */
export class RateMeter {
  readonly #clock: Clock;
  #samples: { readonly atMs: number; readonly total: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a total that only grows; returns its growth per second. */
  sample(total: number): number {
    const atMs = this.#clock.monotonicMs();
    this.#samples.push({ atMs, total });
    while ((this.#samples[1]?.atMs ?? atMs) < atMs - RATE_WINDOW_MS) this.#samples.shift();
    const [first] = this.#samples;
    if (first === undefined || first.atMs === atMs) return 0;
    return (1000 * (total - first.total)) / (atMs - first.atMs);
  }
}
