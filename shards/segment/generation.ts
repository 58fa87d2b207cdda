import { corrupt } from '../bytes/file-envelope.ts';
import { isMissing, pathOf } from '../bytes/system-errors.ts';
import { failShards } from '../errors.ts';
import type { SlotMap } from '../partition/partitioner.ts';
import { currentGeneration, type GenerationInfo, shardFolder } from './current.ts';
import { INDEX_FORMAT } from './formats.ts';
import { readManifest } from './manifest.ts';
import { attachSegment, type OpenSegment, openSegment, type SharedSegment } from './segment-reader.ts';

/** Writers keep the generation before the one in force, so a second look nearly always suffices. */
const MAX_ATTEMPTS = 5;

/** All shards of one generation, open for reading: a snapshot that no writer changes. */
export interface OpenGeneration {
  readonly generation: number;
  readonly slots: SlotMap;
  readonly analyser: string;
  /** Segments by shard. */
  readonly shards: readonly (readonly OpenSegment[])[];
  /** What another thread needs to attach the same memory; goes through postMessage. */
  share(): SharedGeneration;
  /** Closes every segment. Idempotent. */
  close(): void;
}

/** A generation on its way to another thread: the memory is shared, not copied. */
export interface SharedGeneration {
  readonly info: GenerationInfo;
  readonly shards: readonly (readonly SharedSegment[])[];
}

const assemble = (info: GenerationInfo, shards: readonly (readonly OpenSegment[])[]): OpenGeneration => ({
  generation: info.generation,
  slots: info.slots,
  analyser: info.analyser,
  shards,
  share: () => ({ info, shards: shards.map((segments) => segments.map((segment) => segment.share())) }),
  close: () => {
    for (const segment of shards.flat()) segment.close();
  },
});

const openShards = async (folder: string, info: GenerationInfo): Promise<OpenSegment[][]> => {
  const shards: OpenSegment[][] = [];
  try {
    for (let shard = 0; shard < info.shardCount; shard += 1) {
      const path = shardFolder(folder, info.generation, shard);
      const segments: OpenSegment[] = [];
      shards.push(segments);
      const manifest = await readManifest(path);
      for (const entry of manifest.segments) segments.push(openSegment(path, entry));
    }
    return shards;
  } catch (error) {
    for (const segment of shards.flat()) segment.close();
    throw error;
  }
};

/**
 * Opens the generation in force; looks again when a writer swapped and removed it meanwhile. Throws
 * SHARDS_NO_INDEX when there is none, the too old or too new error, or the corrupt one, also when files are missing.
 */
export const openGeneration = async (folder: string): Promise<OpenGeneration> => {
  for (let attempt = 1; ; attempt += 1) {
    const info = await currentGeneration(folder);
    if (info === undefined) throw failShards('SHARDS_NO_INDEX', { folder });
    try {
      return assemble(info, await openShards(folder, info));
    } catch (error) {
      const now = await currentGeneration(folder);
      const wasSwapped = now !== undefined && now.generation !== info.generation;
      if (!isMissing(error)) throw error;
      if (!wasSwapped || attempt === MAX_ATTEMPTS) {
        throw corrupt(INDEX_FORMAT, pathOf(error) ?? folder, 'nothing there', 'a file of the index');
      }
    }
  }
};

/** The same generation in another thread, over the same memory. */
export const attachGeneration = ({ info, shards }: SharedGeneration): OpenGeneration =>
  assemble(
    info,
    shards.map((segments) => segments.map((shared) => attachSegment(shared))),
  );
