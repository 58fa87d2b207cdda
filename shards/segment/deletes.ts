import { readFileSync } from 'node:fs';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import {
  corrupt,
  decodeFooter,
  FOOTER_BYTES,
  type Footer,
  formatCrc,
  openSealed,
  sealFile,
} from '../bytes/file-envelope.ts';
import { RoaringBitmap32 } from './bitmap.ts';
import { DELETES_FORMAT } from './formats.ts';
import { deletesFile, type SegmentEntry } from './manifest.ts';
import type { FileSeal } from './section-file-writer.ts';

/** Length and checksum of a sealed file, out of its footer, which was just written or verified. */
const sealOf = (footerBytes: Uint8Array): FileSeal => {
  const { lengthBytes, crc } = decodeFooter(footerBytes) as Footer;
  return { bytes: lengthBytes + FOOTER_BYTES, crc };
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
  return { ...entry, deletes: { ...sealOf(parts.at(-1) as Uint8Array), generation, count: deletes.size } };
};

/** Reads and verifies the deletes that the entry names; undefined when there are none. */
export const readDeletes = (folder: string, entry: SegmentEntry): RoaringBitmap32 | undefined => {
  if (entry.deletes === undefined) return undefined;
  const file = deletesFile(folder, entry.id, entry.deletes.generation);
  const bytes = readFileSync(file);
  const { body } = openSealed(bytes, DELETES_FORMAT, file);
  const { crc } = sealOf(bytes.subarray(-FOOTER_BYTES));
  if (crc !== entry.deletes.crc) {
    const expected = `${formatCrc(entry.deletes.crc)} of the manifest`;
    throw corrupt(DELETES_FORMAT, file, `checksum ${formatCrc(crc)}`, expected);
  }
  const deletes = decodeBitmap(body, file);
  if (deletes.size !== entry.deletes.count) {
    throw corrupt(DELETES_FORMAT, file, `${deletes.size} deletes`, `${entry.deletes.count} of the manifest`);
  }
  checkDocuments(deletes, entry.docCount, file);
  return deletes;
};

/** The library takes containers whose values are out of order, and then counts and compares wrongly. */
const checkDocuments = (deletes: RoaringBitmap32, docCount: number, file: string): void => {
  let previous = -1;
  for (const doc of deletes.toUint32Array()) {
    if (doc <= previous || doc >= docCount) {
      throw corrupt(
        DELETES_FORMAT,
        file,
        `document ${doc} after ${previous}`,
        `rising ones below ${docCount}`,
      );
    }
    previous = doc;
  }
};

const decodeBitmap = (body: Uint8Array, file: string): RoaringBitmap32 => {
  try {
    return RoaringBitmap32.deserialize(body, 'portable');
  } catch (error) {
    throw corrupt(DELETES_FORMAT, file, `no bitmap (${String(error)})`, 'one');
  }
};
