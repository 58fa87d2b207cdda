import type { WeightTable } from '../score/weights.ts';
import type { SegmentEntry } from '../segment/manifest.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { type MergeInput, openMergeInput } from '../segment/segment-reader.ts';
import type { UrlKey } from '../values/ids.ts';
import { mergedTier } from './merge-policy.ts';

/** All that a merge needs; plain data, so that a thread can be given it. */
export interface MergeJob {
  /** The shard's folder. */
  readonly folder: string;
  /** Number of the segment to make. */
  readonly id: number;
  readonly inputs: readonly SegmentEntry[];
  readonly weights: WeightTable;
  /** With tiers: documents with a static score below `belowScore` go into a segment of their own. */
  readonly low?: { readonly id: number; readonly belowScore: number };
}

/** What a thread that runs a merge says when it has ended its work. */
export type MergeOutcome =
  | { readonly kind: 'merged'; readonly entries: readonly SegmentEntry[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** Keys of the live documents from that static score on. */
const keysFrom = (segments: readonly MergeInput[], score: number): Set<UrlKey> => {
  const keys = new Set<UrlKey>();
  for (const segment of segments) {
    for (let doc = 0; doc < segment.docCount; doc += 1) {
      if (segment.staticScore(doc) >= score && segment.deletes?.has(doc) !== true) keys.add(segment.key(doc));
    }
  }
  return keys;
};

const mergeByTier = async (
  open: readonly MergeInput[],
  { folder, id, weights, low }: MergeJob & { readonly low: NonNullable<MergeJob['low']> },
): Promise<SegmentEntry[]> => {
  const high = keysFrom(open, low.belowScore);
  const liveCount = open.reduce((sum, segment) => sum + segment.liveCount, 0);
  const entries: SegmentEntry[] = [];
  if (high.size > 0) {
    entries.push(await mergeSegments(open, { folder, id, weights, keeps: (key) => high.has(key) }));
  }
  if (high.size < liveCount) {
    const keeps = (key: UrlKey): boolean => !high.has(key);
    entries.push({ ...(await mergeSegments(open, { folder, id: low.id, weights, keeps })), tier: 'low' });
  }
  return entries;
};

/**
 * Writes the live documents of the inputs as one segment, or as one for each tier, durable; none when there are no
 * documents. Here documents change their tier, when their static score or the threshold has moved.
 */
export const runMergeJob = async (job: MergeJob): Promise<readonly SegmentEntry[]> => {
  const { folder, id, inputs, weights, low } = job;
  const open: MergeInput[] = [];
  try {
    for (const entry of inputs) open.push(openMergeInput(folder, entry));
    if (open.every(({ liveCount }) => liveCount === 0)) return [];
    if (low !== undefined) return await mergeByTier(open, { ...job, low });
    const entry = await mergeSegments(open, { folder, id, weights });
    return [{ ...entry, tier: mergedTier(inputs.map(({ tier }) => tier)) }];
  } finally {
    for (const segment of open) segment.close();
  }
};
