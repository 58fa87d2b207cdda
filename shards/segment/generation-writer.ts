import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../bytes/atomic-file.ts';
import { failShards } from '../errors.ts';
import { shardOf, slotMapOf } from '../partition/partitioner.ts';
import { DEFAULT_WEIGHTS, type WeightTable } from '../score/weights.ts';
import type { IndexDocument } from '../values/document.ts';
import { QuarryError } from '../values/errors.ts';
import { urlKey } from '../values/hash.ts';
import {
  currentGeneration,
  type GenerationInfo,
  generationFolder,
  shardFolder,
  writeCurrent,
} from './current.ts';
import { type SegmentEntry, writeManifest } from './manifest.ts';
import { SegmentWriter } from './segment-writer.ts';

const GENERATION_NAME = /^\d{6,}$/;
const DEFAULT_MEMORY_BYTES = 256 * 2 ** 20;

export interface GenerationOptions {
  /** The data folder's `shards`; made when missing. One writer at a time, which the caller's lock sees to. */
  readonly folder: string;
  readonly shardCount: number;
  /** Name of the analyser (text/analyser.ts). */
  readonly analyser: string;
  /** Weight table that block bounds are made for; the default one when left out. */
  readonly weights?: WeightTable;
  /** Memory for documents not yet written, over all shards; default 256 MiB. */
  readonly memoryBytes?: number;
}

/** Takes all documents of a new generation and puts it into force as a whole. */
export interface GenerationWriter {
  /** Of the new generation; what belongs to it as a whole is written here before the commit. */
  readonly folder: string;
  /** Each URL once. Calls must not overlap. */
  add(document: IndexDocument): Promise<void>;
  /** Writes what is left and swaps CURRENT. Throws SHARDS_DUPLICATE_URL, SHARDS_DISK_FULL; then abort. */
  commit(): Promise<GenerationInfo>;
  /** Removes what was written, unless a commit that failed late has put it into force; the generation in force stays. */
  abort(): Promise<void>;
}

interface Shard {
  readonly folder: string;
  readonly segments: SegmentEntry[];
  /** Keys of the segments written, to find a document given twice. */
  readonly keys: BigUint64Array[];
  writer: SegmentWriter | undefined;
  nextSegmentId: number;
}

class NewGeneration implements GenerationWriter {
  readonly folder: string;
  readonly #options: GenerationOptions;
  readonly #generation: number;
  readonly #slots: GenerationInfo['slots'];
  readonly #shards: readonly Shard[];
  #docCount = 0;

  constructor(options: GenerationOptions, generation: number) {
    this.#options = options;
    this.#generation = generation;
    this.folder = generationFolder(options.folder, generation);
    this.#slots = slotMapOf(options.shardCount);
    this.#shards = Array.from({ length: options.shardCount }, (_, shard) => ({
      folder: shardFolder(options.folder, generation, shard),
      segments: [],
      keys: [],
      writer: undefined,
      nextSegmentId: 1,
    }));
  }

  async makeFolders(): Promise<void> {
    for (const { folder } of this.#shards) await mkdir(folder, { recursive: true });
  }

  async add(document: IndexDocument): Promise<void> {
    const shard = this.#shards[shardOf(this.#slots, urlKey(document.url))] as Shard;
    shard.writer ??= await this.#startSegment(shard);
    await shard.writer.add(document);
    this.#docCount += 1;
    const limit = this.#options.memoryBytes ?? DEFAULT_MEMORY_BYTES;
    const memoryBytes = this.#shards.reduce((sum, { writer }) => sum + (writer?.memoryBytes ?? 0), 0);
    if (memoryBytes > limit) await this.#flush(this.#largest());
  }

  async #startSegment(shard: Shard): Promise<SegmentWriter> {
    const { analyser, weights = DEFAULT_WEIGHTS } = this.#options;
    const id = shard.nextSegmentId;
    shard.nextSegmentId += 1;
    return SegmentWriter.create({ folder: shard.folder, id, analyser, weights });
  }

  #largest(): Shard {
    const size = (shard: Shard): number => shard.writer?.memoryBytes ?? 0;
    return this.#shards.reduce((best, shard) => (size(shard) > size(best) ? shard : best));
  }

  async #flush(shard: Shard): Promise<void> {
    const { writer } = shard;
    if (writer === undefined) return;
    shard.segments.push(await writer.finish());
    shard.keys.push(writer.keys());
    shard.writer = undefined;
  }

  async commit(): Promise<GenerationInfo> {
    const { folder, shardCount, analyser } = this.#options;
    for (const shard of this.#shards) {
      await this.#flush(shard);
      refuseDuplicates(shard);
      const { segments, nextSegmentId } = shard;
      await writeManifest(shard.folder, { analyser, nextSegmentId, segments });
    }
    await syncFolder(this.folder);
    await syncFolder(folder);
    const info = {
      generation: this.#generation,
      shardCount,
      slots: this.#slots,
      analyser,
      docCount: this.#docCount,
    };
    await writeCurrent(folder, info);
    await removeGenerations(folder, (generation) => generation < this.#generation - 1);
    return info;
  }

  async abort(): Promise<void> {
    for (const { writer } of this.#shards) await writer?.abandon();
    // A commit may fail behind the swap, when older generations are cleared away: then this one already serves.
    if ((await currentGeneration(this.#options.folder))?.generation === this.#generation) return;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Segments check themselves; this looks for a key in two segments of a shard. */
const refuseDuplicates = ({ keys, folder }: Shard): void => {
  if (keys.length < 2) return;
  const all = new BigUint64Array(keys.reduce((sum, list) => sum + list.length, 0));
  let offset = 0;
  for (const list of keys) {
    all.set(list, offset);
    offset += list.length;
  }
  all.sort();
  const at = all.findIndex((key, i) => i > 0 && key === all[i - 1]);
  if (at >= 0)
    throw failShards('SHARDS_DUPLICATE_URL', {
      url: `a document of ${folder} with key ${all[at]?.toString(16)}`,
    });
};

const removeGenerations = async (
  folder: string,
  isUnwanted: (generation: number) => boolean,
): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (GENERATION_NAME.test(name) && isUnwanted(Number(name))) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
};

/**
 * Number of the generation in force, 0 when there is none. A CURRENT that cannot be read puts none into force, and the
 * way out is a new generation: it stands above all that are there, so that no reader meets another one under its number.
 */
const lastGeneration = async (folder: string): Promise<number> => {
  try {
    return (await currentGeneration(folder))?.generation ?? 0;
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    const names = await readdir(folder);
    return Math.max(0, ...names.filter((name) => GENERATION_NAME.test(name)).map(Number));
  }
};

/**
 * Starts a generation beside the one in force. Folders that an interrupted writer left behind are removed; the
 * generation in force is kept until the next commit, since readers may still open it.
 */
export const createGeneration = async (options: GenerationOptions): Promise<GenerationWriter> => {
  const { folder } = options;
  await mkdir(folder, { recursive: true });
  const last = await lastGeneration(folder);
  await removeGenerations(folder, (generation) => generation > last);
  const writer = new NewGeneration(options, last + 1);
  await writer.makeFolders();
  return writer;
};
