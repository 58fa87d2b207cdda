import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failShards } from '../errors.ts';
import { isDiskFull, isTaken, rethrowNaming } from './system-errors.ts';

/** Ending of files that are being written; whoever finds one after a crash may delete it. */
export const TEMPORARY_SUFFIX = '.tmp';

/** Makes created, renamed and removed names of a folder durable. Windows has no such call and needs none. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeAll = async (handle: FileHandle, part: Uint8Array): Promise<void> => {
  for (let offset = 0; offset < part.length; ) {
    const { bytesWritten } = await handle.write(part, offset, part.length - offset);
    offset += bytesWritten;
  }
};

type Parts = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Writes `temporary` durably, then lets `settle` give it its name; a failure leaves neither. */
const writeThenSettle = async (
  { file, temporary }: { readonly file: string; readonly temporary: string },
  parts: Parts,
  settle: () => Promise<void>,
): Promise<number> => {
  let lengthBytes = 0;
  try {
    const handle = await open(temporary, 'w');
    try {
      for await (const part of parts) {
        await writeAll(handle, part);
        lengthBytes += part.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await settle();
  } catch (error) {
    await rm(temporary, { force: true });
    if (isDiskFull(error)) throw failShards('SHARDS_DISK_FULL', { file }, error);
    rethrowNaming(file)(error);
  }
  await syncFolder(dirname(file));
  return lengthBytes;
};

/**
 * Writes a whole file so that a crash at any instant leaves the old file or the new one, never a mixture:
 * temporary name, fsync, rename, fsync of the folder. Returns the file's length in bytes.
 * Throws SHARDS_DISK_FULL; any failure removes the temporary file and leaves the old one.
 */
export const writeFileAtomically = (file: string, parts: Parts): Promise<number> => {
  const temporary = `${file}${TEMPORARY_SUFFIX}`;
  return writeThenSettle({ file, temporary }, parts, () => rename(temporary, file));
};

/**
 * Writes a whole file under a name that nobody has taken: as writeFileAtomically, but for an existing file, which stays as
 * it is; then false. Several processes may try at once, one of them succeeds.
 */
export const writeFileOnce = async (file: string, parts: Parts): Promise<boolean> => {
  const temporary = `${file}.${randomUUID()}${TEMPORARY_SUFFIX}`;
  let isOurs = true;
  await writeThenSettle({ file, temporary }, parts, async () => {
    try {
      await link(temporary, file);
    } catch (error) {
      if (!isTaken(error)) throw error;
      isOurs = false;
    }
    await rm(temporary);
  });
  return isOurs;
};
