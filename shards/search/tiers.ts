import type { Segment } from '../segment/segment.ts';
import type { SegmentQuery } from './segment-query.ts';
import { staticBounds } from './static-bounds.ts';

/**
 * Which tiers of a shard are asked. `guaranteed`: all, but the low tier not where its best possible score cannot enter
 * the answer, which is the answer of `all`. `upper` leaves the low tier out, `low` asks it alone: the two rounds of the
 * textbook's rule (IIR 7.2.1), which goes on to the low tier only when the high one has too few matches.
 */
export type TierChoice = 'guaranteed' | 'all' | 'upper' | 'low';

/** A segment with its place in the shard's list. */
export interface PlacedSegment {
  readonly segment: Segment;
  readonly index: number;
}

/** The best documents first, so that the threshold which they set may spare the rest. */
const TIER_ORDER = { high: 0, fresh: 1, low: 2 } as const;

const isAsked = ({ tier }: Segment, choice: TierChoice): boolean => {
  if (choice === 'upper') return tier !== 'low';
  return choice !== 'low' || tier === 'low';
};

/** The segments that are asked, in the order in which to ask them: high, fresh, low. */
export const segmentsToAsk = (segments: readonly Segment[], choice: TierChoice): PlacedSegment[] =>
  segments
    .map((segment, index) => ({ segment, index }))
    .filter(({ segment }) => isAsked(segment, choice))
    .sort((a, b) => TIER_ORDER[a.segment.tier] - TIER_ORDER[b.segment.tier]);

/** Most that any document of the segment can score: the words' largest parts and the largest static score. */
export const scoreBound = ({ required, optional, segment }: SegmentQuery): number =>
  [...required, ...optional].reduce((sum, { maxScore }) => sum + maxScore, staticBounds(segment).max);
