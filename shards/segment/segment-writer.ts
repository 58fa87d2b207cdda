import type { EncodedLists } from '../postings/inversion.ts';
import { type IndexedText, PostingsWriter } from '../postings/postings-writer.ts';
import type { Scorer } from '../score/scorer.ts';
import { SharedTermStream } from '../text/shared-term-stream.ts';
import type { IndexDocument } from '../values/document.ts';
import { urlKey } from '../values/hash.ts';
import { segmentOrderKey, urlOfOrderKey } from '../values/url.ts';
import { encodeFieldLengths } from './field-lengths.ts';
import { type SegmentEntry, segmentFile } from './manifest.ts';
import { encodeNumberColumn } from './number-column.ts';
import {
  type DocumentColumns,
  type ListSink,
  rankKeys,
  type SegmentFilesOptions,
  writeSegmentFiles,
} from './segment-files.ts';
import { type PagePlace, pagePlaces, StoredPagesWriter } from './stored-pages-writer.ts';
import { encodeStringColumn } from './string-column.ts';
import { UrlOrderWriter } from './url-order.ts';

/** Objects and strings that a document keeps until the segment is written. A guess on the safe side. */
const BYTES_PER_DOCUMENT = 640;

export interface SegmentWriterOptions extends SegmentFilesOptions {
  /** False: titles and texts are not kept, so that hits have neither title nor passage. True when left out. */
  readonly storesPages?: boolean;
  /** Cuts the texts of all segments that are filled beside each other, by the same analyser; one of its own when left out. */
  readonly terms?: SharedTermStream;
  /** Words that are common in the shard to which the segment belongs, so that a merge keeps their biwords; none when left out. */
  readonly commonWords?: ReadonlySet<string>;
}

const NO_WORDS: ReadonlySet<string> = new Set();

/** A document whose texts may be UTF-8 bytes. */
export interface SegmentDocument extends Omit<IndexDocument, 'fields'> {
  readonly fields: readonly IndexedText[];
}

/** What is kept of a document besides its terms and its stored text. */
interface Row {
  readonly orderKey: string;
  readonly key: bigint;
  readonly lang: string;
  readonly type: string;
  readonly fetchedAtMs: number;
  readonly staticScore: number;
  /** undefined in a segment without stored pages. */
  readonly page: PagePlace | undefined;
}

/** Gathers documents in memory, stored text on the disk, and writes one segment out of them. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #pages: StoredPagesWriter;
  readonly #storesPages: boolean;
  readonly #postings: PostingsWriter;
  readonly #terms: SharedTermStream;
  #isOpen = true;
  readonly #rows: Row[] = [];

  private constructor(options: SegmentWriterOptions, pages: StoredPagesWriter) {
    this.#options = options;
    this.#pages = pages;
    this.#storesPages = options.storesPages ?? true;
    this.#terms = options.terms ?? new SharedTermStream(options.analyser);
    this.#postings = new PostingsWriter(this.#terms.open());
  }

  static async create(options: SegmentWriterOptions): Promise<SegmentWriter> {
    return new SegmentWriter(
      options,
      await StoredPagesWriter.create(segmentFile(options.folder, options.id, 'pages')),
    );
  }

  /** Without the shared stream. */
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

  async add(document: SegmentDocument): Promise<void> {
    const { url, title, lang, type, fetchedAtMs, staticScore, storedText } = document;
    this.#postings.add(document.fields, lang);
    const orderKey = segmentOrderKey(url);
    const page = this.#storesPages ? await this.#pages.add({ url, title, text: storedText }) : undefined;
    this.#rows.push({ orderKey, key: urlKey(url), lang, type, fetchedAtMs, staticScore, page });
  }

  /** Drops what was gathered; the files begun are left to whoever clears the folder. */
  async abandon(): Promise<void> {
    this.#closeStream();
    await this.#pages.abandon();
  }

  #closeStream(): void {
    if (this.#isOpen) this.#terms.close();
    this.#isOpen = false;
  }

  /** Writes all files, durable, and returns the manifest's entry. Throws SHARDS_DUPLICATE_URL, SHARDS_DISK_FULL. */
  async finish(): Promise<SegmentEntry> {
    const rows = this.#rows;
    const order = Uint32Array.from(rows.keys()).sort((a, b) => compare(rows[a]!.orderKey, rows[b]!.orderKey));
    const pages = await this.#pages.finish();
    const columns = this.#columns(order);
    const keyOrder = rankKeys(columns.keys, (doc) => urlOfOrderKey(rows[order[doc]!]!.orderKey));
    const { lengthCodes } = columns.lengths;
    const encode = (sink: ListSink, scorer: Scorer) =>
      this.#encodeLists({ order, lengthCodes }, sink, scorer);
    const files = await writeSegmentFiles(this.#options, columns, keyOrder, encode);
    this.#closeStream();
    return { ...files, pages };
  }

  async #encodeLists(
    input: { readonly order: Uint32Array; readonly lengthCodes: Uint8Array },
    sink: ListSink,
    { tables }: Scorer,
  ): Promise<EncodedLists> {
    if (tables === undefined) throw new RangeError('bounds are made by a scorer that kernels have');
    const { commonWords = NO_WORDS } = this.#options;
    const inversion = this.#postings.invert({ ...input, scorer: tables, commonWords });
    for (;;) {
      const step = inversion.next();
      if (step.done) return step.value;
      await sink.docs(step.value.docs);
      await sink.positions(step.value.positions);
    }
  }

  #columns(order: Uint32Array): DocumentColumns {
    const rows = Array.from(order, (doc) => this.#rows[doc]!);
    const urls = new UrlOrderWriter();
    for (const { orderKey } of rows) urls.add(orderKey);
    return {
      keys: BigUint64Array.from(rows, (row) => row.key),
      staticScores: Uint32Array.from(rows, (row) => row.staticScore),
      fetchedAtMs: encodeNumberColumn(rows.map((row) => row.fetchedAtMs)),
      languages: encodeStringColumn(rows.map((row) => row.lang)),
      types: encodeStringColumn(rows.map((row) => row.type)),
      urls: urls.finish(),
      lengths: encodeFieldLengths(order.length, (doc, field) =>
        this.#postings.lengthTokens(order[doc]!, field),
      ),
      ...pagePlaces(rows.flatMap(({ page }) => page ?? [])),
    };
  }
}

const compare = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
