import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import { corrupt, openSealed, sealFile } from '../bytes/file-envelope.ts';
import { isMissing, rethrowNaming } from '../bytes/system-errors.ts';
import type { SlotMap } from '../partition/partitioner.ts';
import { SLOT_COUNT } from '../values/hash.ts';
import { CURRENT_FORMAT } from './formats.ts';
import { UNNUMBERED_MANIFEST } from './manifest.ts';
import { packMap, unpackMap } from './packed-map.ts';

const count = Type.Integer({ minimum: 0 });
const FIRST_VERSION = Type.Object({
  generation: count,
  shardCount: Type.Integer({ minimum: 1, maximum: SLOT_COUNT }),
  slots: Type.Array(Type.Integer({ minimum: 0, maximum: SLOT_COUNT - 1 }), {
    minItems: SLOT_COUNT,
    maxItems: SLOT_COUNT,
  }),
  analyser: Type.String(),
  docCount: count,
});
const CURRENT = Type.Intersect([
  FIRST_VERSION,
  Type.Object({
    commit: count,
    committedAtMs: Type.Number(),
    manifests: Type.Array(count),
    attachments: Type.Record(Type.String(), count),
  }),
]);

export const CURRENT_FILE = 'CURRENT';

/** The commit in force: what the file CURRENT says. */
export interface GenerationInfo {
  /** Rises by one when the index is made anew, from 1. */
  readonly generation: number;
  /** Rises by one with every commit, over all generations, from 1. */
  readonly commit: number;
  readonly committedAtMs: number;
  readonly shardCount: number;
  readonly slots: SlotMap;
  readonly analyser: string;
  /** Live documents over all shards. */
  readonly docCount: number;
  /** By shard: the commit that wrote the shard's manifest. */
  readonly manifests: readonly number[];
  /** Files that belong to the index as a whole (aliases, …), by name: the commit that wrote each. */
  readonly attachments: Readonly<Record<string, number>>;
}

/** As CURRENT stores it. */
type StoredInfo = Omit<GenerationInfo, 'slots'> & { readonly slots: readonly number[] };
/** What version 1 stored. */
type FirstKeys = 'generation' | 'shardCount' | 'slots' | 'analyser' | 'docCount';

const numbered = (value: number): string => value.toString().padStart(6, '0');

/** Where a generation lies in a `shards` folder. */
export const generationFolder = (folder: string, generation: number): string =>
  join(folder, numbered(generation));

/** Where one shard of a generation lies; `shard` counts from 0. */
export const shardFolder = (folder: string, generation: number, shard: number): string =>
  join(generationFolder(folder, generation), shard.toString().padStart(2, '0'));

/** Name of an attachment's file in the folder of its generation. */
export const attachmentName = (name: string, commit: number): string => `${name}-${numbered(commit)}`;

/** Path of an attachment of the commit in force; undefined when it has none of that name. */
export const attachmentFile = (folder: string, info: GenerationInfo, name: string): string | undefined => {
  const commit = info.attachments[name];
  return commit === undefined
    ? undefined
    : join(generationFolder(folder, info.generation), attachmentName(name, commit));
};

/**
 * The commit in force in a `shards` folder, undefined when there is none yet. Cheap: one small file.
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
  const { version, body } = openSealed(bytes, CURRENT_FORMAT, file);
  const damage = (reason: string): Error => corrupt(CURRENT_FORMAT, file, reason, 'what a commit says');
  const stored =
    version === 1
      ? whollyNew(unpackMap(body, FIRST_VERSION, damage))
      : (unpackMap(body, CURRENT, damage) as StoredInfo);
  const { shardCount, slots, manifests } = stored;
  if (manifests.length !== shardCount) throw damage(`${manifests.length} manifests for ${shardCount} shards`);
  if (slots.some((shard) => shard >= shardCount)) throw damage('a slot of a shard that is not there');
  return { ...stored, slots: Uint16Array.from(slots) };
};

/** In version 1 every commit was a generation. */
const whollyNew = (info: Pick<StoredInfo, FirstKeys>): StoredInfo => ({
  ...info,
  commit: info.generation,
  committedAtMs: 0,
  manifests: Array.from({ length: info.shardCount }, () => UNNUMBERED_MANIFEST),
  attachments: {},
});

/** Puts a commit into force, over all shards at once: readers see the one before or this one. */
export const writeCurrent = async (folder: string, info: GenerationInfo): Promise<void> => {
  const body = packMap({ ...info, slots: Array.from(info.slots) });
  await writeFileAtomically(join(folder, CURRENT_FILE), sealFile(CURRENT_FORMAT, [body]));
};
