import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failShards } from '../errors.ts';
import { isDiskFull } from './system-errors.ts';

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

/**
 * Writes a whole file so that a crash at any instant leaves the old file or the new one, never a mixture:
 * temporary name, fsync, rename, fsync of the folder. Returns the file's length in bytes.
 * Throws SHARDS_DISK_FULL; any failure removes the temporary file and leaves the old one.
 */
export const writeFileAtomically = async (
  file: string,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> => {
  const temporary = `${file}${TEMPORARY_SUFFIX}`;
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
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw isDiskFull(error) ? failShards('SHARDS_DISK_FULL', { file }, error) : error;
  }
  await syncFolder(dirname(file));
  return lengthBytes;
};
