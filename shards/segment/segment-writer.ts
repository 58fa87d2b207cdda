import { failShards } from '../errors.ts';
import { collectBounds } from '../postings/collect-bounds.ts';
import { sectionsInMemory } from '../postings/postings-cursor.ts';
import type { PostingsEncoder } from '../postings/postings-encoder.ts';
import { PostingsWriter } from '../postings/postings-writer.ts';
import { createScorer } from '../score/bm25f.ts';
import type { WeightTable } from '../score/weights.ts';
import { createAnalyser } from '../text/analyser.ts';
import type { IndexDocument } from '../values/document.ts';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import { urlKey } from '../values/hash.ts';
import { segmentOrderKey } from '../values/url.ts';
import { codesByField, encodeFieldLengths } from './field-lengths.ts';
import { BOUNDS_FORMAT, INDEX_FORMAT, POSITIONS_FORMAT } from './formats.ts';
import { sortKeys } from './key-column.ts';
import { type SegmentEntry, segmentFile } from './manifest.ts';
import { type FileSeal, writeSectionFile } from './section-file-writer.ts';
import { packMeta } from './segment-meta.ts';
import { StoredPagesWriter } from './stored-pages-writer.ts';
import { encodeStringColumn } from './string-column.ts';
import { TermDictionary } from './term-dictionary.ts';
import { type DictionarySections, TermDictionaryWriter } from './term-dictionary-writer.ts';
import { encodeUrlOrder } from './url-order.ts';

/** Objects and strings that a document keeps until the segment is written. A guess on the safe side. */
const BYTES_PER_DOCUMENT = 640;

export interface SegmentWriterOptions {
  /** The shard's folder. */
  readonly folder: string;
  readonly id: number;
  /** Name of the analyser that cuts the text. */
  readonly analyser: string;
  /** Weight table that the bounds are made for. */
  readonly weights: WeightTable;
}

/** What is kept of a document besides its terms and its stored text. */
interface Row {
  readonly url: string;
  readonly orderKey: string;
  readonly key: bigint;
  readonly lang: string;
  readonly type: string;
  readonly fetchedAtMs: number;
  readonly staticScore: number;
}

/** Gathers documents in memory, stored text on the disk, and writes one segment out of them. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #pages: StoredPagesWriter;
  readonly #postings: PostingsWriter;
  readonly #rows: Row[] = [];

  private constructor(options: SegmentWriterOptions, pages: StoredPagesWriter) {
    this.#options = options;
    this.#pages = pages;
    this.#postings = new PostingsWriter(createAnalyser(options.analyser));
  }

  static async create(options: SegmentWriterOptions): Promise<SegmentWriter> {
    return new SegmentWriter(
      options,
      await StoredPagesWriter.create(segmentFile(options.folder, options.id, 'pages')),
    );
  }

  get memoryBytes(): number {
    return this.#postings.memoryBytes + this.#rows.length * BYTES_PER_DOCUMENT;
  }

  get docCount(): number {
    return this.#rows.length;
  }

  /** Keys of the documents so far. */
  keys(): BigUint64Array {
    return BigUint64Array.from(this.#rows, (row) => row.key);
  }

  async add(document: IndexDocument): Promise<void> {
    const { url, title, lang, type, fetchedAtMs, staticScore, storedText } = document;
    this.#postings.add(document.fields, lang);
    this.#rows.push({
      url,
      orderKey: segmentOrderKey(url),
      key: urlKey(url),
      lang,
      type,
      fetchedAtMs,
      staticScore,
    });
    await this.#pages.add({ url, title, text: storedText });
  }

  /** Drops what was gathered; the files begun are left to whoever clears the folder. */
  async abandon(): Promise<void> {
    await this.#pages.abandon();
  }

  /** Writes all files, durable, and returns the manifest's entry. Throws SHARDS_DUPLICATE_URL, SHARDS_DISK_FULL. */
  async finish(): Promise<SegmentEntry> {
    const { folder, id } = this.#options;
    const rows = this.#rows;
    const order = Uint32Array.from(rows.keys()).sort((a, b) => compare(rows[a]!.orderKey, rows[b]!.orderKey));
    const pages = await this.#pages.finish();
    const dictionary = new TermDictionaryWriter();
    const encoder = this.#postings.invert(order, (key, term) => dictionary.add(key, term));
    const lengths = encodeFieldLengths(order.length, (doc, field) =>
      this.#postings.lengthTokens(order[doc]!, field),
    );
    const parts = {
      order,
      dictionary: dictionary.finish(),
      termCount: dictionary.termCount,
      encoder,
      lengths,
    };
    const positions = { positions: encoder.positions.view() };
    return {
      id,
      docCount: order.length,
      positions: await writeSectionFile(segmentFile(folder, id, 'pos'), POSITIONS_FORMAT, positions),
      index: await this.#writeIndex(parts),
      bounds: await this.#writeBounds(parts),
      pages,
    };
  }

  async #writeIndex(parts: SegmentParts): Promise<FileSeal> {
    const { order, encoder, dictionary, lengths } = parts;
    const rows = Array.from(order, (doc) => this.#rows[doc]!);
    const languages = encodeStringColumn(rows.map((row) => row.lang));
    const types = encodeStringColumn(rows.map((row) => row.type));
    const keys = BigUint64Array.from(rows, (row) => row.key);
    const meta = packMeta({
      docCount: rows.length,
      termCount: parts.termCount,
      blockCount: encoder.lastDocs.length,
      analyser: this.#options.analyser,
      totals: lengths.totals,
      languages: languages.values,
      types: types.values,
    });
    const sections: Readonly<Record<string, ArrayBufferView>> = {
      meta,
      ...dictionary,
      docs: encoder.docs.view(),
      lastDocs: encoder.lastDocs.view(),
      docsOffsets: encoder.docsOffsets.view(),
      positionsOffsets: encoder.positionsOffsets.view(),
      shapes: Uint16Array.from(encoder.shapes.view()),
      lengthCodes: lengths.lengthCodes,
      exactLengths: lengths.exactLengths,
      keys,
      keyOrder: this.#keyOrder(keys, rows),
      staticScores: Uint32Array.from(rows, (row) => row.staticScore),
      fetchedAtMs: Float64Array.from(rows, (row) => row.fetchedAtMs),
      languages: languages.codes,
      types: types.codes,
      ...encodeUrlOrder(rows.map((row) => row.orderKey)),
      pageBlocks: Uint32Array.from(order, (doc) => this.#pages.blocks.at(doc)),
      pageOffsets: Uint32Array.from(order, (doc) => this.#pages.offsets.at(doc)),
    };
    const { folder, id } = this.#options;
    return writeSectionFile(segmentFile(folder, id, 'idx'), INDEX_FORMAT, sections);
  }

  #keyOrder(keys: BigUint64Array, rows: readonly Row[]): Uint32Array {
    const keyOrder = sortKeys(keys);
    for (let rank = 1; rank < keyOrder.length; rank += 1) {
      const doc = keyOrder[rank]!;
      if (keys[doc] === keys[keyOrder[rank - 1]!])
        throw failShards('SHARDS_DUPLICATE_URL', { url: rows[doc]!.url });
    }
    return keyOrder;
  }

  async #writeBounds({ dictionary, termCount, encoder, lengths }: SegmentParts): Promise<FileSeal> {
    const { folder, id, weights } = this.#options;
    const docCount = this.#rows.length;
    const averages = lengths.totals.map((total) => (docCount === 0 ? 0 : total / docCount));
    const scorer = createScorer({ averageLengths: byField(averages), weights });
    const sections = sectionsInMemory(encoder, codesByField(lengths.lengthCodes, docCount));
    const terms = new TermDictionary(dictionary, termCount);
    const { blocks, groups, best } = collectBounds(terms.entries(), sections, scorer);
    const meta = packMeta({ table: scorer.table, averageLengths: averages });
    const file = segmentFile(folder, id, 'bounds');
    return writeSectionFile(file, BOUNDS_FORMAT, { meta, blocks, groups, best });
  }
}

interface SegmentParts {
  /** Number of the added document that became document i. */
  readonly order: Uint32Array;
  readonly dictionary: DictionarySections;
  readonly termCount: number;
  readonly encoder: PostingsEncoder;
  readonly lengths: ReturnType<typeof encodeFieldLengths>;
}

const compare = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

const byField = (values: readonly number[]): Record<FieldName, number> =>
  Object.fromEntries(FIELD_NAMES.map((name, index) => [name, values[index] ?? 0])) as Record<
    FieldName,
    number
  >;
