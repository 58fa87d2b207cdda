import { failShards } from '../errors.ts';
import type { WeightTable } from '../score/weights.ts';
import type { RoaringBitmap32 } from '../segment/bitmap.ts';
import { type Manifest, type SegmentEntry, type SegmentTier, writeManifest } from '../segment/manifest.ts';
import { SegmentWriter } from '../segment/segment-writer.ts';
import type { SharedTermStream } from '../text/shared-term-stream.ts';
import type { IndexDocument } from '../values/document.ts';
import type { UrlKey } from '../values/ids.ts';
import { WrittenSegment } from './written-segment.ts';

export interface ShardWriterOptions {
  /** The shard's folder in its generation. */
  readonly folder: string;
  readonly analyser: string;
  readonly weights: WeightTable;
  /** Cuts the texts of all shards. */
  readonly terms: SharedTermStream;
  /** Static score from which on a document belongs to the high tier; 0: all do. */
  readonly highTierThreshold: number;
}

/** Segments that a merge is to replace, as of the last commit: the merge sees what was live then. */
export interface MergePlan {
  /** Number of the segment that the merge makes. */
  readonly id: number;
  /** Of the one that it makes of the documents below the high tier; undefined without tiers. */
  readonly lowId: number | undefined;
  readonly inputs: readonly SegmentEntry[];
  /** The inputs with the deletes that the merge sees. Kept here, since an input may lose its last document meanwhile. */
  readonly replaced: readonly { readonly segment: WrittenSegment; readonly deletesSeen: RoaringBitmap32 }[];
}

/**
 * One shard's side of the writer: documents that wait in memory, segments on the disk, and which of their documents are
 * live. A key has at most one live document, in memory or in one of the segments.
 */
export class ShardWriter {
  readonly #options: ShardWriterOptions;
  #segments: WrittenSegment[];
  /** Documents that wait, by the tier that they are for. */
  readonly #buffers = new Map<SegmentTier, SegmentWriter>();
  /** Keys of the documents in the buffer. */
  readonly #buffered = new Set<UrlKey>();
  #nextSegmentId: number;
  /** Whether the list of segments is another than the last manifest's. */
  #isListChanged: boolean;
  /** Whether there is a manifest: new segments are then additions to an index, not the index itself. */
  #isStanding: boolean;

  /** Goes on from a manifest, or begins a shard without one. */
  constructor(options: ShardWriterOptions, manifest?: Manifest) {
    const { folder } = options;
    this.#options = options;
    this.#segments = (manifest?.segments ?? []).map((entry) => new WrittenSegment(folder, entry));
    this.#nextSegmentId = manifest?.nextSegmentId ?? 1;
    this.#isListChanged = manifest === undefined;
    this.#isStanding = manifest !== undefined;
  }

  get folder(): string {
    return this.#options.folder;
  }

  get segments(): readonly WrittenSegment[] {
    return this.#segments;
  }

  /** Without the stream that cuts the texts. */
  get memoryBytes(): number {
    return [...this.#buffers.values()].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  }

  get liveCount(): number {
    return this.#segments.reduce((sum, { liveCount }) => sum + liveCount, this.#buffered.size);
  }

  /** Throws SHARDS_DUPLICATE_URL when a live document has the key. */
  async add(document: IndexDocument, key: UrlKey): Promise<void> {
    if (this.has(key)) throw failShards('SHARDS_DUPLICATE_URL', { url: document.url });
    await this.#append(document, key);
  }

  /** Puts a document in the place of the one with its key, if there is one. */
  async update(document: IndexDocument, key: UrlKey): Promise<void> {
    await this.remove(key);
    await this.#append(document, key);
  }

  /** False when no live document has the key. */
  async remove(key: UrlKey): Promise<boolean> {
    // A segment cannot be had without a document that it was given: it is written first, then the document deleted.
    if (this.#buffered.has(key)) await this.flush();
    return this.#segments.some((segment) => segment.delete(key));
  }

  has(key: UrlKey): boolean {
    return this.#buffered.has(key) || this.#segments.some((segment) => segment.has(key));
  }

  async #append(document: IndexDocument, key: UrlKey): Promise<void> {
    const tier = this.#tierOf(document);
    const buffer = this.#buffers.get(tier) ?? (await this.#startSegment());
    this.#buffers.set(tier, buffer);
    await buffer.add(document);
    this.#buffered.add(key);
  }

  /** An addition to a standing index stays apart until a merge finds its place. */
  #tierOf({ staticScore }: IndexDocument): SegmentTier {
    if (this.#isStanding) return 'fresh';
    return staticScore >= this.#options.highTierThreshold ? 'high' : 'low';
  }

  #startSegment(): Promise<SegmentWriter> {
    const { folder, analyser, weights, terms } = this.#options;
    const commonWords = this.#commonWords();
    return SegmentWriter.create({ folder, id: this.#takeId(), analyser, weights, terms, commonWords });
  }

  /** Those of the largest segment, so that it does not lose biwords when it is merged with what is added now. */
  #commonWords(): ReadonlySet<string> {
    const bySize = this.#segments.toSorted((a, b) => b.docCount - a.docCount);
    return bySize[0]?.commonWords ?? new Set();
  }

  #takeId(): number {
    const id = this.#nextSegmentId;
    this.#nextSegmentId += 1;
    return id;
  }

  /** Writes the documents that wait in memory, those of each tier as a segment. Throws SHARDS_DISK_FULL. */
  async flush(): Promise<void> {
    for (const [tier, buffer] of this.#buffers) {
      const entry = await buffer.finish();
      this.#buffers.delete(tier);
      this.#addSegment(tier === 'high' ? entry : { ...entry, tier });
    }
    this.#buffered.clear();
  }

  #addSegment(entry: SegmentEntry): WrittenSegment {
    const segment = new WrittenSegment(this.folder, entry);
    this.#segments.push(segment);
    this.#isListChanged = true;
    return segment;
  }

  /** Takes a number for a merge of those segments. Called between a commit and the next change. */
  planMerge(ids: readonly number[]): MergePlan {
    const inputs = this.#segments.filter(({ id }) => ids.includes(id));
    return {
      id: this.#takeId(),
      lowId: this.#options.highTierThreshold > 0 ? this.#takeId() : undefined,
      inputs: inputs.map(({ entry }) => entry),
      replaced: inputs.map((segment) => ({ segment, deletesSeen: segment.deletes() })),
    };
  }

  /**
   * Puts what a merge wrote in the place of its inputs; nothing when they held no live document. Documents that were
   * deleted since the merge was planned are deleted in its output too.
   */
  finishMerge({ replaced }: MergePlan, merged: readonly SegmentEntry[]): void {
    const ids = new Set(replaced.map(({ segment }) => segment.id));
    this.#segments = this.#segments.filter(({ id }) => !ids.has(id));
    this.#isListChanged = true;
    const outputs = merged.map((entry) => this.#addSegment(entry));
    for (const { segment, deletesSeen } of replaced) {
      const since = segment.deletes().andNotInPlace(deletesSeen);
      for (const doc of since) outputs.some((output) => output.delete(segment.key(doc)));
    }
  }

  /**
   * Writes what the commit needs to be durable but CURRENT: deletes and the manifest. False when nothing has changed.
   * Segments without a live document go.
   */
  async write(commit: number): Promise<boolean> {
    const { folder, analyser } = this.#options;
    const isChanged = this.#isListChanged || this.#segments.some((segment) => segment.isChanged);
    if (!isChanged) return false;
    this.#segments = this.#segments.filter(({ liveCount }) => liveCount > 0);
    for (const segment of this.#segments) await segment.writeDeletes(commit);
    const segments = this.#segments.map(({ entry }) => entry);
    await writeManifest(folder, commit, { analyser, nextSegmentId: this.#nextSegmentId, segments });
    this.#isListChanged = false;
    this.#isStanding = true;
    return true;
  }

  /** Drops what waits in memory. */
  async abandon(): Promise<void> {
    for (const buffer of this.#buffers.values()) await buffer.abandon();
    this.#buffers.clear();
    this.#buffered.clear();
  }
}
