import { failShards } from '../errors.ts';
import { collectBounds } from '../postings/collect-bounds.ts';
import { sectionsInMemory } from '../postings/postings-cursor.ts';
import type { PostingsEncoder } from '../postings/postings-encoder.ts';
import { createScorer } from '../score/bm25f.ts';
import type { WeightTable } from '../score/weights.ts';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import { codesByField, type EncodedFieldLengths } from './field-lengths.ts';
import { BOUNDS_FORMAT, INDEX_FORMAT, POSITIONS_FORMAT } from './formats.ts';
import { sortKeys } from './key-column.ts';
import { type SegmentEntry, segmentFile } from './manifest.ts';
import { type FileSeal, writeSectionFile } from './section-file-writer.ts';
import { packMeta } from './segment-meta.ts';
import type { EncodedStringColumn } from './string-column.ts';
import { TermDictionary } from './term-dictionary.ts';
import type { TermDictionaryWriter } from './term-dictionary-writer.ts';
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

/** Columns, and the terms that were coded for the same order of documents. */
export interface SegmentContent {
  readonly columns: DocumentColumns;
  readonly dictionary: TermDictionaryWriter;
  readonly encoder: PostingsEncoder;
}

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

/** Writes `.idx`, `.pos` and `.bounds`, durable. Throws SHARDS_DISK_FULL. */
export const writeSegmentFiles = async (
  options: SegmentFilesOptions,
  content: SegmentContent,
  keyOrder: Uint32Array,
): Promise<Omit<SegmentEntry, 'pages'>> => {
  const { folder, id } = options;
  const positions = { positions: content.encoder.positions.view() };
  return {
    id,
    docCount: keyOrder.length,
    positions: await writeSectionFile(segmentFile(folder, id, 'pos'), POSITIONS_FORMAT, positions),
    index: await writeIndex(options, content, keyOrder),
    bounds: await writeBounds(options, content),
  };
};

const writeIndex = (
  { folder, id, analyser }: SegmentFilesOptions,
  { columns, dictionary, encoder }: SegmentContent,
  keyOrder: Uint32Array,
): Promise<FileSeal> => {
  const { keys, languages, types, lengths, urls } = columns;
  const meta = packMeta({
    docCount: keys.length,
    termCount: dictionary.termCount,
    blockCount: encoder.lastDocs.length,
    analyser,
    totals: lengths.totals,
    languages: languages.values,
    types: types.values,
  });
  return writeSectionFile(segmentFile(folder, id, 'idx'), INDEX_FORMAT, {
    meta,
    ...dictionary.finish(),
    docs: encoder.docs.view(),
    lastDocs: encoder.lastDocs.view(),
    docsOffsets: encoder.docsOffsets.view(),
    positionsOffsets: encoder.positionsOffsets.view(),
    shapes: Uint16Array.from(encoder.shapes.view()),
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
  });
};

const writeBounds = (
  { folder, id, weights }: SegmentFilesOptions,
  { columns, dictionary, encoder }: SegmentContent,
): Promise<FileSeal> => {
  const { lengths, keys } = columns;
  const averages = lengths.totals.map((total) => (keys.length === 0 ? 0 : total / keys.length));
  const scorer = createScorer({ averageLengths: byField(averages), weights });
  const sections = sectionsInMemory(encoder, codesByField(lengths.lengthCodes, keys.length));
  const terms = new TermDictionary(dictionary.finish(), dictionary.termCount);
  const { blocks, groups, best } = collectBounds(terms.entries(), sections, scorer);
  const meta = packMeta({ table: scorer.table, averageLengths: averages });
  return writeSectionFile(segmentFile(folder, id, 'bounds'), BOUNDS_FORMAT, { meta, blocks, groups, best });
};

const byField = (values: readonly number[]): Record<FieldName, number> =>
  Object.fromEntries(FIELD_NAMES.map((name, index) => [name, values[index] ?? 0])) as Record<
    FieldName,
    number
  >;
