import { corrupt } from '../bytes/file-envelope.ts';
import { isMissing, pathOf } from '../bytes/system-errors.ts';
import { failShards } from '../errors.ts';
import type { SlotMap } from '../partition/partitioner.ts';
import { currentGeneration, type GenerationInfo, shardFolder } from './current.ts';
import { INDEX_FORMAT } from './formats.ts';
import { readManifest, type SegmentEntry } from './manifest.ts';
import {
  attachSegment,
  type OpenSegment,
  openSegment,
  reopenSegment,
  type SharedSegment,
} from './segment-reader.ts';

/** Writers keep the files of the commit before the one in force, so a second look nearly always suffices. */
const MAX_ATTEMPTS = 5;

/** All shards as of one commit, open for reading: a snapshot that no writer changes. */
export interface OpenGeneration {
  readonly generation: number;
  readonly commit: number;
  readonly slots: SlotMap;
  readonly analyser: string;
  /** Segments by shard. */
  readonly shards: readonly (readonly OpenSegment[])[];
  /** What another thread needs to attach the same memory; goes through postMessage. */
  share(): SharedGeneration;
  /** Lets go of every segment; one that a newer snapshot shares stays open for it. Idempotent. */
  close(): void;
}

/** A snapshot on its way to another thread: the memory is shared, not copied. */
export interface SharedGeneration {
  readonly info: GenerationInfo;
  readonly shards: readonly (readonly SharedSegment[])[];
}

const closeAll = (shards: readonly (readonly OpenSegment[])[]): void => {
  for (const segment of shards.flat()) segment.close();
};

const assemble = (info: GenerationInfo, shards: readonly (readonly OpenSegment[])[]): OpenGeneration => {
  let isClosed = false;
  return {
    generation: info.generation,
    commit: info.commit,
    slots: info.slots,
    analyser: info.analyser,
    shards,
    share: () => ({ info, shards: shards.map((segments) => segments.map((segment) => segment.share())) }),
    close: () => {
      if (!isClosed) closeAll(shards);
      isClosed = true;
    },
  };
};

/** The segment of that entry among those of an older snapshot of the same generation, whatever its deletes. */
const findOpen = (
  older: OpenGeneration | undefined,
  { generation }: GenerationInfo,
  { shard, entry }: { readonly shard: number; readonly entry: SegmentEntry },
): OpenSegment | undefined => {
  if (older?.generation !== generation) return undefined;
  return older.shards[shard]?.find(
    (segment) => segment.id === entry.id && segment.share().entry.index.crc === entry.index.crc,
  );
};

const hasDeletesOf = (segment: OpenSegment, entry: SegmentEntry): boolean =>
  segment.share().entry.deletes?.generation === entry.deletes?.generation;

const openShards = async (
  folder: string,
  info: GenerationInfo,
  older: OpenGeneration | undefined,
): Promise<OpenSegment[][]> => {
  const shards: OpenSegment[][] = [];
  try {
    for (let shard = 0; shard < info.shardCount; shard += 1) {
      const path = shardFolder(folder, info.generation, shard);
      const segments: OpenSegment[] = [];
      shards.push(segments);
      const manifest = await readManifest(path, info.manifests[shard] ?? 0);
      for (const entry of manifest.segments) {
        const open = findOpen(older, info, { shard, entry });
        if (open === undefined) segments.push(openSegment(path, entry));
        else segments.push(hasDeletesOf(open, entry) ? open.retain() : reopenSegment(open, entry));
      }
    }
    return shards;
  } catch (error) {
    closeAll(shards);
    throw error;
  }
};

/**
 * Opens the commit in force; looks again when a writer replaced it and removed its files meanwhile. Segments that `older`
 * has open are shared with it, not loaded again; it must stay open until this returns. Throws SHARDS_NO_INDEX when there
 * is none, the too old or too new error, or the corrupt one, also when files are missing.
 */
export const openGeneration = async (folder: string, older?: OpenGeneration): Promise<OpenGeneration> => {
  for (let attempt = 1; ; attempt += 1) {
    const info = await currentGeneration(folder);
    if (info === undefined) throw failShards('SHARDS_NO_INDEX', { folder });
    try {
      return assemble(info, await openShards(folder, info, older));
    } catch (error) {
      if (!isMissing(error)) throw error;
      const now = await currentGeneration(folder);
      const wasReplaced = now !== undefined && now.commit !== info.commit;
      if (!wasReplaced || attempt === MAX_ATTEMPTS) {
        throw corrupt(INDEX_FORMAT, pathOf(error) ?? folder, 'nothing there', 'a file of the index');
      }
    }
  }
};

/** The same snapshot in another thread, over the same memory; segments that `older` has attached are shared with it. */
export const attachGeneration = (
  { info, shards }: SharedGeneration,
  older?: OpenGeneration,
): OpenGeneration =>
  assemble(
    info,
    shards.map((segments, shard) =>
      segments.map((shared) => {
        const { entry } = shared;
        const open = findOpen(older, info, { shard, entry });
        return open !== undefined && hasDeletesOf(open, entry) ? open.retain() : attachSegment(shared);
      }),
    ),
  );
