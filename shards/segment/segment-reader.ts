import { endianness } from 'node:os';
import { formatCrc } from '../bytes/file-envelope.ts';
import { failShards } from '../errors.ts';
import { biwordKey } from '../postings/biwords.ts';
import { SegmentBounds, type StoredBounds } from '../postings/bounds.ts';
import { fieldIndex } from '../postings/field-slots.ts';
import type { PositionsCursor } from '../postings/posting-cursor.ts';
import { type PostingSections, PostingsCursor } from '../postings/postings-cursor.ts';
import { type SectionBytes, wholeSection } from '../postings/section-bytes.ts';
import type { Scorer } from '../score/scorer.ts';
import type { SiteFilter } from '../search/query-plan.ts';
import type { FieldName } from '../values/fields.ts';
import { trustNormalUrl, type UrlKey } from '../values/ids.ts';
import type { StoredPage } from '../values/stored-page.ts';
import { urlOfOrderKey } from '../values/url.ts';
import { RoaringBitmap32 } from './bitmap.ts';
import { readDeletes } from './deletes.ts';
import { type EncodedFieldLengths, FieldLengths } from './field-lengths.ts';
import { INDEX_FORMAT, POSITIONS_FORMAT } from './formats.ts';
import { KeyColumn } from './key-column.ts';
import { bytesOfSegment, type SegmentEntry, type SegmentTier, segmentFile } from './manifest.ts';
import { numberAt } from './number-column.ts';
import { type LoadedFiles, type LoadedSections, loadSectionFile, SectionFile } from './section-file.ts';
import { SectionWindow } from './section-window.ts';
import type { KernelMemory, Segment } from './segment.ts';
import { checkIndex, filesInMemory, loadFiles, writeHeader } from './segment-memory.ts';
import { readBoundsMeta, readSegmentMeta, type SegmentMeta } from './segment-meta.ts';
import { StoredPages } from './stored-pages.ts';
import { StringColumn } from './string-column.ts';
import { TermDictionary } from './term-dictionary.ts';
import { UrlOrder } from './url-order.ts';

/** A segment's memory and names, ready for postMessage: threads that attach it share the memory. */
export interface SharedSegment {
  readonly folder: string;
  readonly entry: SegmentEntry;
  /** Shared: files, and scratch for each thread. */
  readonly memory: WebAssembly.Memory;
  /** Portable Roaring format, verified; copied, not shared, for there are few. */
  readonly deletes: Uint8Array | undefined;
}

/** Parts of a segment as they are stored; of every document, deleted or not. */
export interface SegmentContents {
  readonly dictionary: TermDictionary;
  readonly commonWords: ReadonlySet<string>;
  readonly postings: PostingSections;
  /** For one reader of whole lists. */
  readonly positions: () => SectionBytes;
  readonly urls: UrlOrder;
  /** Exact, and their sums with deleted documents. */
  readonly lengths: Pick<EncodedFieldLengths, 'exactLengths' | 'totals'>;
  readonly staticScores: Uint32Array;
  readonly fetchedAtMs: Float64Array;
  readonly languages: StringColumn;
  readonly types: StringColumn;
  readonly pageBlocks: Uint32Array;
  readonly pageOffsets: Uint32Array;
}

/** A file that a segment keeps in memory, or on the disk where it is read once. */
type OpenedFiles = Omit<LoadedFiles, 'positions'> & { readonly positions: LoadedSections | SectionFile };

/** A segment with its files open. Close it when no cursor and no query uses it any more. */
export class OpenSegment implements Segment {
  readonly id: number;
  readonly docCount: number;
  readonly liveCount: number;
  readonly deletes: RoaringBitmap32 | undefined;
  readonly analyser: string;
  readonly termCount: number;
  /** Names files and deletes by their checksums: segments of equal content have equal names, also after a restart. */
  readonly contentName: string;
  readonly bytes: number;
  readonly tier: SegmentTier;
  readonly kernelMemory: KernelMemory;

  readonly #shared: SharedSegment;
  readonly #damage: (found: string, expected: string) => Error;
  readonly #dictionary: TermDictionary;
  readonly #commonWords: ReadonlySet<string>;
  readonly #postings: PostingSections;
  readonly #positions: LoadedSections | SectionFile;
  readonly #storedBounds: StoredBounds | undefined;
  readonly #keys: KeyColumn;
  readonly #staticScores: Uint32Array;
  readonly #fetchedAtMs: Float64Array;
  readonly #languages: StringColumn;
  readonly #types: StringColumn;
  readonly #lengths: FieldLengths;
  readonly #exactLengths: SegmentContents['lengths'];
  readonly #urls: UrlOrder;
  #pages: StoredPages | undefined;
  readonly #pageBlocks: Uint32Array;
  readonly #pageOffsets: Uint32Array;
  #bounds: { readonly scorer: Scorer; readonly of: SegmentBounds } | undefined;
  #languageCounts: ReadonlyMap<string, number> | undefined;
  #holderCount = 1;

  /** Takes verified files; see openSegment and attachSegment. */
  constructor(shared: SharedSegment, files: OpenedFiles) {
    const { entry } = shared;
    const { index } = files;
    const meta = readSegmentMeta(index);
    this.#shared = shared;
    this.kernelMemory = {
      memory: shared.memory,
      boundsUnder: (scorer) => this.#boundsUnder(scorer),
      damage: (cause) =>
        index.damage(`content that is impossible (${String(cause)})`, 'postings of this segment'),
    };
    this.#damage = (found, expected) => index.damage(found, expected);
    this.id = entry.id;
    this.docCount = meta.docCount;
    this.deletes = shared.deletes && RoaringBitmap32.deserialize(shared.deletes, 'portable');
    this.liveCount = meta.docCount - (this.deletes?.size ?? 0);
    this.analyser = meta.analyser;
    this.termCount = meta.termCount - meta.biwordCount;
    this.#commonWords = new Set(meta.commonWords);
    this.tier = entry.tier ?? 'high';
    this.contentName = contentNameOf(entry);
    this.bytes = bytesOfSegment(entry);
    this.#dictionary = dictionaryOf(index, meta);
    this.#exactLengths = { exactLengths: index.bytes('exactLengths'), totals: meta.totals };
    this.#lengths = new FieldLengths(
      { lengthCodes: index.bytes('lengthCodes'), ...this.#exactLengths },
      meta.docCount,
      meta.totals,
      this.deletes,
    );
    this.#positions = files.positions;
    this.#postings = postingsOf(files, this.#lengths.codes);
    this.#storedBounds = files.bounds && boundsOf(files.bounds);
    this.#keys = new KeyColumn(index.u32('keys'), index.u32('keyOrder'));
    this.#staticScores = index.u32('staticScores');
    this.#fetchedAtMs = index.f64('fetchedAtMs');
    this.#languages = new StringColumn(meta.languages, index.bytes('languages'));
    this.#types = new StringColumn(meta.types, index.bytes('types'));
    this.#urls = new UrlOrder({
      urls: index.bytes('urls'),
      urlBlocks: index.u32('urlBlocks'),
      authorities: index.u32('authorities'),
    });
    this.#pageBlocks = index.u32('pageBlocks');
    this.#pageOffsets = index.u32('pageOffsets');
  }

  /** All that the segment holds, for a merge. */
  contents(): SegmentContents {
    return {
      dictionary: this.#dictionary,
      commonWords: this.#commonWords,
      postings: this.#postings,
      positions: () =>
        this.#positions instanceof SectionFile
          ? new SectionWindow(this.#positions, 'positions')
          : wholeSection(this.#postings.positions),
      urls: this.#urls,
      lengths: this.#exactLengths,
      staticScores: this.#staticScores,
      fetchedAtMs: this.#fetchedAtMs,
      languages: this.#languages,
      types: this.#types,
      pageBlocks: this.#pageBlocks,
      pageOffsets: this.#pageOffsets,
    };
  }

  /** Opens the stored pages if they are not open yet. Throws ENOENT when a writer has removed the segment. */
  openPages(): StoredPages {
    const { folder, entry } = this.#shared;
    this.#pages ??= new StoredPages(segmentFile(folder, entry.id, 'pages'), entry.pages);
    return this.#pages;
  }

  documentFrequency(term: string): number {
    return this.#dictionary.find(term)?.docCount ?? 0;
  }

  cursor(term: string, scorer: Scorer): PositionsCursor | undefined {
    const found = this.#dictionary.find(term);
    if (found === undefined) return undefined;
    const bounds = this.#boundsUnder(scorer).of(found.firstBlock, found.docCount);
    return new PostingsCursor(this.#postings, found, scorer, bounds);
  }

  biword(first: string, second: string): Uint8Array | undefined {
    const common = this.#commonWords;
    return common.has(first) && common.has(second) ? biwordKey(first, second) : undefined;
  }

  /** The stored bounds as they hold under that scorer. */
  #boundsUnder(scorer: Scorer): SegmentBounds {
    if (this.#bounds?.scorer !== scorer) {
      this.#bounds = { scorer, of: new SegmentBounds(this.#storedBounds, scorer) };
    }
    return this.#bounds.of;
  }

  *terms(): Generator<{ readonly term: string; readonly docCount: number }> {
    for (const { text, docCount } of this.#dictionary.entries()) yield { term: text, docCount };
  }

  /** At most `count` of its terms, evenly over the dictionary. */
  sampleTerms(count: number): string[] {
    return [...this.#dictionary.sample(count)];
  }

  /** Its terms that begin so, in rising order of their UTF-8 bytes. */
  termsFrom(prefix: string): Iterable<string> {
    return this.#dictionary.withPrefix(prefix);
  }

  hashedTerms(): Generator<{ readonly hash: bigint; readonly docCount: number }> {
    return this.#dictionary.hashes();
  }

  /** Every document of an answer is asked for its key: none gets out that the segment does not have. */
  key(doc: number): UrlKey {
    if (doc >= this.docCount) throw this.#damage(`document ${doc}`, `one below ${this.docCount}`);
    return this.#keys.key(doc);
  }

  find(key: UrlKey): number {
    return this.#keys.find(key);
  }

  staticScore(doc: number): number {
    return this.#staticScores[doc]!;
  }

  lengthCodes(field: FieldName): Uint8Array {
    return this.#lengths.codes[fieldIndex(field)]!;
  }

  totalLength(field: FieldName): number {
    return this.#lengths.totals[fieldIndex(field)]!;
  }

  languageCounts(): ReadonlyMap<string, number> {
    this.#languageCounts ??= this.#countLanguages();
    return this.#languageCounts;
  }

  #countLanguages(): ReadonlyMap<string, number> {
    const { values } = this.#languages;
    const counts = new Uint32Array(values.length);
    for (let doc = 0; doc < this.docCount; doc += 1) {
      if (!this.deletes?.has(doc)) counts[this.#languages.code(doc)]! += 1;
    }
    return new Map(
      values.map((lang, code) => [lang, counts[code]!] as const).filter(([, count]) => count > 0),
    );
  }

  site(filter: SiteFilter): RoaringBitmap32 {
    return this.#urls.site(filter);
  }

  stored(doc: number): StoredPage {
    return {
      ...this.#storedText(doc),
      lang: this.#languages.value(doc),
      type: this.#types.value(doc),
      fetchedAtMs: numberAt(this.#fetchedAtMs, doc),
    };
  }

  #storedText(doc: number): Pick<StoredPage, 'url' | 'title' | 'text'> {
    if (!this.hasStoredPages) return { url: urlOfOrderKey(this.#urls.orderKey(doc)), title: '', text: '' };
    const { url, title, text } = this.openPages().read(this.#pageBlocks[doc]!, this.#pageOffsets[doc]!);
    return { url: trustNormalUrl(url), title, text };
  }

  /** False when the segment was written without titles and texts: then hits have but their URLs. */
  get hasStoredPages(): boolean {
    return this.#pageBlocks.length === this.docCount;
  }

  /** What another thread needs to attach this segment. */
  share(): SharedSegment {
    return this.#shared;
  }

  /** The segment for one holder more, who closes it too. */
  retain(): this {
    this.#holderCount += 1;
    return this;
  }

  /** Each holder calls it once; the last one closes the stored pages. Memory goes when nothing refers to it. */
  close(): void {
    this.#holderCount -= 1;
    if (this.#holderCount > 0) return;
    this.#pages?.close();
    if (this.#positions instanceof SectionFile) this.#positions.close();
  }
}

const contentNameOf = ({ id, index, deletes }: SegmentEntry): string =>
  [id, formatCrc(index.crc), ...(deletes === undefined ? [] : [formatCrc(deletes.crc)])].join('-');

const dictionaryOf = (index: LoadedSections, meta: SegmentMeta): TermDictionary =>
  new TermDictionary(
    { terms: index.bytes('terms'), termBlocks: index.u32('termBlocks'), termHash: index.u32('termHash') },
    meta.termCount,
    meta.biwordCount,
  );

const postingsOf = (
  { index, positions }: OpenedFiles,
  lengthCodes: readonly Uint8Array[],
): PostingSections => ({
  docs: index.bytes('docs'),
  docWords: index.u32('docs'),
  positions: positions instanceof SectionFile ? new Uint8Array(0) : positions.bytes('positions'),
  lastDocs: index.u32('lastDocs'),
  docsOffsets: index.u32('docsOffsets'),
  positionsOffsets: index.u32('positionsOffsets'),
  shapes: index.u16('shapes'),
  lengthCodes,
});

const boundsOf = (file: LoadedSections): StoredBounds => ({
  ...readBoundsMeta(file),
  blocks: file.bytes('blocks'),
  groups: file.bytes('groups'),
  best: file.bytes('best'),
});

/**
 * Opens the segment that a manifest's entry names. Index, positions, bounds and deletes are read whole and every byte is
 * verified; of the stored pages header, directory and length, and each block when it is read. Throws the corrupt, too
 * old or too new error, or ENOENT when a writer has removed the segment.
 */
export const openSegment = (folder: string, entry: SegmentEntry): OpenSegment => {
  if (endianness() !== 'LE') throw failShards('SHARDS_BIG_ENDIAN');
  const { memory, files } = loadFiles(folder, entry);
  writeHeader(memory, entry, files, readSegmentMeta(files.index));
  const deletes = readDeletes(folder, entry)?.serialize('portable');
  const segment = new OpenSegment(
    { folder, entry, memory, deletes: deletes && Uint8Array.from(deletes) },
    files,
  );
  segment.openPages();
  return segment;
};

/** What a merge needs of a segment; cursors and kernels it has none. */
export type MergeInput = Pick<
  OpenSegment,
  | 'analyser'
  | 'close'
  | 'contents'
  | 'deletes'
  | 'docCount'
  | 'hasStoredPages'
  | 'key'
  | 'liveCount'
  | 'openPages'
  | 'staticScore'
  | 'stored'
>;

/**
 * Opens a segment for a merge: as openSegment, but bounds, which a merge makes anew, are left alone, and positions, the
 * largest part, are verified and then read from the disk again where they are merged.
 */
export const openMergeInput = (folder: string, entry: SegmentEntry): MergeInput => {
  const file = segmentFile(folder, entry.id, 'idx');
  const index = loadSectionFile({ file, format: INDEX_FORMAT, seal: entry.index });
  checkIndex(index, entry, readSegmentMeta(index));
  const deletes = readDeletes(folder, entry)?.serialize('portable');
  // Kernels never see it.
  const memory = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true });
  const shared = { folder, entry, memory, deletes: deletes && Uint8Array.from(deletes) };
  const positions = SectionFile.open(segmentFile(folder, entry.id, 'pos'), POSITIONS_FORMAT, entry.positions);
  try {
    positions.verify('positions');
    const input = new OpenSegment(shared, { index, positions, bounds: undefined });
    input.openPages();
    return input;
  } catch (error) {
    positions.close();
    throw error;
  }
};

/**
 * Opens a segment over the memory that another thread has loaded and verified. No file is opened before a stored page is
 * asked for, so that a searching thread can attach what a writer has removed meanwhile.
 */
export const attachSegment = (shared: SharedSegment): OpenSegment =>
  new OpenSegment(shared, filesInMemory(shared.memory, shared.folder, shared.entry));

/**
 * An open segment with the deletes that another commit's entry names, over the memory that it has loaded. The pages are
 * opened anew: whoever closes first closes only its own. Throws the corrupt error, or ENOENT when a writer has removed
 * the segment.
 */
export const reopenSegment = (open: OpenSegment, entry: SegmentEntry): OpenSegment => {
  const shared = open.share();
  const deletes = readDeletes(shared.folder, entry)?.serialize('portable');
  const segment = attachSegment({ ...shared, entry, deletes: deletes && Uint8Array.from(deletes) });
  segment.openPages();
  return segment;
};
