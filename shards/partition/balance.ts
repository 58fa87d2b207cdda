import type { SlotMap } from './partitioner.ts';

/** Slots of each shard. */
export const slotCounts = (slots: SlotMap, shardCount: number): number[] => {
  const counts = Array.from({ length: shardCount }, () => 0);
  for (const shard of slots) counts[shard] = (counts[shard] ?? 0) + 1;
  return counts;
};

/** How much more the largest has than the mean, 1 or above; 1 where there is nothing. */
export const maxOverMean = (values: readonly number[]): number => {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum === 0 ? 1 : (Math.max(...values) * values.length) / sum;
};
