import type { Segment } from '../segment/segment.ts';
import type { Clock } from '../values/clock.ts';
import { formatKey, hash64 } from '../values/hash.ts';
import type { Contribution } from './contribution-file.ts';
import { countSegment } from './count-segment.ts';
import { gently } from './gently.ts';
import { type ShardStatistics, sumStatistics } from './shard-statistics.ts';

/** A segment that tells its content by a name. */
export interface NamedSegment extends Segment {
  readonly contentName: string;
}

/** Names what a shard consists of: the order of its segments does not matter. */
export const contributionVersion = (segments: readonly NamedSegment[]): string =>
  formatKey(
    hash64(
      segments
        .map(({ contentName }) => contentName)
        .sort()
        .join(' '),
    ),
  );

/**
 * Counts shards in the background. What a segment adds is remembered under its content's name for as long as the shard
 * has it, so that a shard with a new small segment is counted again in the time of that segment.
 */
export class ContributionCounter {
  readonly #clock: Clock;
  readonly #bySegment = new Map<number, ReadonlyMap<string, ShardStatistics>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Segments must stay open until this settles. */
  async count(shard: number, segments: readonly NamedSegment[], signal?: AbortSignal): Promise<Contribution> {
    const known = this.#bySegment.get(shard);
    const counted = new Map<string, ShardStatistics>();
    for (const segment of segments) {
      const { contentName } = segment;
      counted.set(
        contentName,
        known?.get(contentName) ?? (await gently(countSegment(segment), this.#clock, signal)),
      );
    }
    this.#bySegment.set(shard, counted);
    return {
      shard,
      version: contributionVersion(segments),
      countedAtMs: Math.floor(this.#clock.nowMs()),
      statistics: sumStatistics([...counted.values()]),
    };
  }
}
