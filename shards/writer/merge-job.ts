import type { WeightTable } from '../score/weights.ts';
import type { SegmentEntry } from '../segment/manifest.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { type OpenSegment, openSegment } from '../segment/segment-reader.ts';
import { mergedTier } from './merge-policy.ts';

/** All that a merge needs; plain data, so that a thread can be given it. */
export interface MergeJob {
  /** The shard's folder. */
  readonly folder: string;
  /** Number of the segment to make. */
  readonly id: number;
  readonly inputs: readonly SegmentEntry[];
  readonly weights: WeightTable;
}

/** What a thread that runs a merge says when it has ended its work. */
export type MergeOutcome =
  | { readonly kind: 'merged'; readonly entry: SegmentEntry | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

/** Writes the live documents of the inputs as one segment, durable; undefined when there are none. */
export const runMergeJob = async (job: MergeJob): Promise<SegmentEntry | undefined> => {
  const { folder, id, inputs, weights } = job;
  const open: OpenSegment[] = [];
  try {
    for (const entry of inputs) open.push(openSegment(folder, entry));
    if (open.every(({ liveCount }) => liveCount === 0)) return undefined;
    const entry = await mergeSegments(open, { folder, id, weights });
    return { ...entry, tier: mergedTier(inputs.map(({ tier }) => tier)) };
  } finally {
    for (const segment of open) segment.close();
  }
};
