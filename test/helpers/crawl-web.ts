import {
  type CrawlEvent,
  type CrawlOptions,
  type CrawlSummary,
  crawl,
  crawlConfig,
  createParsePool,
  type ParsePool,
  readUrlRecords,
  type UrlRecord,
} from '../../crawler/index.ts';
import { MemoryPageLog } from './memory-page-log.ts';
import type { TestWeb } from './web.ts';

let pool: ParsePool | undefined;

/** One parse thread for all crawls of a test file; `closeParsers` ends it. */
const parsers = (): ParsePool => {
  pool ??= createParsePool({ size: 1 });
  return pool;
};

export const closeParsers = async (): Promise<void> => {
  await pool?.close();
  pool = undefined;
};

export interface CrawledWeb {
  readonly summary: CrawlSummary;
  readonly pages: MemoryPageLog;
  readonly events: readonly CrawlEvent[];
  /** URL records by URL without scheme, host and port where they are those of the first host. */
  readonly records: ReadonlyMap<string, Readonly<UrlRecord>>;
}

/** Crawls a test web without waiting between requests, unless the settings say otherwise. */
export const crawlWeb = async (
  web: TestWeb,
  folder: string,
  settings: Readonly<Record<string, unknown>>,
  options: Partial<CrawlOptions> = {},
): Promise<CrawledWeb> => {
  const pages = options.pages ?? new MemoryPageLog();
  const events: CrawlEvent[] = [];
  const summary = await crawl({
    config: crawlConfig.parse({ delayMs: 0, politeness: 0, ...settings }),
    folder,
    resolver: web.resolver,
    parser: { parse: (input) => parsers().parse(input), close: () => Promise.resolve() },
    onProgress: (event) => events.push(event),
    ...options,
    pages,
  });
  const records = new Map<string, Readonly<UrlRecord>>();
  for await (const record of readUrlRecords(folder)) records.set(record.url, record);
  return { summary, pages: pages as MemoryPageLog, events, records };
};
