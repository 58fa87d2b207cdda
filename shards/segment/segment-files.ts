import { failShards } from '../errors.ts';
import type { EncodedLists } from '../postings/inversion.ts';
import { createScorer } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import type { WeightTable } from '../score/weights.ts';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import type { EncodedFieldLengths } from './field-lengths.ts';
import { BOUNDS_FORMAT, INDEX_FORMAT, POSITIONS_FORMAT } from './formats.ts';
import { sortKeys } from './key-column.ts';
import { type SegmentEntry, segmentFile } from './manifest.ts';
import { SectionFileWriter, writeSectionFile } from './section-file-writer.ts';
import { MAX_SEGMENT_BYTES } from './segment-memory.ts';
import { packMeta } from './segment-meta.ts';
import type { EncodedStringColumn } from './string-column.ts';
import type { UrlOrderSections } from './url-order.ts';

export interface SegmentFilesOptions {
  /** The shard's folder. */
  readonly folder: string;
  readonly id: number;
  /** Name of the analyser that cut the text. */
  readonly analyser: string;
  /** Weight table that the bounds are made for. */
  readonly weights: WeightTable;
}

/** What a segment knows of its documents besides their terms, in the order of their order keys. */
export interface DocumentColumns {
  readonly keys: BigUint64Array;
  readonly staticScores: Uint32Array;
  readonly fetchedAtMs: Float64Array;
  readonly languages: EncodedStringColumn;
  readonly types: EncodedStringColumn;
  readonly urls: UrlOrderSections;
  readonly lengths: EncodedFieldLengths;
  readonly pageBlocks: Uint32Array;
  readonly pageOffsets: Uint32Array;
}

/** Where the bytes of two sections go as they are made. */
export interface ListSink {
  docs(bytes: Uint8Array): Promise<void>;
  positions(bytes: Uint8Array): Promise<void>;
}

/** Codes a segment's lists for the order of the columns; `scorer` has the averages of the bounds. */
export type EncodeLists = (sink: ListSink, scorer: Scorer) => Promise<EncodedLists>;

/**
 * Ranks of the keys. Throws SHARDS_DUPLICATE_URL with the URL that `urlOf` gives of a document whose key another one has too.
 */
export const rankKeys = (keys: BigUint64Array, urlOf: (doc: number) => string): Uint32Array => {
  const keyOrder = sortKeys(keys);
  for (let rank = 1; rank < keyOrder.length; rank += 1) {
    const doc = keyOrder[rank]!;
    if (keys[doc] === keys[keyOrder[rank - 1]!])
      throw failShards('SHARDS_DUPLICATE_URL', { url: urlOf(doc) });
  }
  return keyOrder;
};

/**
 * Writes `.idx`, `.pos` and `.bounds`, durable; lists go to the disk while they are coded. Closes the files also when it
 * fails. Throws SHARDS_DISK_FULL, SHARDS_SEGMENT_TOO_LARGE.
 */
export const writeSegmentFiles = async (
  options: SegmentFilesOptions,
  columns: DocumentColumns,
  keyOrder: Uint32Array,
  encodeLists: EncodeLists,
): Promise<Omit<SegmentEntry, 'pages'>> => {
  const { folder, id, weights } = options;
  const docCount = keyOrder.length;
  const averages = columns.lengths.totals.map((total) => (docCount === 0 ? 0 : total / docCount));
  const scorer = createScorer({ averageLengths: byField(averages), weights });
  const index = await SectionFileWriter.create(segmentFile(folder, id, 'idx'), INDEX_FORMAT);
  const positions = await SectionFileWriter.create(segmentFile(folder, id, 'pos'), POSITIONS_FORMAT);
  try {
    await index.startSection('docs');
    await positions.startSection('positions');
    const lists = await encodeLists(
      { docs: (bytes) => index.write(bytes), positions: (bytes) => positions.write(bytes) },
      scorer,
    );
    index.endSection();
    positions.endSection();
    const sections = indexSections(options, columns, keyOrder, lists);
    for (const [name, content] of Object.entries(sections)) await index.section(name, content);
    const { blocks, groups, best } = lists.bounds;
    const meta = packMeta({ table: scorer.table, averageLengths: averages });
    const entry = {
      id,
      docCount,
      positions: await positions.finish(),
      index: await index.finish(),
      bounds: await writeSectionFile(segmentFile(folder, id, 'bounds'), BOUNDS_FORMAT, {
        meta,
        blocks,
        groups,
        best,
      }),
    };
    refuseTooLarge(folder, entry);
    return entry;
  } catch (error) {
    await index.abandon();
    await positions.abandon();
    throw error;
  }
};

/** A segment that no one could open must not get into a manifest. */
export const refuseTooLarge = (folder: string, entry: Omit<SegmentEntry, 'pages'>): void => {
  const bytes = entry.index.bytes + entry.positions.bytes + (entry.bounds?.bytes ?? 0);
  if (bytes <= MAX_SEGMENT_BYTES) return;
  const file = segmentFile(folder, entry.id, 'idx');
  throw failShards('SHARDS_SEGMENT_TOO_LARGE', { file, bytes, maxBytes: MAX_SEGMENT_BYTES });
};

const indexSections = (
  { analyser }: SegmentFilesOptions,
  columns: DocumentColumns,
  keyOrder: Uint32Array,
  lists: EncodedLists,
): Readonly<Record<string, ArrayBufferView>> => {
  const { keys, languages, types, lengths, urls } = columns;
  const meta = packMeta({
    docCount: keys.length,
    termCount: lists.termCount,
    blockCount: lists.lastDocs.length,
    analyser,
    totals: lengths.totals,
    languages: languages.values,
    types: types.values,
    biwordCount: lists.biwordCount,
    commonWords: lists.commonWords,
  });
  return {
    meta,
    ...lists.dictionary,
    lastDocs: lists.lastDocs,
    docsOffsets: lists.docsOffsets,
    positionsOffsets: lists.positionsOffsets,
    shapes: lists.shapes,
    lengthCodes: lengths.lengthCodes,
    exactLengths: lengths.exactLengths,
    keys,
    keyOrder,
    staticScores: columns.staticScores,
    fetchedAtMs: columns.fetchedAtMs,
    languages: languages.codes,
    types: types.codes,
    ...urls,
    pageBlocks: columns.pageBlocks,
    pageOffsets: columns.pageOffsets,
  };
};

const byField = (values: readonly number[]): Record<FieldName, number> =>
  Object.fromEntries(FIELD_NAMES.map((name, index) => [name, values[index] ?? 0])) as Record<
    FieldName,
    number
  >;
