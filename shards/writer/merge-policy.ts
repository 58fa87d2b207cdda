import type { SegmentTier } from '../segment/manifest.ts';

/** What the policy looks at of a segment. */
export interface SegmentSize {
  readonly id: number;
  readonly docCount: number;
  readonly liveCount: number;
  /** Length of its files. */
  readonly bytes: number;
  /** Segments of 'high' and of 'low' do not mix; 'fresh' ones go with either. */
  readonly tier?: SegmentTier | undefined;
  /** Whether its bounds are made for other weights than the writer's: they prune nothing then. */
  readonly hasOtherBounds?: boolean;
}

export interface MergeLimits {
  /** Segments of about one size that are merged into one. */
  readonly fanIn: number;
  /** Segments below this count as being of one size. */
  readonly floorBytes: number;
  /** No merge is expected to make more than this, so that a segment fits the memory of one WebAssembly instance. */
  readonly maxBytes: number;
  /** A segment with a larger share of deleted documents is written anew without them, 0..1. */
  readonly maxDeletedShare: number;
}

export const MERGE_LIMITS: MergeLimits = {
  fanIn: 8,
  floorBytes: 2 * 2 ** 20,
  // wasm32 ends at 4 GiB, which must also hold each thread's scratch memory.
  maxBytes: 2 * 2 ** 30,
  maxDeletedShare: 0.15,
};

/** What the live documents of a segment are expected to take. */
const liveBytes = ({ bytes, liveCount, docCount }: SegmentSize): number =>
  docCount === 0 ? 0 : (bytes * liveCount) / docCount;

/** 0 up to the floor, then one more for each factor of fanIn. */
const levelOf = (segment: SegmentSize, { fanIn, floorBytes }: MergeLimits): number =>
  Math.max(0, Math.ceil(Math.log(liveBytes(segment) / floorBytes) / Math.log(fanIn)));

const bySize = (a: SegmentSize, b: SegmentSize): number => liveBytes(a) - liveBytes(b) || a.id - b.id;

/** The smallest segments that together stay below the largest allowed size, at most `count`. */
const smallestThatFit = (
  segments: readonly SegmentSize[],
  count: number,
  { maxBytes }: MergeLimits,
): SegmentSize[] => {
  let sum = 0;
  return [...segments]
    .sort(bySize)
    .slice(0, count)
    .filter((segment) => {
      sum += liveBytes(segment);
      return sum <= maxBytes;
    });
};

const fullLevel = (segments: readonly SegmentSize[], limits: MergeLimits): SegmentSize[] | undefined => {
  const levels = new Map<number, SegmentSize[]>();
  for (const segment of segments) {
    const level = levelOf(segment, limits);
    levels.set(level, [...(levels.get(level) ?? []), segment]);
  }
  return [...levels.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, ofLevel]) =>
      ofLevel.length < limits.fanIn ? [] : smallestThatFit(ofLevel, limits.fanIn, limits),
    )
    .find((chosen) => chosen.length > 1);
};

/**
 * The next merge of a shard, as segment numbers; undefined when none is due. First the smallest level that has `fanIn`
 * segments (log-structured merging, IIR 4.5, with any segments of a level, since documents are put in order again by their
 * URLs), so that n segments leave at most fanIn - 1 on each of log n levels. Then the segment with the largest share of
 * deleted documents, if that is too large. Then the smallest one whose bounds are made for other weights, to have them anew.
 */
export const chooseMerge = (
  segments: readonly SegmentSize[],
  limits: MergeLimits = MERGE_LIMITS,
): readonly number[] | undefined => {
  const full = (['high', 'low'] as const)
    .map((tier) =>
      fullLevel(
        segments.filter((segment) => segment.tier === 'fresh' || (segment.tier ?? 'high') === tier),
        limits,
      ),
    )
    .find((chosen) => chosen !== undefined);
  if (full !== undefined) return full.map(({ id }) => id);
  const deletedShare = ({ docCount, liveCount }: SegmentSize): number => (docCount - liveCount) / docCount;
  const worst = segments.reduce<SegmentSize | undefined>(
    (best, segment) => (best === undefined || deletedShare(segment) > deletedShare(best) ? segment : best),
    undefined,
  );
  if (worst !== undefined && deletedShare(worst) > limits.maxDeletedShare) return [worst.id];
  const [stale] = segments.filter(({ hasOtherBounds }) => hasOtherBounds === true).sort(bySize);
  return stale && [stale.id];
};

/** The tier of a merged segment: fresh ones join the part that they are merged with. */
export const mergedTier = (tiers: readonly (SegmentTier | undefined)[]): SegmentTier =>
  tiers.map((tier) => tier ?? 'high').find((tier) => tier !== 'fresh') ?? 'fresh';
