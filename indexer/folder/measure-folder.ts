import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../shards/index.ts';

/** What the files below a folder come to. */
export interface FolderSize {
  /** Sum of the files' lengths. */
  readonly lengthBytes: number;
  /** What they take of the disk: whole blocks, and of a sparse file only what it holds. */
  readonly diskBytes: number;
}

/** stat(2) counts in blocks of this length, whatever the file system's own. */
const BLOCK_BYTES = 512;
const NOTHING: FolderSize = { lengthBytes: 0, diskBytes: 0 };

/** A writer may remove a file between the listing and the look at it: such a file takes nothing. */
const sizeOf = async (file: string): Promise<FolderSize> => {
  try {
    const { size, blocks } = await stat(file);
    return { lengthBytes: size, diskBytes: blocks * BLOCK_BYTES };
  } catch (error) {
    if (isMissing(error)) return NOTHING;
    throw error;
  }
};

const filesIn = async (folder: string): Promise<string[]> => {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Adds up the files of a folder and all folders in it, also while a writer changes them; nothing when there is none. */
export const measureFolder = async (folder: string): Promise<FolderSize> => {
  const sizes = await Promise.all((await filesIn(folder)).map(sizeOf));
  return sizes.reduce(
    (sum, size) => ({
      lengthBytes: sum.lengthBytes + size.lengthBytes,
      diskBytes: sum.diskBytes + size.diskBytes,
    }),
    NOTHING,
  );
};
