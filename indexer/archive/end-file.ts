import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ByteReader,
  ByteWriter,
  type FileFormat,
  isMissing,
  openSealed,
  rethrowNaming,
  sealFile,
  syncFolder,
  writeFileAtomically,
} from '../../shards/index.ts';
import { failIndexer } from '../errors.ts';
import { type CommittedEnd, findCommittedEnd } from './committed-end.ts';
import { PAGE_LOG_FORMAT } from './frame.ts';
import { logFilePath } from './log-files.ts';

const END_FORMAT: FileFormat = { ...PAGE_LOG_FORMAT, name: 'page-log-end' };

export const END_FILE = 'END';

/** Remembers where a writer that was closed in order left the log. */
export const writeEnd = async (folder: string, end: CommittedEnd): Promise<void> => {
  const body = new ByteWriter();
  body.varint(end.file);
  body.varint(end.offsetBytes);
  body.varint(end.recordCount);
  await writeFileAtomically(join(folder, END_FILE), sealFile(END_FORMAT, [body.view()]));
};

/** Forgets it, durably: from here on a tail may be torn by a crash. */
export const removeEnd = async (folder: string): Promise<void> => {
  await rm(join(folder, END_FILE), { force: true });
  await syncFolder(folder);
};

/**
 * The committed end of a log, compared with the one that the last writer left. Without END that writer was killed or
 * still writes, and any end is right. Throws INDEXER_LOG_DAMAGED when the log has become shorter, and what
 * findCommittedEnd throws.
 */
export const findTrustedEnd = async (folder: string): Promise<CommittedEnd> => {
  // END comes first: a writer may append and close between the two looks, and the log only grows.
  const left = await readEnd(folder);
  const found = await findCommittedEnd(folder);
  const missingCount = (left?.recordCount ?? 0) - found.recordCount;
  if (missingCount <= 0) return found;
  throw failIndexer('INDEXER_LOG_DAMAGED', {
    file: logFilePath(folder, found.file),
    offset: found.offsetBytes,
    reason: `the last ${missingCount} records are cut off or unreadable`,
  });
};

const readEnd = async (folder: string): Promise<CommittedEnd | undefined> => {
  const path = join(folder, END_FILE);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path).catch(rethrowNaming(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const reader = new ByteReader(openSealed(bytes, END_FORMAT, path).body, path);
  return { file: reader.varint(), offsetBytes: reader.varint(), recordCount: reader.varint() };
};
