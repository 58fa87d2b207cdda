import { stat } from 'node:fs/promises';
import { findTrustedEnd } from './end-file.ts';
import { listLogFiles, logFilePath } from './log-files.ts';

/** How much a page log holds. */
export interface PageLogStatus {
  /** Records that were synced, all versions of a URL counted. */
  readonly recordCount: number;
  readonly fileCount: number;
  readonly bytes: number;
}

/**
 * How much a page log holds; checks its last file only. To verify every checksum, read all records.
 * Errors: as reading.
 */
export const pageLogStatus = async (folder: string): Promise<PageLogStatus> => {
  const { recordCount } = await findTrustedEnd(folder);
  const files = await listLogFiles(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(logFilePath(folder, file))).size));
  return { recordCount, fileCount: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
};
