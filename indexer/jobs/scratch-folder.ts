import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../folder/data-folder.ts';

/** A folder for intermediate files, removed when the work ends. */
export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes `scratch-NAME` in the data folder, anew if a killed process left one. `name` must be one that no other process
 * uses at the same time: writers hold the lock, readers add their process id.
 */
export const openScratchFolder = async (folder: DataFolder, name: string): Promise<ScratchFolder> => {
  const path = join(folder.root, `scratch-${name}`);
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
};
