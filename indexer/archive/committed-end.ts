import { type FileHandle, open } from 'node:fs/promises';
import { HEADER_BYTES } from '../../shards/index.ts';
import { failIndexer } from '../errors.ts';
import {
  decodeFrameHeader,
  decodeMark,
  FRAME_HEADER_BYTES,
  FrameKind,
  findMarkWord,
  frameIsIntact,
  MARK_BYTES,
  type SyncMark,
} from './frame.ts';
import { FrameScanner } from './frame-scanner.ts';
import { FIRST_FILE, hasWholeHeader, listLogFiles, logFilePath } from './log-files.ts';
import type { LogEnd, LogLocation } from './record.ts';

/** The place behind the last sync mark. What follows was never promised to anyone. */
export type CommittedEnd = LogEnd;

/** Where the first record of a log stands. */
export const EMPTY_LOG: CommittedEnd = { file: FIRST_FILE, offsetBytes: HEADER_BYTES, recordCount: 0 };
const SEARCH_BLOCK_BYTES = 1 << 20;

/**
 * Finds the end of the committed part, looking from the last file backwards.
 * Bytes after the last mark that make no whole frame are a torn tail (a crash came while they were written) and
 * are passed over; bytes before a mark that make none are damage: INDEXER_LOG_DAMAGED.
 */
export const findCommittedEnd = async (folder: string): Promise<CommittedEnd> => {
  const files = await listLogFiles(folder);
  for (const file of files.reverse()) {
    const end = await lastMarkOf(logFilePath(folder, file), file);
    if (end !== undefined) return end;
  }
  return EMPTY_LOG;
};

const lastMarkOf = async (path: string, file: number): Promise<CommittedEnd | undefined> => {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (!(await hasWholeHeader(handle, path, size))) return undefined;
    const scanner = new FrameScanner(handle, { offsetBytes: HEADER_BYTES, endBytes: size });
    let last: CommittedEnd | undefined;
    for (let scanned = await scanner.next(); scanned !== undefined; scanned = await scanner.next()) {
      if (!scanned.ok) {
        const { offsetBytes, reason } = scanned;
        if (await hasMarkBehind(handle, { file, offsetBytes }, size)) {
          throw failIndexer('INDEXER_LOG_DAMAGED', { file: path, offset: offsetBytes, reason });
        }
        return last;
      }
      if (scanned.header.kind !== FrameKind.Mark) continue;
      const mark = decodeMark(scanned.payload);
      if (mark !== undefined && standsAt(mark, { file, offsetBytes: scanned.offsetBytes })) {
        last = { file, offsetBytes: scanned.endBytes, recordCount: mark.recordCount };
      }
    }
    return last;
  } finally {
    await handle.close();
  }
};

/** A mark counts only where it was written: a copy of one inside other bytes does not. */
export const standsAt = (mark: SyncMark, location: LogLocation): boolean =>
  mark.file === location.file && mark.offsetBytes === location.offsetBytes;

/** Whether a valid mark stands anywhere behind damaged bytes, which makes them damage of committed records. */
const hasMarkBehind = async (handle: FileHandle, start: LogLocation, sizeBytes: number): Promise<boolean> => {
  const block = Buffer.allocUnsafe(SEARCH_BLOCK_BYTES);
  // Blocks overlap by a mark less one byte, so that each mark lies whole in one of them.
  const step = block.length - MARK_BYTES + 1;
  for (let position = start.offsetBytes; position < sizeBytes; position += step) {
    const { bytesRead } = await handle.read(block, 0, block.length, position);
    const bytes = block.subarray(0, bytesRead);
    for (let at = findMarkWord(bytes, 0); at >= 0; at = findMarkWord(bytes, at + 1)) {
      const frame = bytes.subarray(at, at + MARK_BYTES);
      if (isMarkAt(frame, { file: start.file, offsetBytes: position + at })) return true;
    }
  }
  return false;
};

const isMarkAt = (frame: Buffer, location: LogLocation): boolean => {
  if (frame.length < MARK_BYTES) return false;
  const header = decodeFrameHeader(frame);
  if (typeof header === 'string' || header.kind !== FrameKind.Mark || !frameIsIntact(frame, header))
    return false;
  const mark = decodeMark(frame.subarray(FRAME_HEADER_BYTES));
  return mark !== undefined && standsAt(mark, location);
};
