import { readFileSync } from 'node:fs';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import { FOOTER_BYTES, openSealed, sealFile } from '../bytes/file-envelope.ts';
import { failShards } from '../errors.ts';
import { RoaringBitmap32 } from './bitmap.ts';
import { DELETES_FORMAT } from './formats.ts';
import { deletesFile, type SegmentEntry } from './manifest.ts';
import type { FileSeal } from './section-file-writer.ts';

/** Length and checksum of a sealed file's parts, out of its footer. */
const sealOf = (parts: readonly Uint8Array[]): FileSeal => {
  const footer = Buffer.from(parts.at(-1) as Uint8Array);
  return { bytes: Number(footer.readBigUInt64LE(0)) + FOOTER_BYTES, crc: footer.readUInt32LE(8) };
};

/**
 * Writes the deletes of a segment as a new file beside the old one, which readers may hold. Returns the segment's entry
 * for the next manifest; `generation` must be larger than that of `entry`.
 */
export const writeDeletes = async (
  folder: string,
  entry: SegmentEntry,
  generation: number,
  deletes: RoaringBitmap32,
): Promise<SegmentEntry> => {
  if (generation <= (entry.deletes?.generation ?? 0)) {
    throw new RangeError(`deletes of generation ${generation} after ${entry.deletes?.generation}`);
  }
  const parts = sealFile(DELETES_FORMAT, [deletes.serialize('portable')]);
  await writeFileAtomically(deletesFile(folder, entry.id, generation), parts);
  return { ...entry, deletes: { ...sealOf(parts), generation, count: deletes.size } };
};

/** Reads and verifies the deletes that the entry names; undefined when there are none. */
export const readDeletes = (folder: string, entry: SegmentEntry): RoaringBitmap32 | undefined => {
  if (entry.deletes === undefined) return undefined;
  const file = deletesFile(folder, entry.id, entry.deletes.generation);
  const bytes = readFileSync(file);
  const { body } = openSealed(bytes, DELETES_FORMAT, file);
  const crc = bytes.readUInt32LE(bytes.length - FOOTER_BYTES + 8);
  const deletes = crc === entry.deletes.crc ? RoaringBitmap32.deserialize(body, 'portable') : undefined;
  if (deletes?.size === entry.deletes.count) return deletes;
  throw failShards('SHARDS_FILE_CORRUPT', {
    file,
    found: `checksum ${crc.toString(16)}`,
    expected: `${entry.deletes.crc.toString(16)} of the manifest`,
    remedy: DELETES_FORMAT.remedy,
  });
};
