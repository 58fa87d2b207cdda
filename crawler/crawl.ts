import { dirname } from 'node:path';
import { isDiskFull, systemClock } from '../shards/index.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { CrawlRun } from './crawl-run.ts';
import { systemResolver } from './dns/system-resolver.ts';
import { fail } from './errors.ts';
import { CrawlStore } from './frontier/store.ts';
import { urlFingerprint } from './frontier/store-keys.ts';
import { createParsePool } from './parse/pool.ts';
import { parseSeeds, type Seed } from './seeds.ts';
import type { CrawlSummary } from './stages/statistics.ts';

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
  let undo: ((restore: boolean) => void) | undefined;
  let isVain = false;
  try {
    undo = isNew ? undefined : await guardAgainst(seeds, options.folder);
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
      isVain = run.isVain;
      if (isNew && isVain) CrawlStore.discard(options.folder);
    }
  } catch (error) {
    throw asCrawlError(error, options.folder);
  } finally {
    undo?.(isVain);
    if (options.parser === undefined) await parser.close();
  }
};

/**
 * A seed that no crawl of this folder has fetched yet may be a mistake: then the store is kept as it is now, to be
 * brought back should no seed work.
 */
const guardAgainst = async (
  seeds: readonly Seed[],
  folder: string,
): Promise<((restore: boolean) => void) | undefined> => {
  const store = CrawlStore.open(folder, { readOnly: true });
  const isKnown = ({ candidates }: Seed): boolean =>
    candidates.some((url) => (store.url(urlFingerprint(url))?.fetchedAtMs ?? 0) > 0);
  const allKnown = seeds.every(isKnown);
  await store.close();
  return allKnown ? undefined : CrawlStore.setAside(folder);
};

const asCrawlError = (error: unknown, folder: string): Error =>
  isDiskFull(error) ? fail('CRAWL_DISK_FULL', { folder }, error) : (error as Error);
