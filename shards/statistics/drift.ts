import type { FieldName } from '../values/fields.ts';
import { averageLengthsOf, eachField } from './shard-statistics.ts';
import type { IndexStatistics } from './statistics.ts';

/** What a shard tells of itself without being counted. */
export interface ShardFigures {
  readonly docCount: number;
  readonly totalLengths: Readonly<Record<FieldName, number>>;
}

/** How far the shards have moved from an epoch: (now - then) / then, 0 for not at all. */
export interface Drift {
  readonly documents: number;
  /** Of the average length of each field. */
  readonly averageLengths: Readonly<Record<FieldName, number>>;
}

/** Relative change; all of it when there was nothing before. */
export const relativeChange = (then: number, now: number): number => {
  if (then === now) return 0;
  return then === 0 ? 1 : (now - then) / then;
};

/** Drift of the shards given, which should be all, from an epoch. */
export const driftFrom = (
  { docCount, averageLengths }: Pick<IndexStatistics, 'docCount' | 'averageLengths'>,
  shards: readonly ShardFigures[],
): Drift => {
  const now = {
    docCount: shards.reduce((sum, shard) => sum + shard.docCount, 0),
    totalLengths: eachField((field) => shards.reduce((sum, shard) => sum + shard.totalLengths[field], 0)),
  };
  const averagesNow = averageLengthsOf(now);
  return {
    documents: relativeChange(docCount, now.docCount),
    averageLengths: eachField((field) => relativeChange(averageLengths[field], averagesNow[field])),
  };
};
