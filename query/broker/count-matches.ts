import { COUNT_LIMIT, type ShardAnswer } from '../../shards/index.ts';

/** How many documents match; `gte`: at least so many. */
export type Total = ShardAnswer['total'];

/**
 * Matches of all shards, less the copies of pages that the merge left out. Exact up to COUNT_LIMIT and then that, as one shard
 * counts, so that the answer does not depend on how documents are spread over shards.
 */
export const countMatches = (totals: readonly Total[], duplicateCount: number): Total => {
  const sum = totals.reduce((all, { value }) => all + value, 0) - duplicateCount;
  // The copies lie in different shards: no shard's own count holds any.
  const value = Math.max(sum, ...totals.map((total) => total.value), 0);
  if (value > COUNT_LIMIT) return { value: COUNT_LIMIT, relation: 'gte' };
  return { value, relation: totals.every(({ relation }) => relation === 'eq') ? 'eq' : 'gte' };
};
