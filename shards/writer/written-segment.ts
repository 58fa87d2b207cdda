import { RoaringBitmap32 } from '../segment/bitmap.ts';
import { readDeletes, writeDeletes } from '../segment/deletes.ts';
import { BOUNDS_FORMAT, INDEX_FORMAT } from '../segment/formats.ts';
import { KeyColumn } from '../segment/key-column.ts';
import { bytesOfSegment, type SegmentEntry, segmentFile } from '../segment/manifest.ts';
import { type LoadedSections, SectionFile } from '../segment/section-file.ts';
import { readBoundsMeta, readSegmentMeta } from '../segment/segment-meta.ts';
import type { UrlKey } from '../values/ids.ts';

/**
 * A segment on the disk as its shard's writer knows it: which documents it holds and which of them are deleted, in the last
 * commit or since. Reads no more than the keys and the deletes, and those when they are first asked for.
 */
export class WrittenSegment {
  readonly #folder: string;
  #entry: SegmentEntry;
  #keys: KeyColumn | undefined;
  #deletes: RoaringBitmap32 | undefined;
  #boundsTable: string | undefined;
  #commonWords: ReadonlySet<string> | undefined;

  constructor(folder: string, entry: SegmentEntry) {
    this.#folder = folder;
    this.#entry = entry;
  }

  /** With the deletes that were last written. */
  get entry(): SegmentEntry {
    return this.#entry;
  }

  get id(): number {
    return this.#entry.id;
  }

  get docCount(): number {
    return this.#entry.docCount;
  }

  get deletedCount(): number {
    return this.#deletes?.size ?? this.#entry.deletes?.count ?? 0;
  }

  get liveCount(): number {
    return this.docCount - this.deletedCount;
  }

  get bytes(): number {
    return bytesOfSegment(this.#entry);
  }

  /** Name of the weight table that the segment's bounds are made for; undefined without bounds. */
  get boundsTable(): string | undefined {
    this.#boundsTable ??= this.#readBoundsTable();
    return this.#boundsTable;
  }

  /** Words whose biwords the segment has. */
  get commonWords(): ReadonlySet<string> {
    this.#commonWords ??= new Set(this.#readIndex(readSegmentMeta).commonWords);
    return this.#commonWords;
  }

  /** Whether documents were deleted that no file tells of yet. */
  get isChanged(): boolean {
    return this.deletedCount !== (this.#entry.deletes?.count ?? 0);
  }

  /** A copy of the deletes as of now. */
  deletes(): RoaringBitmap32 {
    return new RoaringBitmap32(this.#loadedDeletes());
  }

  key(doc: number): UrlKey {
    return this.#loadedKeys().key(doc);
  }

  /** Whether a live document has the key. */
  has(key: UrlKey): boolean {
    const doc = this.#loadedKeys().find(key);
    return doc >= 0 && !this.#loadedDeletes().has(doc);
  }

  /** Deletes the live document of that key; false when there is none. */
  delete(key: UrlKey): boolean {
    const doc = this.#loadedKeys().find(key);
    return doc >= 0 && this.#loadedDeletes().tryAdd(doc);
  }

  /** Writes the deletes as of that commit when there are new ones. */
  async writeDeletes(commit: number): Promise<void> {
    if (!this.isChanged) return;
    this.#entry = await writeDeletes(this.#folder, this.#entry, commit, this.#loadedDeletes());
  }

  #loadedDeletes(): RoaringBitmap32 {
    this.#deletes ??= readDeletes(this.#folder, this.#entry) ?? new RoaringBitmap32();
    return this.#deletes;
  }

  #loadedKeys(): KeyColumn {
    this.#keys ??= this.#readKeys();
    return this.#keys;
  }

  #readBoundsTable(): string | undefined {
    const { bounds } = this.#entry;
    if (bounds === undefined) return undefined;
    const file = segmentFile(this.#folder, this.id, 'bounds');
    return readFrom(SectionFile.open(file, BOUNDS_FORMAT, bounds), readBoundsMeta).table;
  }

  #readKeys(): KeyColumn {
    return this.#readIndex(({ bytes }) => new KeyColumn(words(bytes('keys')), words(bytes('keyOrder'))));
  }

  #readIndex<Found>(read: (file: ReadableSections) => Found): Found {
    const file = segmentFile(this.#folder, this.id, 'idx');
    return readFrom(SectionFile.open(file, INDEX_FORMAT, this.#entry.index), read);
  }
}

type ReadableSections = Pick<LoadedSections, 'bytes' | 'damage'>;

/** Reads some sections of a file, and closes it. */
const readFrom = <Found>(file: SectionFile, read: (file: ReadableSections) => Found): Found => {
  try {
    return read({
      bytes: (name) => file.read(name),
      damage: (found, expected) => file.damage(found, expected),
    });
  } finally {
    file.close();
  }
};

/** A section in memory of its own, which begins where the section does. */
const words = (section: Uint8Array): Uint32Array => new Uint32Array(section.buffer);
