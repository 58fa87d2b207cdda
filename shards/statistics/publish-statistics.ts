import { openGeneration } from '../segment/generation.ts';
import { type Clock, systemClock } from '../values/clock.ts';
import type { EpochNumber } from '../values/ids.ts';
import { contributionVersion } from './contribution-counter.ts';
import { encodeContribution } from './contribution-file.ts';
import { dropContribution, keepContribution, listContributions } from './contributions.ts';
import { collectShardStatistics } from './count-segment.ts';
import { writeEpoch } from './epochs.ts';
import { type ShardStatistics, sumStatistics } from './shard-statistics.ts';

export interface PublishOptions {
  /** The data folder's `shards`. */
  readonly shardsFolder: string;
  /** The data folder's `stats`; made when missing. */
  readonly statsFolder: string;
  readonly clock?: Clock;
}

/**
 * Counts the generation in force and publishes the next epoch. What each shard adds is kept beside it, so that a server
 * that opens the index finds it counted. Throws what openGeneration throws, and SHARDS_DISK_FULL.
 */
export const publishStatistics = async ({
  shardsFolder,
  statsFolder,
  clock = systemClock,
}: PublishOptions): Promise<EpochNumber> => {
  const generation = await openGeneration(shardsFolder);
  try {
    const counted: ShardStatistics[] = [];
    for (const [shard, segments] of generation.shards.entries()) {
      const statistics = collectShardStatistics(segments);
      counted.push(statistics);
      const version = contributionVersion(segments);
      const contribution = { shard, version, countedAtMs: Math.floor(clock.nowMs()), statistics };
      await keepContribution(statsFolder, shard, encodeContribution(contribution));
    }
    for (const shard of await listContributions(statsFolder)) {
      if (shard >= counted.length) await dropContribution(statsFolder, shard);
    }
    return await writeEpoch(statsFolder, sumStatistics(counted));
  } finally {
    generation.close();
  }
};
