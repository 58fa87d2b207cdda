import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import { corrupt, openSealed, sealFile } from '../bytes/file-envelope.ts';
import { rethrowNaming } from '../bytes/system-errors.ts';
import { MANIFEST_FORMAT } from './formats.ts';
import { packMap, unpackMap } from './packed-map.ts';
import type { FileSeal } from './section-file-writer.ts';

const count = Type.Integer({ minimum: 0 });
const SEAL = Type.Object({ bytes: count, crc: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }) });
const MANIFEST = Type.Object({
  analyser: Type.String(),
  nextSegmentId: count,
  segments: Type.Array(
    Type.Object({
      id: count,
      docCount: count,
      index: SEAL,
      positions: SEAL,
      pages: SEAL,
      bounds: Type.Optional(SEAL),
      deletes: Type.Optional(Type.Intersect([SEAL, Type.Object({ generation: count, count })])),
      tier: Type.Optional(Type.Enum(['high', 'low', 'fresh'])),
    }),
  ),
});

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
  /** `generation` is the commit that wrote the deletes; each has a file of its own. */
  readonly deletes?: FileSeal & { readonly generation: number; readonly count: number };
  /** 'high' when left out: without tiers the whole shard is its best part. */
  readonly tier?: SegmentTier;
}

/** What one shard of a generation consists of, as of a commit. */
export interface Manifest {
  readonly analyser: string;
  /** Smallest number that no segment of this shard has had. */
  readonly nextSegmentId: number;
  readonly segments: readonly SegmentEntry[];
}

const numbered = (value: number): string => value.toString().padStart(6, '0');

/** Stands for the commit of a manifest of version 1. */
export const UNNUMBERED_MANIFEST = 0;

/** A shard's manifest as of the commit that wrote it. */
export const manifestFile = (folder: string, commit: number): string =>
  join(folder, commit === UNNUMBERED_MANIFEST ? 'manifest' : `manifest-${numbered(commit)}`);

const SEGMENT_PARTS = ['idx', 'pos', 'pages', 'bounds'] as const;

/** One of the files of segment `id`, in the folder of its shard. */
export const segmentFile = (folder: string, id: number, part: (typeof SEGMENT_PARTS)[number]): string =>
  join(folder, `${numbered(id)}.${part}`);

/** The deletes of a segment as of a commit. */
export const deletesFile = (folder: string, id: number, generation: number): string =>
  join(folder, `${numbered(id)}-${numbered(generation)}.del`);

/** Every file of a segment that its entry names. */
export const filesOfSegment = (folder: string, entry: SegmentEntry): string[] => [
  ...SEGMENT_PARTS.filter((part) => part !== 'bounds' || entry.bounds !== undefined).map((part) =>
    segmentFile(folder, entry.id, part),
  ),
  ...(entry.deletes === undefined ? [] : [deletesFile(folder, entry.id, entry.deletes.generation)]),
];

/** Length of those files together. */
export const bytesOfSegment = ({ index, positions, pages, bounds, deletes }: SegmentEntry): number =>
  [index, positions, pages, bounds, deletes].reduce((sum, seal) => sum + (seal?.bytes ?? 0), 0);

/** Writes a shard's list of segments beside the older ones; CURRENT says which of them counts. */
export const writeManifest = async (folder: string, commit: number, manifest: Manifest): Promise<void> => {
  await writeFileAtomically(manifestFile(folder, commit), sealFile(MANIFEST_FORMAT, [packMap(manifest)]));
};

/** Throws the corrupt, too old or too new error, or ENOENT. */
export const readManifest = async (folder: string, commit: number): Promise<Manifest> => {
  const file = manifestFile(folder, commit);
  const { body } = openSealed(await readFile(file).catch(rethrowNaming(file)), MANIFEST_FORMAT, file);
  return unpackMap(body, MANIFEST, (reason) =>
    corrupt(MANIFEST_FORMAT, file, reason, 'a list of segments'),
  ) as Manifest;
};
