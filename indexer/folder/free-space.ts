import { statfs } from 'node:fs/promises';
import { failIndexer } from '../errors.ts';

const MEGABYTE = 1_000_000;

/** Bytes that an ordinary user may still write to the disk on which `path` lies. */
export const freeDiskBytes = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
};

/** Throws INDEXER_DISK_LOW when fewer than `neededBytes` are free. */
export const requireDiskBytes = async (path: string, neededBytes: number): Promise<void> => {
  const freeBytes = await freeDiskBytes(path);
  if (freeBytes >= neededBytes) return;
  const [free, needed] = [Math.floor(freeBytes / MEGABYTE), Math.ceil(neededBytes / MEGABYTE)];
  throw failIndexer('INDEXER_DISK_LOW', { folder: path, free, needed });
};
