import { type FileHandle, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkHeader, HEADER_BYTES, isMissing, rethrowNaming } from '../../shards/index.ts';
import { PAGE_LOG_FORMAT } from './frame.ts';

const FILE_NAME = /^(\d{6,})\.pages$/;

/** Files are numbered from 1. */
export const FIRST_FILE = 1;

export const logFilePath = (folder: string, file: number): string =>
  join(folder, `${String(file).padStart(6, '0')}.pages`);

/** Numbers of the log's files in rising order; empty when the folder does not exist. */
export const listLogFiles = async (folder: string): Promise<number[]> => {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return names
    .map((name) => FILE_NAME.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
};

/**
 * Checks the envelope of an open file; throws when it is damaged or of another version.
 * False when the file ends inside its header: a crash came between its creation and the first sync.
 */
export const hasWholeHeader = async (
  handle: FileHandle,
  path: string,
  sizeBytes: number,
): Promise<boolean> => {
  if (sizeBytes < HEADER_BYTES) return false;
  const header = Buffer.alloc(HEADER_BYTES);
  await handle.read(header, 0, HEADER_BYTES, 0).catch(rethrowNaming(path));
  checkHeader(header, PAGE_LOG_FORMAT, path);
  return true;
};
