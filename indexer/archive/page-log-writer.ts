import { mkdir, rm } from 'node:fs/promises';
import { encodeHeader, HEADER_BYTES, isDiskFull, syncFolder } from '../../shards/index.ts';
import { failIndexer } from '../errors.ts';
import type { CommittedEnd } from './committed-end.ts';
import { findTrustedEnd, removeEnd, writeEnd } from './end-file.ts';
import { encodeMark, MARK_BYTES, PAGE_LOG_FORMAT } from './frame.ts';
import { type LogFile, type OpenLogFile, openLogFile } from './log-file.ts';
import { FIRST_FILE, listLogFiles, logFilePath } from './log-files.ts';
import type { LogLocation, LogRecord, PageSink } from './record.ts';
import { encodeRecord } from './record-codec.ts';

export interface PageLogWriterOptions {
  /** A file that would grow beyond this is closed and the next one begun. */
  readonly rollBytes?: number;
  /** Appended records are written when so many bytes wait, or at a sync. */
  readonly bufferBytes?: number;
  readonly openFile?: OpenLogFile;
}

const DEFAULT_ROLL_BYTES = 256 * 1024 * 1024;
const DEFAULT_BUFFER_BYTES = 1024 * 1024;

/**
 * Opens the log for appending, makes it when there is none, and cuts off what a killed writer left behind its last
 * sync. The caller holds the data folder's writer lock. Errors: INDEXER_LOG_DAMAGED, SHARDS_FILE_TOO_OLD/TOO_NEW.
 */
export const openPageLogWriter = async (
  folder: string,
  options: PageLogWriterOptions = {},
): Promise<PageLogWriter> => {
  await mkdir(folder, { recursive: true });
  const committed = await findTrustedEnd(folder);
  await removeEnd(folder);
  const writer = new PageLogWriter(folder, committed, options);
  await writer.rollback();
  return writer;
};

/**
 * Appends records and commits them by sync marks (FORMAT.md). Calls may overlap: they take effect in the order in
 * which they were made. After a failed write all further calls fail with the same error; the log stays readable up
 * to the last sync.
 */
export class PageLogWriter implements PageSink {
  readonly #folder: string;
  readonly #rollBytes: number;
  readonly #bufferBytes: number;
  readonly #openFile: OpenLogFile;

  #committed: CommittedEnd;
  #recordCount: number;
  #fileNumber: number;
  #file: LogFile | undefined;
  /** Length of the current file when all that waits is written. */
  #lengthBytes: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #failure: Error | undefined;
  #closed = false;

  constructor(folder: string, committed: CommittedEnd, options: PageLogWriterOptions) {
    this.#folder = folder;
    this.#committed = committed;
    this.#recordCount = committed.recordCount;
    this.#fileNumber = committed.file;
    this.#lengthBytes = committed.offsetBytes;
    this.#rollBytes = options.rollBytes ?? DEFAULT_ROLL_BYTES;
    this.#bufferBytes = options.bufferBytes ?? DEFAULT_BUFFER_BYTES;
    this.#openFile = options.openFile ?? openLogFile;
  }

  /** The place behind the last sync mark. */
  get committed(): CommittedEnd {
    return this.#committed;
  }

  async append(record: LogRecord): Promise<LogLocation> {
    const encoding = encodeRecord(record);
    // The queue may fail before it looks at the encoding, whose own failure must not go unheard then.
    encoding.catch(() => undefined);
    return this.#inTurn(async () => this.#place(await encoding));
  }

  async sync(): Promise<void> {
    await this.#inTurn(() => this.#commit());
  }

  /** Forgets all records since the last sync, on disk too. */
  async rollback(): Promise<void> {
    await this.#inTurn(() => this.#cutBack());
  }

  /** Syncs and closes; after a failure it only closes. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#queue;
    try {
      if (this.#failure === undefined) {
        await this.#guard(() => this.#commit());
        await this.#guard(() => this.#leaveEnd());
      }
    } finally {
      if (this.#failure !== undefined) await this.#leaveCommitted().catch(() => undefined);
      await this.#file?.close();
      this.#file = undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #leaveEnd(): Promise<void> {
    if (this.#committed.recordCount > 0) await writeEnd(this.#folder, this.#committed);
  }

  /** Best effort after a failure: what was synced is still the least that the log holds; without any there is no log. */
  async #leaveCommitted(): Promise<void> {
    await this.#leaveEnd();
    if (this.#committed.recordCount > 0) return;
    for (const file of await listLogFiles(this.#folder)) await rm(logFilePath(this.#folder, file));
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(failIndexer('INDEXER_LOG_CLOSED', { folder: this.#folder }));
    const result = this.#queue.then(() => this.#guard(task));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #guard<T>(task: () => Promise<T>): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return await task();
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  /** A failed system call ends the writer; a record that cannot be encoded only fails itself. */
  async #explain(error: unknown): Promise<unknown> {
    if (!(error instanceof Error) || !('syscall' in error)) return error;
    const file = logFilePath(this.#folder, this.#fileNumber);
    this.#failure = isDiskFull(error)
      ? failIndexer('INDEXER_LOG_DISK_FULL', { file }, error)
      : failIndexer('INDEXER_LOG_WRITE_FAILED', { file, reason: error.message }, error);
    // Best effort: gives the space of the unfinished part back; readers pass over it in any case.
    if (this.#fileNumber === this.#committed.file) {
      await this.#file?.truncate(this.#committed.offsetBytes).catch(() => undefined);
    }
    return this.#failure;
  }

  async #place(frame: Uint8Array): Promise<LogLocation> {
    if (this.#file === undefined) await this.#begin();
    const holdsRecords = this.#lengthBytes > HEADER_BYTES;
    if (holdsRecords && this.#lengthBytes + frame.length + MARK_BYTES > this.#rollBytes) await this.#roll();
    const location = { file: this.#fileNumber, offsetBytes: this.#lengthBytes };
    this.#recordCount += 1;
    await this.#put(frame);
    return location;
  }

  async #put(frame: Uint8Array): Promise<void> {
    this.#waiting.push(frame);
    this.#waitingBytes += frame.length;
    this.#lengthBytes += frame.length;
    if (this.#waitingBytes >= this.#bufferBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#waitingBytes === 0) return;
    const bytes = Buffer.concat(this.#waiting, this.#waitingBytes);
    const offsetBytes = this.#lengthBytes - bytes.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#file?.write(bytes, offsetBytes);
  }

  async #commit(): Promise<void> {
    if (this.#recordCount === this.#committed.recordCount) return;
    const mark = {
      file: this.#fileNumber,
      offsetBytes: this.#lengthBytes,
      recordCount: this.#recordCount,
    };
    await this.#put(encodeMark(mark));
    await this.#flush();
    await this.#file?.sync();
    this.#committed = { file: mark.file, offsetBytes: this.#lengthBytes, recordCount: mark.recordCount };
  }

  async #roll(): Promise<void> {
    await this.#flush();
    // A mark in the next file commits this one's records too, so they must be on the disk before it.
    await this.#file?.sync();
    await this.#file?.close();
    this.#file = undefined;
    this.#fileNumber += 1;
    await this.#begin();
  }

  /** Opens the current file; a new one gets its header, durable before any record. */
  async #begin(): Promise<void> {
    const file = await this.#openFile(logFilePath(this.#folder, this.#fileNumber));
    this.#file = file;
    await file.write(encodeHeader(PAGE_LOG_FORMAT), 0);
    await file.sync();
    await syncFolder(this.#folder);
    this.#lengthBytes = HEADER_BYTES;
  }

  async #cutBack(): Promise<void> {
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#file?.close();
    this.#file = undefined;
    const committed = this.#committed;
    const isEmpty = committed.file === FIRST_FILE && committed.offsetBytes === HEADER_BYTES;
    const unfinished = (await listLogFiles(this.#folder)).filter((file) =>
      isEmpty ? file >= committed.file : file > committed.file,
    );
    for (const file of unfinished.reverse()) await rm(logFilePath(this.#folder, file));
    this.#fileNumber = committed.file;
    this.#recordCount = committed.recordCount;
    this.#lengthBytes = committed.offsetBytes;
    // The first file is made with the first record: a log without any is an empty folder.
    if (isEmpty) return;
    this.#file = await this.#openFile(logFilePath(this.#folder, committed.file));
    await this.#file.truncate(committed.offsetBytes);
    await this.#file.sync();
    await syncFolder(this.#folder);
  }
}
