import { setImmediate } from 'node:timers/promises';
import type { Scorer } from '../score/scorer.ts';
import type { WeightTable } from '../score/weights.ts';
import type { UrlKey } from '../values/ids.ts';
import { type SegmentEntry, segmentFile } from './manifest.ts';
import { mergeColumns, mergeDocuments } from './merge-documents.ts';
import { mergePages } from './merge-pages.ts';
import { mergeTerms } from './merge-terms.ts';
import { type ListSink, rankKeys, writeSegmentFiles } from './segment-files.ts';
import type { MergeInput } from './segment-reader.ts';
import { StoredPagesWriter } from './stored-pages-writer.ts';

export interface MergeOptions {
  /** Folder and number of the new segment. */
  readonly folder: string;
  readonly id: number;
  /** Weight table that the bounds are made for. */
  readonly weights: WeightTable;
  /** Which live documents are taken; all when left out. */
  readonly keeps?: (key: UrlKey) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * Writes the live documents of open segments as one new segment, durable, and returns its entry for a manifest: the segment
 * that SegmentWriter would make of the same documents, but for the order of stored pages. It may have no document. The
 * sources must stay open; all must have one analyser. Runs in slices of some milliseconds between which the event loop goes on (but for columns, in milliseconds a
 * thousand documents: a large merge belongs into a thread), and stops with
 * the signal's reason. Files begun are left to whoever clears the folder when it throws: the signal's reason,
 * SHARDS_DUPLICATE_URL when two live documents have one URL, SHARDS_DISK_FULL, the damage error of a stored page.
 */
export const mergeSegments = async (
  sources: readonly MergeInput[],
  { folder, id, weights, keeps = () => true, signal }: MergeOptions,
): Promise<SegmentEntry> => {
  const analyser = commonAnalyser(sources);
  const pause = async (): Promise<void> => {
    await setImmediate();
    signal?.throwIfAborted();
  };
  await pause();
  const documents = await mergeDocuments(sources, keeps, pause);
  const writer = await StoredPagesWriter.create(segmentFile(folder, id, 'pages'));
  try {
    const places = await mergePages(sources, documents, writer);
    const columns = mergeColumns(sources, documents, places);
    const { sourceIndexes, sourceDocs } = documents;
    const keyOrder = rankKeys(
      columns.keys,
      (doc) => sources[sourceIndexes[doc]!]!.stored(sourceDocs[doc]!).url,
    );
    const pages = await writer.finish();
    const { lengthCodes } = columns.lengths;
    const encode = (sink: ListSink, scorer: Scorer) =>
      mergeTerms(sources, documents.targets, { sink, scorer, lengthCodes, pause });
    const files = await writeSegmentFiles({ folder, id, analyser, weights }, columns, keyOrder, encode);
    return { ...files, pages };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
};

const commonAnalyser = (sources: readonly MergeInput[]): string => {
  const analysers = new Set(sources.map(({ analyser }) => analyser));
  const [analyser] = analysers;
  if (analyser === undefined || analysers.size > 1) {
    throw new RangeError(
      `segments of one analyser can be merged, not of ${[...analysers].join(' and ') || 'none'}`,
    );
  }
  return analyser;
};
