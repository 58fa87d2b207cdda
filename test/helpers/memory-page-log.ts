import type { LogLocation, LogRecord, PageRecord, PageSink } from '../../indexer/index.ts';

/** A page log in memory; what was not synced is lost by `crash`. */
export class MemoryPageLog implements PageSink {
  readonly records: LogRecord[] = [];
  #synced = 0;

  append(record: LogRecord): Promise<LogLocation> {
    this.records.push(record);
    return Promise.resolve({ file: 1, offsetBytes: this.records.length });
  }

  sync(): Promise<void> {
    this.#synced = this.records.length;
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.sync();
  }

  get syncedCount(): number {
    return this.#synced;
  }

  /** The last record of each URL. */
  get latest(): ReadonlyMap<string, LogRecord> {
    return new Map(this.records.map((record) => [record.url, record]));
  }

  /** Pages that hold. */
  get pages(): readonly PageRecord[] {
    return [...this.latest.values()].filter((record) => record.kind === 'page');
  }
}
