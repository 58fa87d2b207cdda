import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK_BYTES = 512;

/** Bytes of disk that a folder's files take; sparse files count what they hold. */
export const folderBytes = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ blocks }) => blocks * BLOCK_BYTES,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
};
