import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import { openSealed, sealFile } from '../bytes/file-envelope.ts';
import { rethrowNaming } from '../bytes/system-errors.ts';
import { MANIFEST_FORMAT } from './formats.ts';
import type { FileSeal } from './section-file-writer.ts';

const packr = new Packr({ useRecords: false });

/** Which part of a shard a segment belongs to: its best documents, the rest, or what updates brought since. */
export type SegmentTier = 'high' | 'low' | 'fresh';

/** One segment as the manifest names it: its files by length and checksum, so that none is taken for another. */
export interface SegmentEntry {
  readonly id: number;
  readonly docCount: number;
  readonly index: FileSeal;
  readonly positions: FileSeal;
  readonly pages: FileSeal;
  /** Derived; undefined when they were dropped, then nothing is pruned. */
  readonly bounds?: FileSeal;
  readonly deletes?: FileSeal & { readonly generation: number; readonly count: number };
  /** 'high' when left out: without tiers the whole shard is its best part. */
  readonly tier?: SegmentTier;
}

/** What one shard of a generation consists of. */
export interface Manifest {
  readonly analyser: string;
  /** Smallest number that no segment of this shard has had. */
  readonly nextSegmentId: number;
  readonly segments: readonly SegmentEntry[];
}

export const MANIFEST_FILE = 'manifest';

const numbered = (value: number): string => value.toString().padStart(6, '0');

/** One of the files of segment `id`, in the folder of its shard. */
export const segmentFile = (folder: string, id: number, part: 'idx' | 'pos' | 'pages' | 'bounds'): string =>
  join(folder, `${numbered(id)}.${part}`);

/** The deletes of a segment as of a generation. */
export const deletesFile = (folder: string, id: number, generation: number): string =>
  join(folder, `${numbered(id)}-${numbered(generation)}.del`);

/** Swaps a shard's list of segments: a reader sees the old list or the new one. */
export const writeManifest = async (folder: string, manifest: Manifest): Promise<void> => {
  await writeFileAtomically(join(folder, MANIFEST_FILE), sealFile(MANIFEST_FORMAT, [packr.pack(manifest)]));
};

/** Throws the corrupt, too old or too new error, or ENOENT. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const file = join(folder, MANIFEST_FILE);
  const { body } = openSealed(await readFile(file).catch(rethrowNaming(file)), MANIFEST_FORMAT, file);
  return packr.unpack(body) as Manifest;
};
