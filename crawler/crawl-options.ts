import type { PageSink } from '../indexer/index.ts';
import type { Clock } from '../shards/index.ts';
import type { CrawlConfig } from './config.ts';
import type { HostResolver } from './dns/resolver.ts';
import type { PageParser } from './stages/crawl-context.ts';
import type { CrawlEvent } from './stages/statistics.ts';

/** What a crawl is given: settings, places, and what it takes from outside (time, chance, names, parser). */
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
