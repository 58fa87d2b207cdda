import { type Clock, systemClock } from '../../shards/index.ts';
import { openPageLogWriter } from '../archive/page-log-writer.ts';
import type { PageSink } from '../archive/record.ts';
import { failIndexer } from '../errors.ts';
import { type Normalise, recordOfLine } from './import-line.ts';
import { readLines } from './read-lines.ts';

/** A sink that can forget what was appended since its last sync: the page log's writer. */
export interface RollbackSink extends PageSink {
  rollback(): Promise<void>;
}

export interface ImportOptions {
  /** `.jsonl` or `.jsonl.gz`. */
  readonly files: readonly string[];
  readonly sink: RollbackSink;
  readonly normalise: Normalise;
  /** Time of documents that name none. */
  readonly nowMs: number;
  readonly onProgress?: (progress: { readonly file: string; readonly documentCount: number }) => void;
  readonly signal?: AbortSignal;
}

export interface ImportSummary {
  readonly documentCount: number;
}

const DOCUMENTS_BETWEEN_REPORTS = 256;

/**
 * Appends the documents of all files to the page log: all of them, or none when a line, a file or the disk fails or the
 * signal aborts. Errors: INDEXER_IMPORT_TYPE, INDEXER_IMPORT_UNREADABLE, INDEXER_IMPORT_LINE, those of the page log.
 */
export const importDocuments = async (options: ImportOptions): Promise<ImportSummary> => {
  const { files, sink } = options;
  for (const file of files) checkType(file);
  // What others appended before is theirs to keep.
  await sink.sync();
  try {
    let documentCount = 0;
    for (const file of files) documentCount += await appendFile(file, documentCount, options);
    await sink.sync();
    return { documentCount };
  } catch (error) {
    await sink.rollback().catch(() => undefined);
    throw error;
  }
};

export interface ImportFilesOptions extends Omit<ImportOptions, 'sink' | 'nowMs'> {
  /** Of the page log; the caller holds the data folder's writer lock. */
  readonly folder: string;
  readonly clock?: Clock;
}

/** importDocuments into the page log of a folder. */
export const importFiles = async (options: ImportFilesOptions): Promise<ImportSummary> => {
  const { folder, clock = systemClock, ...rest } = options;
  for (const file of options.files) checkType(file);
  await using sink = await openPageLogWriter(folder);
  return await importDocuments({ ...rest, sink, nowMs: clock.nowMs() });
};

const checkType = (file: string): void => {
  if (/\.warc(\.gz)?$/i.test(file)) {
    throw failIndexer('INDEXER_IMPORT_TYPE', { file, reason: 'WARC input is not in this version' });
  }
  if (!/\.jsonl(\.gz)?$/i.test(file)) {
    throw failIndexer('INDEXER_IMPORT_TYPE', { file, reason: 'a file of this kind cannot be imported' });
  }
};

const appendFile = async (file: string, countBefore: number, options: ImportOptions): Promise<number> => {
  const { sink, normalise, nowMs, onProgress, signal } = options;
  let count = 0;
  const report = (): void => {
    signal?.throwIfAborted();
    onProgress?.({ file, documentCount: countBefore + count });
  };
  for await (const { number, text, problem } of linesOf(file)) {
    if (text?.trim() === '') continue;
    const record = text === undefined ? problem : recordOfLine(text, normalise, nowMs);
    if (typeof record === 'string') {
      throw failIndexer('INDEXER_IMPORT_LINE', { file, line: number, reason: record });
    }
    await sink.append(record);
    count += 1;
    if (count % DOCUMENTS_BETWEEN_REPORTS === 0) report();
  }
  report();
  return count;
};

/** The lines of a file; what the disk or gzip refuse becomes INDEXER_IMPORT_UNREADABLE. */
async function* linesOf(file: string): ReturnType<typeof readLines> {
  const lines = readLines(file);
  try {
    for (;;) {
      const step = await lines.next().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw failIndexer('INDEXER_IMPORT_UNREADABLE', { file, reason }, error);
      });
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    await lines.return(undefined);
  }
}
