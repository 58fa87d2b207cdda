import { failIndexer } from '../errors.ts';
import type { DataFolder } from './data-folder.ts';
import { takePidFile } from './pid-file.ts';
import { takeSocket } from './socket-lock.ts';

/** Held by the one process that may write to a data folder. */
export interface WriterLock extends AsyncDisposable {
  /** Idempotent. */
  release(): Promise<void>;
}

/**
 * Takes the folder's writer lock or throws INDEXER_FOLDER_LOCKED, which names the process that holds it.
 * Neither kind of lock outlives its process: the abstract socket vanishes with it, the pid file of a dead one is void.
 */
export const lockDataFolder = async (
  folder: DataFolder,
  platform: NodeJS.Platform = process.platform,
): Promise<WriterLock> => {
  const attempt = await (platform === 'linux' ? takeSocket(folder.root) : takePidFile(folder.root));
  if ('holder' in attempt) {
    throw failIndexer('INDEXER_FOLDER_LOCKED', { folder: folder.root, holder: attempt.holder });
  }
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    released ??= attempt.release();
    return released;
  };
  return { release, [Symbol.asyncDispose]: release };
};
