import type { Clock, HostKey, NormalUrl } from '../../shards/index.ts';
import { hostOf } from '../url/hosts.ts';
import { BackQueue, type QueueEntry } from './back-queue.ts';
import { DueHeap } from './due-heap.ts';
import { drawLevels } from './front-queues.ts';
import { addressGapMs, hostGapMs, isPolite, type PolitenessSettings } from './politeness.ts';
import type { CrawlStore } from './store.ts';
import { hostId, urlFingerprint } from './store-keys.ts';
import type { UrlRecord } from './url-record.ts';

/** URLs of a host that are held in memory at most, beside those in flight. */
const POLITE_MEMORY_LIMIT = 64;
const IMPOLITE_MEMORY_LIMIT = 512;

/** A host's turn: until `rest`, the holder alone may contact the host (in the polite mode, its address too). */
export interface Turn {
  readonly queue: BackQueue;
  /** The URL whose turn it is; LEASED until `settle`, `retry` or `putBack`. */
  readonly entry: QueueEntry;
}

/** How a contact went, for politeness. Times are monotonic. */
export interface Contact {
  readonly endedAtMs: number;
  readonly fetchMs: number;
}

export interface FrontierOptions {
  readonly store: CrawlStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly settings: PolitenessSettings;
  /** Address of a host; rejects when it has none. */
  readonly resolve: (host: HostKey) => Promise<string>;
  /** The host cannot be resolved. Its URLs stay until the callee calls `block` or `giveUp`. */
  readonly onUnresolved: (queue: BackQueue, error: unknown) => void;
  /** Something may be due earlier than `nextDueMs` said. */
  readonly onChange: () => void;
}

/**
 * How URLs wait. A URL is PENDING (a row of the queue table), LEASED (taken; the row stays, the lease lives in this process
 * only) and ACKED (`settle` removes the row in the transaction that stores the outcome). A process that dies leaves its
 * leases PENDING: opening reclaims them by reading the rows.
 */
export class Frontier {
  readonly #options: FrontierOptions;
  readonly #queues = new Map<HostKey, BackQueue>();
  readonly #heap: DueHeap<BackQueue>;
  readonly #exclusive: boolean;
  /** Hosts whose address is being looked up. */
  readonly #resolving = new Set<BackQueue>();
  /** Hosts whose waiting URLs are all in rows that are not committed yet. */
  readonly #awaitingCommit = new Set<BackQueue>();
  #acked: { readonly queue: BackQueue; readonly fingerprint: bigint }[] = [];
  #nextSeq: number;
  #pendingCount = 0;
  #leasedCount = 0;
  #answeredHostCount = 0;

  constructor(options: FrontierOptions) {
    this.#options = options;
    this.#exclusive = isPolite(options.settings);
    this.#heap = new DueHeap({ exclusive: this.#exclusive });
    this.#nextSeq = options.store.meta<number>('nextSeq') ?? 1;
    for (const { row } of options.store.hosts()) this.#answeredHostCount += row.answers > 0 ? 1 : 0;
    this.#reclaim();
  }

  /** PENDING and LEASED. */
  get size(): number {
    return this.#pendingCount + this.#leasedCount;
  }

  get pendingCount(): number {
    return this.#pendingCount;
  }

  /** Hosts that ever answered. */
  get answeredHostCount(): number {
    return this.#answeredHostCount;
  }

  /** To be called with each answer of a host, whatever it says. */
  noteAnswer(queue: BackQueue): void {
    if (queue.answers === 0) this.#answeredHostCount += 1;
    queue.answers += 1;
  }

  /** Of all committed rows that wait. */
  *queuedFingerprints(): Generator<bigint> {
    yield* this.#options.store.queuedFingerprints();
  }

  get resolvingCount(): number {
    return this.#resolving.size;
  }

  get isAwaitingCommit(): boolean {
    return this.#awaitingCommit.size > 0;
  }

  /** Monotonic time at which the next URL is due; undefined when only a commit, a look-up or a turn can bring one. */
  nextDueMs(): number | undefined {
    return this.#heap.nextDueMs();
  }

  #reclaim(): void {
    const { store, clock } = this.#options;
    const byId = new Map<bigint, number[]>();
    for (const { host, level } of store.queueKeys()) {
      const counts = byId.get(host) ?? [];
      counts[level] = (counts[level] ?? 0) + 1;
      byId.set(host, counts);
    }
    if (byId.size === 0) return;
    const aheadMs = clock.monotonicMs() - clock.nowMs();
    for (const { id, row } of store.hosts()) {
      const counts = byId.get(id);
      if (counts === undefined) continue;
      const queue = this.#queue(row.host);
      for (const [level, count] of counts.entries()) {
        for (let index = 0; index < (count ?? 0); index += 1) queue.noteStored(level);
        this.#pendingCount += count ?? 0;
      }
      queue.blockedUntilMs = Math.max(queue.blockedUntilMs, row.notBeforeMs + aheadMs);
      this.#arm(queue);
    }
  }

  /** Adds a URL that the eliminator let through: two rows to write, PENDING. */
  add(record: UrlRecord): void {
    const { store } = this.#options;
    const queue = this.#queue(hostOf(record.url));
    const fingerprint = urlFingerprint(record.url);
    const seq = this.#nextSeq;
    this.#nextSeq += 1;
    const entry: QueueEntry = { fingerprint, record, level: record.level, seq };
    store.putUrl(fingerprint, record);
    store.enqueue({ host: queue.id, level: entry.level, seq }, fingerprint);
    if (queue.size === 0 && queue.answers === 0 && queue.inFlight === 0) this.#saveHost(queue);
    queue.add(entry, this.#exclusive ? POLITE_MEMORY_LIMIT : IMPOLITE_MEMORY_LIMIT);
    this.#pendingCount += 1;
    this.#arm(queue);
  }

  /** Adds a known URL unless it waits already. */
  addIfIdle(record: UrlRecord): void {
    const fingerprint = urlFingerprint(record.url);
    for (const queued of this.queuedFingerprints()) if (queued === fingerprint) return;
    if (!this.#queue(hostOf(record.url)).holds(fingerprint)) this.add(record);
  }

  /** A URL whose host may be contacted now; undefined when there is none at `nowMs`. */
  take(nowMs: number): Turn | undefined {
    for (;;) {
      const queue = this.#heap.take(nowMs);
      if (queue === undefined) return undefined;
      if (!queue.isResolved && queue.givenUp === '') {
        this.#heap.release(queue, 0);
        this.#resolve(queue);
        continue;
      }
      queue.wake(nowMs);
      if (queue.readyCount === 0 && queue.storedCount > 0) this.#refill(queue);
      const entry = queue.take();
      if (entry === undefined) {
        this.#heap.release(queue, 0);
        if (queue.storedCount > 0) this.#awaitingCommit.add(queue);
        else this.#arm(queue);
        continue;
      }
      return this.#lease(queue, entry);
    }
  }

  #lease(queue: BackQueue, entry: QueueEntry): Turn {
    queue.inFlight += 1;
    this.#pendingCount -= 1;
    this.#leasedCount += 1;
    if (!this.#exclusive && queue.crawlDelayMs === 0) {
      // Without a gap the last one served goes behind the others that are due.
      queue.restUntilMs = this.#options.clock.monotonicMs();
      this.#arm(queue);
    }
    return { queue, entry };
  }

  #refill(queue: BackQueue): void {
    const { random } = this.#options;
    const limit = this.#exclusive ? POLITE_MEMORY_LIMIT : IMPOLITE_MEMORY_LIMIT;
    const drawn = drawLevels(queue.storedCounts, limit, random);
    const byLevel = new Map<number, QueueEntry[]>();
    for (const level of new Set(drawn)) {
      const wanted = drawn.filter((other) => other === level).length;
      byLevel.set(level, this.#readLevel(queue, level, wanted));
    }
    const entries: QueueEntry[] = [];
    for (const level of drawn) {
      const entry = byLevel.get(level)?.shift();
      if (entry !== undefined) entries.push(entry);
    }
    queue.refill(entries);
  }

  #readLevel(queue: BackQueue, level: number, wanted: number): QueueEntry[] {
    const { store } = this.#options;
    const entries: QueueEntry[] = [];
    for (const { key, fingerprint } of store.queued({ host: queue.id, level, seq: 0 })) {
      if (entries.length === wanted) break;
      if (queue.holds(fingerprint)) continue;
      const record = store.url(fingerprint);
      if (record !== undefined) entries.push({ fingerprint, record, level, seq: key.seq });
    }
    return entries;
  }

  /** The outcome is final: ACKED by the next commit. The record holds the outcome. */
  settle({ queue, entry }: Turn): void {
    const { store } = this.#options;
    store.putUrl(entry.fingerprint, entry.record);
    store.dequeue({ host: queue.id, level: entry.level, seq: entry.seq });
    this.#acked.push({ queue, fingerprint: entry.fingerprint });
    this.#leasedCount -= 1;
  }

  /** Asked again after `delayMs`; PENDING. */
  retry({ queue, entry }: Turn, delayMs: number): void {
    const { store, clock } = this.#options;
    store.putUrl(entry.fingerprint, entry.record);
    this.#leasedCount -= 1;
    this.#pendingCount += 1;
    queue.delay(entry, clock.monotonicMs() + delayMs);
    this.#arm(queue);
  }

  /** Not asked in this turn, first in the next; PENDING. */
  putBack({ queue, entry }: Turn): void {
    this.#leasedCount -= 1;
    this.#pendingCount += 1;
    queue.untake(entry);
    this.#arm(queue);
  }

  /** Ends a turn; without a contact the host's times stay as they are. */
  rest({ queue }: Turn, contact?: Contact): void {
    this.#rest(queue, contact);
  }

  #rest(queue: BackQueue, contact: Contact | undefined): void {
    const { settings } = this.#options;
    queue.inFlight -= 1;
    let freeAtMs = 0;
    if (contact !== undefined) {
      queue.fetchMs = contact.fetchMs;
      queue.restUntilMs = contact.endedAtMs + hostGapMs(settings, queue);
      freeAtMs = this.#exclusive ? contact.endedAtMs + addressGapMs(settings) : 0;
      this.#saveHost(queue);
    }
    this.#heap.release(queue, freeAtMs);
    this.#arm(queue);
  }

  /**
   * Takes a host out of turn (a robots.txt that redirects to it). The visit must be ended by `endVisit`.
   * Otherwise says after how many milliseconds to ask again.
   */
  visit(host: HostKey): { readonly queue: BackQueue } | { readonly waitMs: number } {
    const { clock } = this.#options;
    const queue = this.#queue(host);
    const nowMs = clock.monotonicMs();
    if (this.#exclusive && queue.inFlight > 0) return { waitMs: 100 };
    const atMs = Math.max(queue.restUntilMs, queue.blockedUntilMs);
    if (atMs > nowMs) return { waitMs: atMs - nowMs };
    queue.dueAtMs = atMs;
    const attempt = this.#heap.takeHost(queue, nowMs);
    if (!attempt.taken) return { waitMs: Math.max(1, attempt.atMs - nowMs) };
    queue.inFlight += 1;
    return { queue };
  }

  endVisit(queue: BackQueue, contact: Contact): void {
    this.#rest(queue, contact);
  }

  /** No turn of the host until `resume` (its robots.txt is being fetched). */
  pause(queue: BackQueue): void {
    queue.isPaused = true;
    this.#heap.remove(queue);
  }

  resume(queue: BackQueue): void {
    queue.isPaused = false;
    this.#arm(queue);
  }

  /** The host that is due first, whenever that is. */
  get first(): BackQueue | undefined {
    return this.#heap.first();
  }

  /** The host asked for a pause, or a failure earned one. */
  block(queue: BackQueue, untilMs: number): void {
    queue.blockedUntilMs = Math.max(queue.blockedUntilMs, untilMs);
    this.#saveHost(queue);
    this.#arm(queue);
  }

  /** All URLs of the host become due at once, for the caller to settle them with this reason and without a contact. */
  giveUp(queue: BackQueue, reason: string): void {
    queue.givenUp = reason;
    this.#arm(queue);
  }

  /** After each commit: rows are on disk, acknowledged ones are gone. Takes what `beginCommit` gave before it. */
  endCommit(acked: readonly { readonly queue: BackQueue; readonly fingerprint: bigint }[]): void {
    for (const { queue, fingerprint } of acked) queue.forget([fingerprint]);
    const waiting = [...this.#awaitingCommit];
    this.#awaitingCommit.clear();
    for (const queue of waiting) this.#arm(queue);
  }

  /** Before each commit: what it will acknowledge, for `endCommit`. What is settled from now on waits for the next one. */
  beginCommit(): readonly { readonly queue: BackQueue; readonly fingerprint: bigint }[] {
    const acked = this.#acked;
    this.#acked = [];
    this.#options.store.putMeta('nextSeq', this.#nextSeq);
    return acked;
  }

  queueOf(url: NormalUrl): BackQueue {
    return this.#queue(hostOf(url));
  }

  checkConsistent(): void {
    this.#heap.checkConsistent();
    let pending = 0;
    for (const queue of this.#queues.values()) pending += queue.size;
    if (pending !== this.#pendingCount)
      throw new Error(`${pending} URLs wait, counted ${this.#pendingCount}`);
  }

  #queue(host: HostKey): BackQueue {
    const { store, clock } = this.#options;
    let queue = this.#queues.get(host);
    if (queue === undefined) {
      queue = new BackQueue(host, hostId(host));
      const row = store.host(queue.id);
      if (row !== undefined) {
        queue.fetchMs = row.fetchMs;
        queue.crawlDelayMs = row.crawlDelayMs;
        queue.failures = row.failures;
        queue.answers = row.answers;
        queue.blockedUntilMs = clock.monotonicMs() + row.notBeforeMs - clock.nowMs();
      }
      this.#queues.set(host, queue);
    }
    return queue;
  }

  #saveHost(queue: BackQueue): void {
    const { store, clock } = this.#options;
    const notBeforeMs =
      Math.max(queue.restUntilMs, queue.blockedUntilMs) - clock.monotonicMs() + clock.nowMs();
    const { host, fetchMs, crawlDelayMs, failures, answers } = queue;
    store.putHost(queue.id, { host, notBeforeMs, fetchMs, crawlDelayMs, failures, answers });
  }

  /** Puts the host where its times say, if it has URLs and no turn forbids it. */
  #arm(queue: BackQueue): void {
    const isBusy = queue.isPaused || (queue.inFlight > 0 && (this.#exclusive || queue.crawlDelayMs > 0));
    if (isBusy || queue.size === 0 || this.#resolving.has(queue) || this.#awaitingCommit.has(queue)) return;
    if (queue.givenUp !== '') {
      queue.wake(Number.POSITIVE_INFINITY);
      queue.dueAtMs = 0;
    } else {
      const wakesMs = queue.readyCount + queue.storedCount > 0 ? 0 : queue.nextWakeMs;
      queue.dueAtMs = Math.max(queue.restUntilMs, queue.blockedUntilMs, wakesMs);
    }
    this.#heap.update(queue);
    this.#options.onChange();
  }

  #resolve(queue: BackQueue): void {
    const { resolve, onUnresolved, onChange } = this.#options;
    this.#resolving.add(queue);
    resolve(queue.host)
      .then(
        (ip) => {
          this.#heap.remove(queue);
          queue.ip = ip;
          queue.isResolved = true;
          this.#resolving.delete(queue);
          this.#arm(queue);
        },
        (error: unknown) => {
          this.#resolving.delete(queue);
          onUnresolved(queue, error);
        },
      )
      .finally(onChange);
  }
}
