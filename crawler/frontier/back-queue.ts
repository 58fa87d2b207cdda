import type { HostKey } from '../../shards/index.ts';
import type { DueHost } from './due-heap.ts';
import { LEVEL_COUNT } from './front-queues.ts';
import type { UrlRecord } from './url-record.ts';

/** One URL that waits in, or was taken from, a host's queue. */
export interface QueueEntry {
  readonly fingerprint: bigint;
  readonly record: UrlRecord;
  /** Front queue and place of its row in the queue table. */
  readonly level: number;
  readonly seq: number;
}

export interface DelayedEntry {
  readonly entry: QueueEntry;
  /** Monotonic; before it the URL is not asked for. */
  readonly atMs: number;
}

/**
 * The back queue of one host (IIR 20.2.3): a few URLs in memory in the order in which they will be asked for, the rest in the
 * queue table. Counts are of URLs that are neither leased nor acknowledged.
 */
export class BackQueue implements DueHost {
  readonly host: HostKey;
  readonly id: bigint;
  /** Where it stands in the heap: computed by the frontier from the times below. */
  dueAtMs = 0;
  /** Address, or a name of its own until it is known. */
  ip: string;
  isResolved = false;
  isPaused = false;
  /** Monotonic end of the gap after the last contact. */
  restUntilMs = 0;
  /** Duration of the last fetch. */
  fetchMs = 0;
  crawlDelayMs = 0;
  /** Consecutive failures that count against the host. */
  failures = 0;
  answers = 0;
  inFlight = 0;
  /** Monotonic end of the wait that the host asked for or that a failure caused. */
  blockedUntilMs = 0;
  /** Why no more of its URLs are asked for in this run; '' while they are. */
  givenUp = '';

  readonly #ready: QueueEntry[] = [];
  readonly #delayed: DelayedEntry[] = [];
  /** Rows of the queue table that are not in memory, by level. */
  readonly #stored: number[] = Array.from({ length: LEVEL_COUNT }, () => 0);
  #storedCount = 0;
  /** Rows of the queue table that a refill must skip: in memory, leased, or acknowledged but not yet committed. */
  readonly #held = new Set<bigint>();

  constructor(host: HostKey, id: bigint) {
    this.host = host;
    this.id = id;
    this.ip = `?${host}`;
  }

  get size(): number {
    return this.#ready.length + this.#delayed.length + this.#storedCount;
  }

  get readyCount(): number {
    return this.#ready.length;
  }

  get storedCounts(): readonly number[] {
    return this.#stored;
  }

  get storedCount(): number {
    return this.#storedCount;
  }

  holds(fingerprint: bigint): boolean {
    return this.#held.has(fingerprint);
  }

  /** A row of the queue table that is not in memory. */
  noteStored(level: number): void {
    this.#stored[level] = (this.#stored[level] ?? 0) + 1;
    this.#storedCount += 1;
  }

  /** A new URL goes to memory while all others of the host are there too and the limit allows, else it stays in the table. */
  add(entry: QueueEntry, memoryLimit: number): void {
    if (this.#storedCount > 0 || this.#ready.length >= memoryLimit) this.noteStored(entry.level);
    else this.#hold(entry);
  }

  /** Rows read back from the table. */
  refill(entries: readonly QueueEntry[]): void {
    for (const entry of entries) {
      this.#stored[entry.level] = Math.max(0, (this.#stored[entry.level] ?? 0) - 1);
      this.#storedCount -= 1;
      this.#hold(entry);
    }
  }

  #hold(entry: QueueEntry): void {
    this.#held.add(entry.fingerprint);
    this.#ready.push(entry);
  }

  /** Moves delayed URLs whose time has come to the front. */
  wake(nowMs: number): void {
    for (let first = this.#delayed[0]; first !== undefined && first.atMs <= nowMs; first = this.#delayed[0]) {
      this.#delayed.shift();
      this.#ready.unshift(first.entry);
    }
  }

  take(): QueueEntry | undefined {
    return this.#ready.shift();
  }

  /** Back to the front, for a turn that was used for something else. */
  untake(entry: QueueEntry): void {
    this.#ready.unshift(entry);
  }

  delay(entry: QueueEntry, atMs: number): void {
    const index = this.#delayed.findIndex((other) => other.atMs > atMs);
    this.#delayed.splice(index < 0 ? this.#delayed.length : index, 0, { entry, atMs });
  }

  /** When a delayed URL wakes next; infinite without one. */
  get nextWakeMs(): number {
    return this.#delayed[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** The acknowledgement of these URLs is committed: their rows are gone. */
  forget(fingerprints: readonly bigint[]): void {
    for (const fingerprint of fingerprints) this.#held.delete(fingerprint);
  }
}
