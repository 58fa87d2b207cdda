import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../bytes/atomic-file.ts';
import { failShards } from '../errors.ts';
import { shardOf, slotMapOf } from '../partition/partitioner.ts';
import { DEFAULT_WEIGHTS, type WeightTable } from '../score/weights.ts';
import {
  attachmentName,
  currentGeneration,
  type GenerationInfo,
  generationFolder,
  shardFolder,
  writeCurrent,
} from '../segment/current.ts';
import { type Manifest, readManifest } from '../segment/manifest.ts';
import { SharedTermStream } from '../text/shared-term-stream.ts';
import { type Clock, systemClock } from '../values/clock.ts';
import type { IndexDocument } from '../values/document.ts';
import { QuarryError } from '../values/errors.ts';
import { urlKey } from '../values/hash.ts';
import type { NormalUrl } from '../values/ids.ts';
import {
  filesOfCommit,
  listGenerations,
  removeFiles,
  removeGenerations,
  tolerating,
} from './commit-files.ts';
import { fullShards } from './memory-policy.ts';
import { chooseMerge, MERGE_LIMITS, type MergeLimits } from './merge-policy.ts';
import { Merges } from './merges.ts';
import { ShardWriter } from './shard-writer.ts';
import { type StartMerge, startMerge } from './start-merge.ts';
import { UpdateQueue } from './update-queue.ts';

const DEFAULT_MEMORY_BYTES = 256 * 2 ** 20;
/** Of that memory the part in which updates may wait. */
const QUEUE_SHARE = 1 / 8;

export interface WriterOptions {
  /** The data folder's `shards`; made when missing. One writer at a time, which the caller's lock sees to. */
  readonly folder: string;
  readonly shardCount: number;
  /** Name of the analyser (text/analyser.ts). */
  readonly analyser: string;
  /**
   * Weight table that block bounds are made for; the default one when left out. Segments with bounds for another table are
   * written anew, by merges of one.
   */
  readonly weights?: WeightTable;
  /**
   * Memory for documents not yet written and for what cuts them (some 30 MB), over all shards; default 256 MiB. Documents
   * have half of it at least.
   */
  readonly memoryBytes?: number;
  /**
   * Static score from which on a document belongs to the high tier of its shard (the epoch's threshold); 0, the default,
   * makes one tier.
   */
  readonly highTierThreshold?: number;
  /**
   * Begins a generation without documents, which the first commit puts in the place of the one in force. Without it the
   * writer goes on from the commit in force, whose shardCount and analyser must be the same (SHARDS_OTHER_LAYOUT).
   */
  readonly rebuild?: boolean;
  readonly mergeLimits?: MergeLimits;
  /** How merges are run; in a thread when left out. */
  readonly startMerge?: StartMerge;
  /** Told of a merge that failed when nobody waits for it (`settle`); the next commit tries again. */
  readonly onMergeError?: (error: unknown) => void;
  readonly clock?: Clock;
}

/**
 * Changes an index. Nothing is seen by readers, or outlives a crash, before `commit` returns; then all of it does. Calls
 * must not overlap. A call that throws leaves the commit in force as it is; then only `close` makes sense.
 */
export interface IndexWriter extends AsyncDisposable {
  /** Folder of the generation that is written to. */
  readonly folder: string;
  /** The commit that readers see; undefined before the first one of all. */
  readonly committed: GenerationInfo | undefined;
  /** Throws SHARDS_DUPLICATE_URL when the index has a document of that URL; SHARDS_DISK_FULL. */
  add(document: IndexDocument): Promise<void>;
  /** Puts a document in the place of the one of its URL, or adds it. Throws SHARDS_DISK_FULL. */
  update(document: IndexDocument): Promise<void>;
  /** Takes the document of that URL out; false when there is none. */
  remove(url: NormalUrl): Promise<boolean>;
  /**
   * Makes a file a part of the next commit, and of those after it until it is attached anew. `write` is given the path
   * and makes it durable. Names are lower-case letters and hyphens.
   */
  attach(name: string, write: (file: string) => Promise<void>): Promise<void>;
  /**
   * Makes all changes durable, then visible at once over all shards, by the rename of CURRENT. Puts finished merges into
   * force as well and starts the next one that is due. Without any change the commit in force stays. Throws
   * SHARDS_DISK_FULL, SHARDS_WRITER_OVERTAKEN.
   */
  commit(): Promise<GenerationInfo>;
  /** Merges until no merge is due, and commits. Throws SHARDS_MERGE_FAILED and what commit throws. */
  settle(): Promise<GenerationInfo>;
  /** Drops what was not committed, stops a running merge, and removes their files. Idempotent. */
  close(): Promise<void>;
}

class OpenIndexWriter implements IndexWriter {
  readonly folder: string;
  readonly #options: WriterOptions;
  readonly #generation: number;
  readonly #slots: GenerationInfo['slots'];
  readonly #shards: readonly ShardWriter[];
  readonly #terms: SharedTermStream;
  readonly #queue = new UpdateQueue();
  readonly #weights: WeightTable;
  readonly #merges: Merges;
  #committed: GenerationInfo | undefined;
  #committedFiles: ReadonlySet<string>;
  /** Of the commit before, which readers may be about to open. */
  #earlierFiles: ReadonlySet<string> = new Set();
  /** Attached since the last commit, by name. */
  #attached: Record<string, number> = {};
  #isClosed = false;

  constructor(options: StartOptions, start: Start) {
    this.#options = options;
    this.#generation = start.generation;
    this.folder = generationFolder(options.folder, start.generation);
    this.#slots = start.slots;
    this.#shards = start.shards;
    this.#terms = options.terms;
    this.#committed = start.committed;
    this.#committedFiles = start.committedFiles;
    const { weights = DEFAULT_WEIGHTS } = options;
    this.#weights = weights;
    this.#merges = new Merges({
      weights,
      highTierThreshold: options.highTierThreshold ?? 0,
      startMerge: options.startMerge ?? startMerge,
    });
  }

  get committed(): GenerationInfo | undefined {
    return this.#committed;
  }

  get #nextCommit(): number {
    return (this.#committed?.commit ?? 0) + 1;
  }

  async add(document: IndexDocument): Promise<void> {
    const key = urlKey(document.url);
    if (this.#queue.has(key)) throw failShards('SHARDS_DUPLICATE_URL', { url: document.url });
    await this.#shardOf(document.url).add(document, key);
    await this.#flushIfFull();
  }

  async update(document: IndexDocument): Promise<void> {
    this.#queue.put(urlKey(document.url), document);
    if (this.#queue.memoryBytes > this.#memoryBytes * QUEUE_SHARE) await this.#drain();
  }

  async remove(url: NormalUrl): Promise<boolean> {
    const key = urlKey(url);
    const wasQueued = this.#queue.remove(key);
    return (await this.#shardOf(url).remove(key)) || wasQueued;
  }

  async attach(name: string, write: (file: string) => Promise<void>): Promise<void> {
    await write(join(this.folder, attachmentName(name, this.#nextCommit)));
    this.#attached = { ...this.#attached, [name]: this.#nextCommit };
  }

  async commit(): Promise<GenerationInfo> {
    await this.#refuseOtherWriter();
    await this.#drain();
    for (const shard of this.#shards) await shard.flush();
    this.#merges.takeFinished(this.#options.onMergeError);
    const info = await this.#write();
    if (info !== undefined) await this.#putIntoForce(info);
    this.#startMerge();
    return this.#committed as GenerationInfo;
  }

  async settle(): Promise<GenerationInfo> {
    let info = await this.commit();
    while (this.#merges.running !== undefined) {
      await this.#merges.running.done;
      info = await this.commit();
    }
    return info;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#merges.stop();
    for (const shard of this.#shards) await shard.abandon();
    const { folder } = this.#options;
    // A commit may fail behind the swap: then what it wrote already serves.
    const current = await readCommitted(folder);
    if (current?.generation !== this.#generation) {
      await rm(this.folder, { recursive: true, force: true });
      return;
    }
    const inForce = await filesOfCommit(folder, current);
    await removeFiles(folder, this.#generation, (file) => inForce.has(file) || this.#isNeeded(file));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #memoryBytes(): number {
    return this.#options.memoryBytes ?? DEFAULT_MEMORY_BYTES;
  }

  #shardOf(url: NormalUrl): ShardWriter {
    return this.#shards[shardOf(this.#slots, urlKey(url))] as ShardWriter;
  }

  async #drain(): Promise<void> {
    for (const [key, document] of this.#queue.takeAll()) {
      await this.#shardOf(document.url).update(document, key);
      await this.#flushIfFull();
    }
  }

  async #flushIfFull(): Promise<void> {
    const { memoryBytes: streamBytes, vocabularyBytes } = this.#terms;
    const shardBytes = this.#shards.map(({ memoryBytes }) => memoryBytes);
    const held = { queueBytes: this.#queue.memoryBytes, shardBytes, streamBytes, vocabularyBytes };
    const full = fullShards(held, this.#memoryBytes);
    if (full.length === 0) return;
    await this.#refuseOtherWriter();
    for (const shard of full) await this.#shards[shard]?.flush();
  }

  /** The lock keeps other writers away; where it was not taken, a writer stops before it spoils what another one promised. */
  async #refuseOtherWriter(): Promise<void> {
    const { folder } = this.#options;
    const found = await readCommitted(folder);
    if (found?.commit === this.#committed?.commit) return;
    throw failShards('SHARDS_WRITER_OVERTAKEN', { folder, commit: found?.commit ?? 0 });
  }

  /** Writes everything but CURRENT; undefined when nothing has changed. */
  async #write(): Promise<GenerationInfo | undefined> {
    const { folder, shardCount, analyser, clock = systemClock } = this.#options;
    const commit = this.#nextCommit;
    const before = this.#committed?.generation === this.#generation ? this.#committed : undefined;
    const manifests: number[] = [];
    for (const [shard, writer] of this.#shards.entries()) {
      const isWritten = await writer.write(commit);
      manifests.push(isWritten ? commit : (before?.manifests[shard] ?? commit));
    }
    const hasAttached = Object.keys(this.#attached).length > 0;
    if (before !== undefined && !hasAttached && !manifests.includes(commit)) return undefined;
    await syncFolder(this.folder);
    await syncFolder(folder);
    return {
      generation: this.#generation,
      commit,
      committedAtMs: clock.nowMs(),
      shardCount,
      slots: this.#slots,
      analyser,
      docCount: this.#shards.reduce((sum, { liveCount }) => sum + liveCount, 0),
      manifests,
      attachments: { ...before?.attachments, ...this.#attached },
    };
  }

  async #putIntoForce(info: GenerationInfo): Promise<void> {
    const { folder } = this.#options;
    await writeCurrent(folder, info);
    const oldest = this.#committed?.generation ?? info.generation;
    this.#committed = info;
    this.#attached = {};
    this.#earlierFiles = this.#committedFiles;
    this.#committedFiles = await filesOfCommit(folder, info);
    await tolerating(async () => {
      await removeGenerations(folder, (generation) => generation < oldest);
      await removeFiles(folder, info.generation, (file) => this.#isNeeded(file));
    });
  }

  #isNeeded(file: string): boolean {
    return this.#committedFiles.has(file) || this.#earlierFiles.has(file) || this.#merges.uses(file);
  }

  #startMerge(): void {
    if (this.#merges.running !== undefined) return;
    for (const shard of this.#shards) {
      const ids = chooseMerge(
        shard.segments.map(({ id, docCount, liveCount, bytes, entry, boundsTable }) => ({
          id,
          docCount,
          liveCount,
          bytes,
          tier: entry.tier,
          hasOtherBounds: boundsTable !== this.#weights.name,
        })),
        this.#options.mergeLimits ?? MERGE_LIMITS,
      );
      if (ids !== undefined) {
        this.#merges.start(shard, ids);
        return;
      }
    }
  }
}

/** The commit in force; undefined when there is none, or its CURRENT cannot be read and only a rebuild helps. */
const readCommitted = async (folder: string): Promise<GenerationInfo | undefined> => {
  try {
    return await currentGeneration(folder);
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    return undefined;
  }
};

interface Start extends Pick<GenerationInfo, 'generation' | 'slots'> {
  readonly shards: readonly ShardWriter[];
  readonly committed: GenerationInfo | undefined;
  readonly committedFiles: ReadonlySet<string>;
}

interface StartOptions extends WriterOptions {
  /** Cuts the texts of all shards. */
  readonly terms: SharedTermStream;
}

const shardWriter = (options: StartOptions, folder: string, manifest?: Manifest): ShardWriter => {
  const { analyser, terms, weights = DEFAULT_WEIGHTS, highTierThreshold = 0 } = options;
  return new ShardWriter({ folder, analyser, weights, terms, highTierThreshold }, manifest);
};

/** A new generation beside the one in force, under a number that no reader has met. */
const startAnew = async (options: StartOptions, committed: GenerationInfo | undefined): Promise<Start> => {
  const { folder, shardCount } = options;
  // Where CURRENT cannot be read, any folder may be one that readers have open.
  const last = committed?.generation ?? (await listGenerations(folder)).at(-1) ?? 0;
  await removeGenerations(folder, (generation) => generation > last);
  const generation = last + 1;
  const shards: ShardWriter[] = [];
  for (let shard = 0; shard < shardCount; shard += 1) {
    const path = shardFolder(folder, generation, shard);
    await mkdir(path, { recursive: true });
    shards.push(shardWriter(options, path));
  }
  return { generation, slots: slotMapOf(shardCount), shards, committed, committedFiles: new Set() };
};

/** The generation in force, without what a killed writer left in it. */
const goOn = async (options: StartOptions, committed: GenerationInfo): Promise<Start> => {
  const { folder, shardCount, analyser } = options;
  const { generation, slots } = committed;
  if (committed.shardCount !== shardCount || committed.analyser !== analyser) {
    const found = `${committed.shardCount} shards cut by ${committed.analyser}`;
    throw failShards('SHARDS_OTHER_LAYOUT', { folder, found, asked: `${shardCount} by ${analyser}` });
  }
  const committedFiles = await filesOfCommit(folder, committed);
  await removeGenerations(folder, (other) => other > generation);
  await removeFiles(folder, generation, (file) => committedFiles.has(file));
  const shards: ShardWriter[] = [];
  for (const [shard, commit] of committed.manifests.entries()) {
    const path = shardFolder(folder, generation, shard);
    shards.push(shardWriter(options, path, await readManifest(path, commit)));
  }
  return { generation, slots, shards, committed, committedFiles };
};

/**
 * Opens an index for changes, the first writer of a folder or a later one. What an interrupted writer left is cleared
 * away. Throws SHARDS_OTHER_LAYOUT, and without `rebuild` the corrupt, too old or too new error.
 */
export const openIndexWriter = async (options: WriterOptions): Promise<IndexWriter> => {
  const { folder, rebuild = false } = options;
  await mkdir(folder, { recursive: true });
  const committed = rebuild ? await readCommitted(folder) : await currentGeneration(folder);
  const opened = { ...options, terms: new SharedTermStream(options.analyser) };
  const start =
    rebuild || committed === undefined ? await startAnew(opened, committed) : await goOn(opened, committed);
  return new OpenIndexWriter(opened, start);
};
