import { dirname } from 'node:path';
import type { PageSink } from '../indexer/index.ts';
import { type Clock, isDiskFull, systemClock } from '../shards/index.ts';
import type { CrawlConfig } from './config.ts';
import { CrawlRun } from './crawl-run.ts';
import { type HostResolver, systemResolver } from './dns/resolver.ts';
import { fail } from './errors.ts';
import { CrawlStore } from './frontier/store.ts';
import { createParsePool } from './parse/pool.ts';
import { parseSeeds } from './seeds.ts';
import type { PageParser } from './stages/crawl-context.ts';
import type { CrawlCounts, CrawlEvent } from './stages/statistics.ts';

export interface CrawlOptions {
  /** From `crawlConfig.parse`. */
  readonly config: CrawlConfig;
  /** Folder of the crawl store, made when missing (`crawl/` of a data folder). */
  readonly folder: string;
  /** Where pages go; the caller closes it. */
  readonly pages: PageSink;
  /** Folder whose size `maxDiskBytes` limits; default the parent of `folder`. */
  readonly dataFolder?: string;
  readonly clock?: Clock;
  /** From 0 up to 1, for the draw of front queues and the jitter of waits. */
  readonly random?: () => number;
  readonly resolver?: HostResolver;
  readonly parser?: PageParser;
  readonly onProgress?: (event: CrawlEvent) => void;
  /** Aborted: stops, saves everything; the next `crawl` goes on from there. */
  readonly signal?: AbortSignal;
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

/**
 * Crawls from the seeds into the page log. A crawl that was interrupted goes on where it stopped; one that was finished
 * visits what is due (with `fresh`, everything) by conditional requests.
 *
 * Errors: CRAWL_NO_SEEDS and CRAWL_SEED_… when no seed works, CRAWL_STORE_…, CRAWL_STAGE_FAILED, CRAWL_DISK_FULL,
 * CRAWL_SCORER_INVALID, CRAWL_BAD_PATTERN. A single seed that does not work is a warning to `onProgress`.
 */
export const crawl = async (options: CrawlOptions): Promise<CrawlSummary> => {
  const seeds = parseSeeds(options.config.seeds);
  const isNew = !CrawlStore.exists(options.folder);
  const { config, clock = systemClock } = options;
  const parser = options.parser ?? createParsePool({ size: config.parseWorkers, clock });
  try {
    const run = await CrawlRun.open(
      {
        random: Math.random,
        dataFolder: dirname(options.folder),
        onProgress: () => undefined,
        resolver: options.resolver ?? systemResolver(config.dns, clock),
        ...options,
        clock,
        parser,
      },
      seeds,
    );
    try {
      return await run.run();
    } finally {
      await run.close();
      if (isNew && run.isVain) CrawlStore.discard(options.folder);
    }
  } catch (error) {
    throw asCrawlError(error, options.folder);
  } finally {
    if (options.parser === undefined) await parser.close();
  }
};

const asCrawlError = (error: unknown, folder: string): Error =>
  isDiskFull(error) ? fail('CRAWL_DISK_FULL', { folder }, error) : (error as Error);
