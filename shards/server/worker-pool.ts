import { Worker } from 'node:worker_threads';
import { failShards } from '../errors.ts';
import type { IndexStatistics } from '../statistics/statistics.ts';
import { CancelFlags } from './cancel-flags.ts';
import type { SearchAnswer, SearchRequest } from './shard-client.ts';
import type { Snapshot } from './snapshot.ts';
import {
  type FromWorker,
  processMs,
  type ToWorker,
  type WorkerData,
  type WorkerSettings,
} from './worker-messages.ts';

interface Pending {
  readonly sentMs: number;
  readonly resolve: (answer: SearchAnswer) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  worker: Worker;
  readonly cancelled: CancelFlags;
  isDead: boolean;
  /** Requests that the worker has not answered, by id. */
  readonly pending: Map<number, Pending>;
}

export interface PoolOptions extends WorkerSettings {
  /** Threads, at least 1. */
  readonly workers: number;
  readonly shards: readonly number[] | undefined;
  readonly nowMs: () => number;
}

/**
 * Threads that search over shared memory. A request goes whole to the thread with the fewest open requests. A thread that
 * dies fails its requests (SHARDS_WORKER_LOST) and is replaced when the next request comes; the new one is told all that is
 * open. A thread that could not attach a generation lives on and refuses what names it (SHARDS_WORKER_UNREADY).
 */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #seats: Seat[];
  /** By commit. */
  readonly #open = new Map<number, Snapshot>();
  #epochs: IndexStatistics[] = [];
  #nextId = 1;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#seats = Array.from({ length: options.workers }, () => this.#newSeat());
  }

  open(snapshot: Snapshot): void {
    this.#open.set(snapshot.generation.commit, snapshot);
    for (const seat of this.#seats) this.#tellOpen(seat, snapshot);
  }

  /** Called when no request uses the snapshot of that commit any more. */
  drop(commit: number): void {
    this.#open.delete(commit);
    for (const seat of this.#seats) this.#post(seat, { kind: 'close', commit });
  }

  addEpoch(statistics: IndexStatistics): void {
    this.#epochs = [...this.#epochs, statistics].slice(-2);
    for (const seat of this.#seats) this.#tellEpoch(seat, statistics);
  }

  /** When the signal aborts, the thread stops with what it has and nobody is told of it. */
  search(commit: number, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const seat = this.#seats.reduce((best, other) => (other.pending.size < best.pending.size ? other : best));
    if (seat.isDead) this.#replace(seat);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        seat.cancelled.cancel(id);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const settled = (): void => signal?.removeEventListener('abort', onAbort);
      seat.worker.ref();
      seat.pending.set(id, {
        sentMs: this.#options.nowMs(),
        resolve: (answer) => {
          settled();
          resolve(answer);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      this.#post(seat, { kind: 'search', id, commit, request, sentMs: processMs() });
    });
  }

  /** Ends the threads; open requests fail. */
  async close(): Promise<void> {
    await Promise.all(this.#seats.map(({ worker }) => worker.terminate()));
  }

  #newSeat(): Seat {
    const cancelled = new CancelFlags();
    const seat: Seat = { worker: this.#start(cancelled), cancelled, isDead: false, pending: new Map() };
    this.#attend(seat);
    return seat;
  }

  #start({ memory: cancelled }: CancelFlags): Worker {
    const workerData: WorkerData = { scoring: this.#options.scoring, cancelled };
    return new Worker(new URL('./search-worker.js', import.meta.url), { workerData });
  }

  #attend(seat: Seat): void {
    const { worker } = seat;
    let cause: unknown;
    worker.on('message', (message: FromWorker) => this.#settle(seat, message));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      for (const { reject } of seat.pending.values()) reject(failShards('SHARDS_WORKER_LOST', {}, cause));
      seat.pending.clear();
      seat.isDead = true;
    });
    // A node that is not closed must not keep the process alive; an open request does (search).
    worker.unref();
  }

  #replace(seat: Seat): void {
    seat.worker = this.#start(seat.cancelled);
    seat.isDead = false;
    this.#attend(seat);
    for (const snapshot of this.#open.values()) this.#tellOpen(seat, snapshot);
    for (const statistics of this.#epochs) this.#tellEpoch(seat, statistics);
  }

  #settle(seat: Seat, message: FromWorker): void {
    const pending = seat.pending.get(message.id);
    seat.pending.delete(message.id);
    if (pending === undefined) return;
    if (seat.pending.size === 0) seat.worker.unref();
    if ('unready' in message) {
      pending.reject(failShards('SHARDS_WORKER_UNREADY', { reason: message.unready }));
      return;
    }
    const { shards, searchMs } = message;
    const queueMs = Math.max(0, this.#options.nowMs() - pending.sentMs - searchMs);
    pending.resolve({ shards, searchMs, queueMs });
  }

  #tellOpen(seat: Seat, snapshot: Snapshot): void {
    const { shards } = this.#options;
    const generation = snapshot.generation.share();
    this.#post(seat, { kind: 'open', generation, ...(shards === undefined ? {} : { shards }) });
  }

  #tellEpoch(seat: Seat, { epoch, averageLengths }: IndexStatistics): void {
    this.#post(seat, { kind: 'epoch', epoch, averageLengths });
  }

  #post({ worker }: Seat, message: ToWorker): void {
    worker.postMessage(message);
  }
}
