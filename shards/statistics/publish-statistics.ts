import { openGeneration } from '../segment/generation.ts';
import type { EpochNumber } from '../values/ids.ts';
import { collectShardStatistics } from './count-segment.ts';
import { writeEpoch } from './epochs.ts';
import { sumStatistics } from './shard-statistics.ts';

export interface PublishOptions {
  /** The data folder's `shards`. */
  readonly shardsFolder: string;
  /** The data folder's `stats`; made when missing. */
  readonly statsFolder: string;
}

/**
 * Counts the generation in force and publishes the next epoch. Shard by shard, so that memory holds one shard's counts
 * beside the sum. Throws what openGeneration throws, and SHARDS_DISK_FULL.
 */
export const publishStatistics = async ({
  shardsFolder,
  statsFolder,
}: PublishOptions): Promise<EpochNumber> => {
  const generation = await openGeneration(shardsFolder);
  try {
    return await writeEpoch(statsFolder, sumStatistics(generation.shards.map(collectShardStatistics)));
  } finally {
    generation.close();
  }
};
