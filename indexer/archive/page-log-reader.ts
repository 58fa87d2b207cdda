import { open } from 'node:fs/promises';
import { HEADER_BYTES } from '../../shards/index.ts';
import { failIndexer } from '../errors.ts';
import { type CommittedEnd, EMPTY_LOG, standsAt } from './committed-end.ts';
import { findTrustedEnd } from './end-file.ts';
import { decodeMark, FrameKind } from './frame.ts';
import { FrameScanner, type Scanned } from './frame-scanner.ts';
import { hasWholeHeader, listLogFiles, logFilePath } from './log-files.ts';
import type { LogEnd, LogLocation, LogRecord, PageSource } from './record.ts';
import { decodeRecord } from './record-codec.ts';

type Located = { readonly location: LogLocation; readonly record: LogRecord };

const SINGLE_READ_BYTES = 64 * 1024;

/** Opens the log of a folder for reading; a folder without files is an empty log. A writer may append meanwhile. */
export const openPageLogReader = (folder: string): PageSource => new PageLogReader(folder);

/** Holds no file open between calls, so there is nothing to close. */
class PageLogReader implements PageSource {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * All records that were synced when the first one is asked for. Errors: INDEXER_LOG_DAMAGED with file and offset,
   * INDEXER_LOG_FILE_MISSING, SHARDS_FILE_CORRUPT, SHARDS_FILE_TOO_OLD, SHARDS_FILE_TOO_NEW.
   */
  async *records(signal?: AbortSignal, from: LogEnd = EMPTY_LOG): AsyncGenerator<Located> {
    const end = await findTrustedEnd(this.#folder);
    if (end.recordCount <= from.recordCount) return;
    const present = new Set(await listLogFiles(this.#folder));
    const walk = new LogWalk(from, end);
    for (let file = from.file; file <= end.file; file += 1) {
      const path = logFilePath(this.#folder, file);
      if (!present.has(file)) throw failIndexer('INDEXER_LOG_FILE_MISSING', { file: path });
      for await (const located of walk.file(path, file)) {
        signal?.throwIfAborted();
        yield located;
      }
    }
  }

  async read(location: LogLocation): Promise<LogRecord> {
    const path = logFilePath(this.#folder, location.file);
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      const range = { offsetBytes: Math.min(location.offsetBytes, size), endBytes: size };
      const scanned = await new FrameScanner(handle, range, SINGLE_READ_BYTES).next();
      if (scanned === undefined) {
        throw damaged(path, location.offsetBytes, 'the file ends before this record');
      }
      if (!scanned.ok) throw damaged(path, scanned.offsetBytes, scanned.reason);
      if (scanned.header.kind !== FrameKind.Record) {
        throw damaged(path, location.offsetBytes, 'no record begins here');
      }
      return decode(path, scanned);
    } finally {
      await handle.close();
    }
  }
}

/** One pass over the committed part; counts records against the marks, so that no lost stretch goes unseen. */
class LogWalk {
  readonly #start: LogEnd;
  readonly #end: CommittedEnd;
  #recordCount: number;

  constructor(start: LogEnd, end: CommittedEnd) {
    this.#start = start;
    this.#recordCount = start.recordCount;
    this.#end = end;
  }

  async *file(path: string, file: number): AsyncGenerator<Located> {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      const endBytes = file === this.#end.file ? this.#end.offsetBytes : size;
      const offsetBytes = file === this.#start.file ? this.#start.offsetBytes : HEADER_BYTES;
      if (!(await hasWholeHeader(handle, path, size)))
        throw damaged(path, 0, 'the file ends inside its header');
      const scanner = new FrameScanner(handle, { offsetBytes, endBytes });
      for (let scanned = await scanner.next(); scanned !== undefined; scanned = await scanner.next()) {
        if (!scanned.ok) throw damaged(path, scanned.offsetBytes, scanned.reason);
        if (scanned.header.kind === FrameKind.Mark) {
          this.#checkMark(path, file, scanned);
          continue;
        }
        this.#recordCount += 1;
        const record = decode(path, scanned);
        yield { location: { file, offsetBytes: scanned.offsetBytes }, record };
      }
    } finally {
      await handle.close();
    }
  }

  #checkMark(path: string, file: number, scanned: Scanned & { readonly ok: true }): void {
    const { offsetBytes, payload } = scanned;
    const mark = decodeMark(payload);
    if (mark === undefined || !standsAt(mark, { file, offsetBytes })) {
      throw damaged(path, offsetBytes, 'a sync mark that belongs elsewhere');
    }
    if (mark.recordCount !== this.#recordCount) {
      const reason = `${this.#recordCount} records stand before this mark, which counted ${mark.recordCount}`;
      throw damaged(path, offsetBytes, reason);
    }
  }
}

const damaged = (file: string, offset: number, reason: string): Error =>
  failIndexer('INDEXER_LOG_DAMAGED', { file, offset, reason });

const decode = (path: string, scanned: Scanned & { readonly ok: true }): LogRecord => {
  const { header, payload, offsetBytes } = scanned;
  try {
    return decodeRecord(payload, header.compression, header.rawBytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failIndexer('INDEXER_LOG_DAMAGED', { file: path, offset: offsetBytes, reason }, error);
  }
};
