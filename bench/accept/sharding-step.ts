import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedPath } from '../paths.ts';
import { ensureCrawled } from './crawl-step.ts';
import { claimShardingsAgree } from './shardings.ts';
import type { StepContext } from './verdicts.ts';

/** The crawled pages in one shard and in eight. */
export const shardingStep = async (context: StepContext): Promise<void> => {
  const crawled = await ensureCrawled(context);
  const data = join(context.workFolder, 'sharding');
  await rm(data, { recursive: true, force: true });
  await cp(crawled, data, { recursive: true });
  const queriesFile = sharedPath('queries', 'trec-terabyte-2005-efficiency-sample.txt');
  await claimShardingsAgree(context, { data, shardCounts: [1, 8], queriesFile });
};
