import type { PageSink } from '../../indexer/index.ts';
import type { Clock } from '../../shards/index.ts';
import type { CrawlConfig } from '../config.ts';
import type { ContentSeen } from '../content-seen/content-seen.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { PageScorer } from '../focus/page-scorer.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { CrawlStore } from '../frontier/store.ts';
import type { ParsedPage, ParseInput } from '../parse/parsed-page.ts';
import type { RobotsCache } from '../robots/cache.ts';
import type { Seeds } from '../seeds.ts';
import type { Committer } from './committer.ts';
import type { LinkIntake } from './link-intake.ts';
import type { CrawlCounts, CrawlEvent } from './statistics.ts';

/** Threads that parse, or a stand-in. */
export interface PageParser {
  parse(input: ParseInput): Promise<ParsedPage>;
  close(): Promise<void>;
}

/** What the stages of one crawl share. Each is made by `crawl` and closed by it. */
export interface CrawlContext {
  readonly config: CrawlConfig;
  readonly clock: Clock;
  readonly random: () => number;
  readonly store: CrawlStore;
  readonly frontier: Frontier;
  readonly fetcher: Fetcher;
  readonly robots: RobotsCache;
  readonly parser: PageParser;
  readonly content: ContentSeen;
  readonly pages: PageSink;
  readonly committer: Committer;
  readonly intake: LinkIntake;
  readonly seeds: Seeds;
  readonly scorer: PageScorer | undefined;
  /** Product token of our agent, for robots rules. */
  readonly robotsAgent: string;
  readonly counts: CrawlCounts;
  /** Number of this process run and of this visit round. */
  readonly epoch: number;
  readonly round: number;
  /** Ends fetches at once. */
  readonly stopSignal: AbortSignal;
  readonly emit: (event: CrawlEvent) => void;
}
