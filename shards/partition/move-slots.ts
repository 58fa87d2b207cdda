import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncFolder } from '../bytes/atomic-file.ts';
import { linkFile } from '../bytes/link-file.ts';
import type { WeightTable } from '../score/weights.ts';
import {
  attachmentName,
  currentGeneration,
  type GenerationInfo,
  generationFolder,
  shardFolder,
  writeCurrent,
} from '../segment/current.ts';
import { type OpenGeneration, openGeneration } from '../segment/generation.ts';
import { filesOfSegment, readManifest, type SegmentEntry, writeManifest } from '../segment/manifest.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import type { OpenSegment } from '../segment/segment-reader.ts';
import { type Clock, systemClock } from '../values/clock.ts';
import type { UrlKey } from '../values/ids.ts';
import { removeGenerations, tolerating } from '../writer/commit-files.ts';
import { MERGE_LIMITS } from '../writer/merge-policy.ts';
import { type SlotMap, shardOf, slotMapOf } from './partitioner.ts';

export interface MoveOptions {
  /** The data folder's `shards`; the caller holds the writer lock. */
  readonly folder: string;
  /** Shards wanted, 1 to 1,024. */
  readonly shardCount: number;
  /** Weight table that bounds of rewritten segments are made for. */
  readonly weights: WeightTable;
  readonly onProgress?: (doneShards: number, totalShards: number) => void;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export interface MoveSummary {
  readonly info: GenerationInfo;
  /** Slots, and live documents in them, that went to another shard. */
  readonly movedSlots: number;
  readonly movedDocs: number;
  /** Segments whose files went over as they were. */
  readonly keptSegments: number;
  readonly writtenSegments: number;
}

/** A segment of the old layout, with the number of its live documents that each new shard gets. */
interface Source {
  readonly segment: OpenSegment;
  readonly shard: number;
  readonly counts: Uint32Array;
}

interface Move {
  readonly options: MoveOptions;
  readonly before: GenerationInfo;
  readonly slots: SlotMap;
  readonly generation: number;
  readonly commit: number;
  readonly sources: readonly Source[];
}

/** What a new shard is made of. */
interface MovedShard {
  readonly segments: readonly SegmentEntry[];
  readonly keptSegments: number;
}

const liveKeys = function* (segment: OpenSegment): Generator<UrlKey> {
  for (let doc = 0; doc < segment.docCount; doc += 1) {
    if (segment.deletes?.has(doc) !== true) yield segment.key(doc);
  }
};

const sourcesOf = ({ shards }: OpenGeneration, slots: SlotMap, shardCount: number): Source[] =>
  shards.flatMap((segments, shard) =>
    segments.map((segment) => {
      const counts = new Uint32Array(shardCount);
      for (const key of liveKeys(segment)) {
        const target = shardOf(slots, key);
        counts[target] = (counts[target] ?? 0) + 1;
      }
      return { segment, shard, counts };
    }),
  );

/** Sources that are merged into one segment: of one tier, and together below the largest segment allowed. */
const batchesOf = (sources: readonly Source[], target: number): Source[][] => {
  const batches: Source[][] = [];
  for (const tier of ['high', 'low', 'fresh'] as const) {
    let batch: Source[] = [];
    let bytes = 0;
    for (const source of sources.filter(({ segment }) => segment.tier === tier)) {
      const { segment, counts } = source;
      const share = (segment.bytes * (counts[target] ?? 0)) / Math.max(1, segment.docCount);
      if (batch.length > 0 && bytes + share > MERGE_LIMITS.maxBytes) {
        batches.push(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(source);
      bytes += share;
    }
    if (batch.length > 0) batches.push(batch);
  }
  return batches;
};

const keepSegment = async (path: string, { segment, shard }: Source, move: Move): Promise<SegmentEntry> => {
  const { entry } = segment.share();
  const from = shardFolder(move.options.folder, move.before.generation, shard);
  for (const file of filesOfSegment(from, entry)) await linkFile(file, join(path, basename(file)));
  return entry;
};

const moveShard = async (shard: number, move: Move): Promise<MovedShard> => {
  const { options, before, slots, generation, commit, sources } = move;
  const { folder, weights, signal } = options;
  const path = shardFolder(folder, generation, shard);
  await mkdir(path, { recursive: true });
  const old =
    shard < before.shardCount
      ? await readManifest(shardFolder(folder, before.generation, shard), before.manifests[shard] ?? 0)
      : undefined;
  let nextSegmentId = old?.nextSegmentId ?? 1;
  const segments: SegmentEntry[] = [];
  const write = async (batch: readonly Source[]): Promise<void> => {
    const [first] = batch;
    if (first === undefined) return;
    const id = nextSegmentId;
    nextSegmentId += 1;
    const keeps = (key: UrlKey): boolean => shardOf(slots, key) === shard;
    const open = batch.map(({ segment }) => segment);
    const merging = { folder: path, id, weights, keeps, ...(signal === undefined ? {} : { signal }) };
    segments.push({ ...(await mergeSegments(open, merging)), tier: first.segment.tier });
  };
  let keptSegments = 0;
  for (const source of sources.filter((each) => each.shard === shard)) {
    const { segment, counts } = source;
    if (counts[shard] === segment.liveCount) {
      segments.push(await keepSegment(path, source, move));
      keptSegments += 1;
    } else if ((counts[shard] ?? 0) > 0) await write([source]);
  }
  const incoming = sources.filter((each) => each.shard !== shard && (each.counts[shard] ?? 0) > 0);
  for (const batch of batchesOf(incoming, shard)) await write(batch);
  await writeManifest(path, commit, { analyser: before.analyser, nextSegmentId, segments });
  await syncFolder(path);
  return { segments, keptSegments };
};

const linkAttachments = async ({ before, options, generation }: Move): Promise<void> => {
  for (const [name, commit] of Object.entries(before.attachments)) {
    const file = attachmentName(name, commit);
    const from = join(generationFolder(options.folder, before.generation), file);
    await linkFile(from, join(generationFolder(options.folder, generation), file));
  }
};

const moveAll = async (move: Move): Promise<MoveSummary> => {
  const { options, before, slots, generation, commit, sources } = move;
  const { folder, shardCount, signal, onProgress, clock = systemClock } = options;
  const shards: MovedShard[] = [];
  for (let shard = 0; shard < shardCount; shard += 1) {
    signal?.throwIfAborted();
    shards.push(await moveShard(shard, move));
    onProgress?.(shard + 1, shardCount);
  }
  await linkAttachments(move);
  await syncFolder(generationFolder(folder, generation));
  await syncFolder(folder);
  signal?.throwIfAborted();
  const info: GenerationInfo = {
    ...before,
    generation,
    commit,
    committedAtMs: clock.nowMs(),
    shardCount,
    slots,
    manifests: shards.map(() => commit),
  };
  await writeCurrent(folder, info);
  const keptSegments = shards.reduce((sum, shard) => sum + shard.keptSegments, 0);
  return {
    info,
    movedSlots: slots.reduce((sum, shard, slot) => sum + (shard === before.slots[slot] ? 0 : 1), 0),
    movedDocs: sources.reduce(
      (sum, { segment, shard, counts }) => sum + segment.liveCount - (counts[shard] ?? 0),
      0,
    ),
    keptSegments,
    writtenSegments: shards.reduce((sum, { segments }) => sum + segments.length, 0) - keptSegments,
  };
};

/**
 * Spreads an index over another number of shards: a new generation beside the one in force, then one rename of CURRENT.
 * Only slots that change their shard move, and no layout of that many shards is reached with fewer (partitioner.ts).
 * Segments without a document of a moved slot go over as they are, by hard links; the others are written anew without
 * what leaves them, and what comes to a shard becomes one segment a tier. Every shard reads all that others give it, so the
 * work grows with the number of shards that get something. The index must fit the memory, as for a reader.
 *
 * A failure, an abort or a crash before the rename leaves the index as it was. Throws SHARDS_NO_INDEX, SHARDS_DISK_FULL,
 * damage errors, and the signal's reason.
 */
export const moveSlots = async (options: MoveOptions): Promise<MoveSummary> => {
  const { folder, shardCount } = options;
  const slots = slotMapOf(shardCount);
  const old = await openGeneration(folder);
  try {
    const before = old.share().info;
    await removeGenerations(folder, (each) => each > before.generation);
    const generation = before.generation + 1;
    const sources = sourcesOf(old, slots, shardCount);
    const move = { options, before, slots, generation, commit: before.commit + 1, sources };
    try {
      const summary = await moveAll(move);
      await tolerating(() => removeGenerations(folder, (each) => each < before.generation));
      return summary;
    } catch (error) {
      // The rename may have been the last thing that succeeded: then the new generation serves.
      if ((await currentGeneration(folder))?.generation !== generation) {
        await rm(generationFolder(folder, generation), { recursive: true, force: true });
      }
      throw error;
    }
  } finally {
    old.close();
  }
};
