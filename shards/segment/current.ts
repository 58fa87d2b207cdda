import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import { openSealed, sealFile } from '../bytes/file-envelope.ts';
import { isMissing, rethrowNaming } from '../bytes/system-errors.ts';
import type { SlotMap } from '../partition/partitioner.ts';
import { CURRENT_FORMAT } from './formats.ts';

const packr = new Packr({ useRecords: false });

export const CURRENT_FILE = 'CURRENT';

/** The generation in force: what the file CURRENT says. */
export interface GenerationInfo {
  /** Rises by one with every commit, from 1. */
  readonly generation: number;
  readonly shardCount: number;
  readonly slots: SlotMap;
  readonly analyser: string;
  /** Documents over all shards when it was made. */
  readonly docCount: number;
}

/** Where a generation lies in a `shards` folder. */
export const generationFolder = (folder: string, generation: number): string =>
  join(folder, generation.toString().padStart(6, '0'));

/** Where one shard of a generation lies; `shard` counts from 0. */
export const shardFolder = (folder: string, generation: number, shard: number): string =>
  join(generationFolder(folder, generation), shard.toString().padStart(2, '0'));

/**
 * The generation in force in a `shards` folder, undefined when there is none yet. Cheap: one small file.
 * Throws the corrupt, too old or too new error.
 */
export const currentGeneration = async (folder: string): Promise<GenerationInfo | undefined> => {
  const file = join(folder, CURRENT_FILE);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file).catch(rethrowNaming(file));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const info = packr.unpack(openSealed(bytes, CURRENT_FORMAT, file).body) as GenerationInfo;
  return { ...info, slots: Uint16Array.from(info.slots) };
};

/** Puts a generation into force: readers see the old one or the new one. */
export const writeCurrent = async (folder: string, info: GenerationInfo): Promise<void> => {
  const body = packr.pack({ ...info, slots: Array.from(info.slots) });
  await writeFileAtomically(join(folder, CURRENT_FILE), sealFile(CURRENT_FORMAT, [body]));
};
