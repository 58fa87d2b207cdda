/** Significant bits of a score that tell its bucket. */
const BUCKET_BITS = 7;
const STEPS = 2 ** (BUCKET_BITS - 1);
/** Buckets of all static scores, 0 .. 2^31 - 1. */
export const STATIC_BUCKETS = (31 - BUCKET_BITS + 2) * STEPS;

/** Share of the documents that the high tier should hold, and the share beyond which a second tier is not worth having. */
const HIGH_SHARE = 0.15;
const MAX_HIGH_SHARE = 0.5;

/** Bucket of a static score (0 .. 2^31 - 1): exact below 128, then seven significant bits; rises with the score. */
export const staticBucket = (score: number): number => {
  const shift = Math.max(0, 32 - Math.clz32(score) - BUCKET_BITS);
  return shift * STEPS + (score >>> shift);
};

/** Smallest score of a bucket. */
export const staticBucketFloor = (bucket: number): number => {
  if (bucket < 2 * STEPS) return bucket;
  const shift = Math.floor(bucket / STEPS) - 1;
  return (bucket - shift * STEPS) * 2 ** shift;
};

/** Documents by bucket of their static score. Adds up exactly, however the documents lie in shards. */
export class StaticScores {
  readonly counts: Uint32Array;

  /** `counts` has STATIC_BUCKETS entries. */
  constructor(counts: Uint32Array = new Uint32Array(STATIC_BUCKETS)) {
    this.counts = counts;
  }

  add(score: number): void {
    const bucket = staticBucket(score);
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }

  addAll(other: StaticScores): void {
    for (const [bucket, count] of other.counts.entries()) {
      this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
    }
  }

  get documentCount(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Static score from which on a document belongs to the high tier: the bucket border with a share of the documents
   * nearest to 15 %. 0, which puts all documents into the high tier, where no border leaves at most half of them above it.
   */
  highTierThreshold(): number {
    const total = this.documentCount;
    let threshold = 0;
    let bestDistance = Number.POSITIVE_INFINITY;
    let above = 0;
    for (let bucket = STATIC_BUCKETS - 1; bucket > 0; bucket--) {
      const count = this.counts[bucket] ?? 0;
      above += count;
      if (count === 0 || above > MAX_HIGH_SHARE * total) continue;
      const distance = Math.abs(above / total - HIGH_SHARE);
      if (distance >= bestDistance) continue;
      bestDistance = distance;
      threshold = staticBucketFloor(bucket);
    }
    return threshold;
  }
}
