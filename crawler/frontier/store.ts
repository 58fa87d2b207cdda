import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { Packr } from 'msgpackr';
import { freeDiskBytes } from '../../indexer/index.ts';
import { fail } from '../errors.ts';
import { decodeHostRow, encodeHostRow, type HostRow } from './host-row.ts';
import { storeFileProblem } from './store-file.ts';
import { key64, metaKey, parseQueueKey, type QueueKey, queueKey } from './store-keys.ts';
import { decodeUrlRecord, encodeUrlRecord, type UrlRecord } from './url-record.ts';

type Bytes = Uint8Array;
type Table = Database<Bytes, Buffer>;

const DATA_FILE = 'data.mdb';
const FORMAT_NAME = 'quarry-crawl';
const FORMAT_VERSION = 1;
const TABLES = ['urls', 'queue', 'hosts', 'robots', 'content', 'meta'] as const;
type TableName = (typeof TABLES)[number];
/** Address space, not memory or disk: LMDB maps its file. */
const MAP_BYTES = 1 << 40;

/** Left free on the disk: more than any one transaction writes. */
const DISK_RESERVE_BYTES = 16 * 1024 * 1024;

const packr = new Packr({ useRecords: false });

export interface ContentRow {
  /** URL that showed this text first. */
  readonly owner: string;
  /** URLs that show it now. */
  readonly count: number;
}

/** Writes that wait for the next commit, by table and key. `undefined` removes. */
type Writes = Map<TableName, Map<string, { readonly key: Buffer; readonly value: Bytes | undefined }>>;

/**
 * The crawl's tables: the only file that imports LMDB. Writes are buffered and readable at once (by key); `commit` makes
 * one transaction of them. Scans see committed rows only.
 */
export class CrawlStore {
  readonly #root: RootDatabase<Bytes, Buffer>;
  readonly #tables: Readonly<Record<TableName, Table>>;
  readonly #folder: string;
  #writes: Writes = new Map();
  #committing: Writes = new Map();
  #writeCount = 0;
  #lastCommit: Promise<void> = Promise.resolve();
  readonly #isReadOnly: boolean;
  #closed = false;

  private constructor(
    root: RootDatabase<Bytes, Buffer>,
    tables: Readonly<Record<TableName, Table>>,
    options: { readonly folder: string; readonly readOnly: boolean },
  ) {
    this.#root = root;
    this.#tables = tables;
    this.#folder = options.folder;
    this.#isReadOnly = options.readOnly;
  }

  static exists(folder: string): boolean {
    return existsSync(join(folder, DATA_FILE));
  }

  /**
   * Copies a closed store aside (by reference where the file system can) and returns how to bring that copy back over
   * a store that is closed again; called with false, it only drops the copy.
   */
  static setAside(folder: string): (restore: boolean) => void {
    const file = join(folder, DATA_FILE);
    const aside = `${file}.aside`;
    copyFileSync(file, aside, constants.COPYFILE_FICLONE);
    return (restore) => {
      if (restore) renameSync(aside, file);
      else rmSync(aside, { force: true });
    };
  }

  /** Removes a store that is closed. */
  static discard(folder: string): void {
    for (const file of [DATA_FILE, 'lock.mdb']) rmSync(join(folder, file), { force: true });
  }

  /** Errors: CRAWL_STORE_MISSING, CRAWL_STORE_UNREADABLE, CRAWL_STORE_TOO_NEW, CRAWL_STORE_TOO_OLD. */
  static open(folder: string, { readOnly = false } = {}): CrawlStore {
    if (readOnly && !CrawlStore.exists(folder)) throw fail('CRAWL_STORE_MISSING', { folder });
    const problem = CrawlStore.exists(folder) ? storeFileProblem(join(folder, DATA_FILE)) : undefined;
    if (problem !== undefined) throw fail('CRAWL_STORE_UNREADABLE', { folder, reason: problem });
    let store: CrawlStore;
    try {
      const options = { encoding: 'binary', keyEncoding: 'binary' } as const;
      const root = open<Bytes, Buffer>({
        path: folder,
        noSubdir: false,
        maxDbs: TABLES.length + 2,
        readOnly,
        mapSize: MAP_BYTES,
        ...options,
      });
      const tables = Object.fromEntries(
        TABLES.map((name) => [name, root.openDB<Bytes, Buffer>(name, options)]),
      ) as Record<TableName, Table>;
      store = new CrawlStore(root, tables, { folder, readOnly });
    } catch (cause) {
      throw fail('CRAWL_STORE_UNREADABLE', { folder, reason: String(cause) }, cause);
    }
    store.#checkVersion(folder);
    return store;
  }

  #checkVersion(folder: string): void {
    const found = this.meta<{ name: string; version: number }>('format');
    if (found === undefined) {
      if (!this.#isReadOnly) this.putMeta('format', { name: FORMAT_NAME, version: FORMAT_VERSION });
      return;
    }
    const details = { folder, found: found.version, expected: FORMAT_VERSION };
    if (found.name !== FORMAT_NAME) {
      throw fail('CRAWL_STORE_UNREADABLE', { folder, reason: `its format is ${found.name}` });
    }
    if (found.version > FORMAT_VERSION) throw fail('CRAWL_STORE_TOO_NEW', details);
    if (found.version < FORMAT_VERSION) throw fail('CRAWL_STORE_TOO_OLD', details);
  }

  #get(table: TableName, key: Buffer): Bytes | undefined {
    const name = key.toString('latin1');
    const pending = this.#writes.get(table)?.get(name) ?? this.#committing.get(table)?.get(name);
    return pending === undefined ? this.#tables[table].get(key) : pending.value;
  }

  #put(table: TableName, key: Buffer, value: Bytes | undefined): void {
    let writes = this.#writes.get(table);
    if (writes === undefined) {
      writes = new Map();
      this.#writes.set(table, writes);
    }
    writes.set(key.toString('latin1'), { key, value });
    this.#writeCount += 1;
  }

  /** Writes since the last commit began; a caller that cares for latency commits before some ten thousand. */
  get writeCount(): number {
    return this.#writeCount;
  }

  /**
   * One atomic transaction of all writes buffered at the time of the call. `before` runs when they are sealed: what it does
   * precedes the transaction. Resolves when the rows are visible; `close` waits for the disk.
   */
  commit(before?: () => Promise<void>): Promise<void> {
    this.#lastCommit = this.#lastCommit.then(() => this.#commitOnce(before));
    return this.#lastCommit;
  }

  async #commitOnce(before?: () => Promise<void>): Promise<void> {
    this.#committing = this.#writes;
    this.#writes = new Map();
    this.#writeCount = 0;
    await before?.();
    if (this.#committing.size === 0) return;
    // LMDB's own failure for want of space cannot be caught whole (it rejects promises that nobody holds).
    if ((await freeDiskBytes(this.#folder)) < DISK_RESERVE_BYTES) {
      throw fail('CRAWL_DISK_FULL', { folder: this.#folder });
    }
    await this.#root.batch(() => {
      for (const [name, writes] of this.#committing) {
        const table = this.#tables[name];
        for (const { key, value } of writes.values()) {
          // A failure of the transaction is that of each write as well; it is heard of once.
          const written = value === undefined ? table.remove(key) : table.put(key, value);
          written.catch(() => undefined);
        }
      }
    });
    this.#committing = new Map();
  }

  /** Committed rows. */
  get urlCount(): number {
    return this.#countOf('urls');
  }

  get queueCount(): number {
    return this.#countOf('queue');
  }

  #countOf(table: TableName): number {
    return (this.#tables[table].getStats() as { readonly entryCount: number }).entryCount;
  }

  url(fingerprint: bigint): UrlRecord | undefined {
    const bytes = this.#get('urls', key64(fingerprint));
    return bytes && decodeUrlRecord(bytes);
  }

  putUrl(fingerprint: bigint, record: UrlRecord): void {
    this.#put('urls', key64(fingerprint), encodeUrlRecord(record));
  }

  /** Committed records in key order: by partition, then by fingerprint. */
  *urls(): Generator<{ readonly fingerprint: bigint; readonly record: UrlRecord }> {
    for (const { key, value } of this.#tables.urls.getRange({ snapshot: false })) {
      yield { fingerprint: key.readBigUInt64BE(0), record: decodeUrlRecord(value) };
    }
  }

  *fingerprints(): Generator<bigint> {
    for (const key of this.#tables.urls.getKeys({ snapshot: false })) yield key.readBigUInt64BE(0);
  }

  enqueue(key: QueueKey, fingerprint: bigint): void {
    this.#put('queue', queueKey(key), key64(fingerprint));
  }

  dequeue(key: QueueKey): void {
    this.#put('queue', queueKey(key), undefined);
  }

  /** All committed queue keys: by host, level, discovery. */
  *queueKeys(): Generator<QueueKey> {
    for (const key of this.#tables.queue.getKeys({ snapshot: false })) yield parseQueueKey(key);
  }

  /** URLs of all committed queue rows. */
  *queuedFingerprints(): Generator<bigint> {
    for (const { value } of this.#tables.queue.getRange({ snapshot: false })) {
      yield Buffer.from(value).readBigUInt64BE(0);
    }
  }

  /** Committed entries of one level of a host, from `seq` on. */
  *queued(from: QueueKey): Generator<{ readonly key: QueueKey; readonly fingerprint: bigint }> {
    const end = queueKey({ ...from, seq: 2 ** 48 - 1 });
    for (const { key, value } of this.#tables.queue.getRange({ start: queueKey(from), end })) {
      const parsed = parseQueueKey(key);
      if (this.#get('queue', key) === undefined) continue;
      yield { key: parsed, fingerprint: Buffer.from(value).readBigUInt64BE(0) };
    }
  }

  host(id: bigint): HostRow | undefined {
    const bytes = this.#get('hosts', key64(id));
    return bytes && decodeHostRow(bytes);
  }

  putHost(id: bigint, row: HostRow): void {
    this.#put('hosts', key64(id), encodeHostRow(row));
  }

  *hosts(): Generator<{ readonly id: bigint; readonly row: HostRow }> {
    for (const { key, value } of this.#tables.hosts.getRange({ snapshot: false })) {
      yield { id: key.readBigUInt64BE(0), row: decodeHostRow(value) };
    }
  }

  /** A row of the robots table; its type belongs to the robots cache. */
  robots<Row>(id: bigint): Row | undefined {
    const bytes = this.#get('robots', key64(id));
    return bytes && (packr.unpack(bytes) as Row);
  }

  putRobots(id: bigint, row: object): void {
    this.#put('robots', key64(id), packr.pack(row) as Buffer);
  }

  content(textHash: string): ContentRow | undefined {
    const bytes = this.#get('content', Buffer.from(textHash, 'hex'));
    if (bytes === undefined) return undefined;
    const [owner, count] = packr.unpack(bytes) as [string, number];
    return { owner, count };
  }

  putContent(textHash: string, row: ContentRow | undefined): void {
    const value = row && (packr.pack([row.owner, row.count]) as Buffer);
    this.#put('content', Buffer.from(textHash, 'hex'), value);
  }

  meta<Value>(name: string): Value | undefined {
    const bytes = this.#get('meta', metaKey(name));
    return bytes && (packr.unpack(bytes) as Value);
  }

  putMeta(name: string, value: unknown): void {
    this.#put('meta', metaKey(name), packr.pack(value) as Buffer);
  }

  /** Writes what is committed into another folder, as a consistent copy. */
  async copyTo(folder: string): Promise<void> {
    await this.#root.backup(folder, false);
  }

  /** Waits until what was committed is on the disk, closes. Writes that were not committed are forgotten. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#lastCommit.catch(() => undefined);
    if (!this.#isReadOnly) await this.#root.flushed;
    await this.#root.close();
  }
}
