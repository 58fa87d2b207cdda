import { Worker } from 'node:worker_threads';
import type { Clock } from '../../shards/index.ts';
import { systemClock } from '../../shards/index.ts';
import { failParse } from './errors.ts';
import type { ParseReply, ParseRequest } from './messages.ts';
import { ownBytes } from './messages.ts';
import type { ParsedPage, ParseInput } from './parsed-page.ts';

export interface ParsePoolOptions {
  /** Threads. */
  readonly size: number;
  /** A page that takes longer is given up, and its thread is replaced. Default 30,000. */
  readonly timeLimitMs?: number;
  /** Heap of a thread; a page that needs more ends it. Default 1,024. */
  readonly maxHeapMb?: number;
  readonly clock?: Clock;
  /** Module of the thread; default: the parser beside this file. */
  readonly workerUrl?: URL;
}

/** Threads that parse. */
export interface ParsePool {
  /**
   * Parses in a thread. Takes over the bytes of `input.body`, which must not be used afterwards. Rejects with
   * CRAWL_PARSE_FAILED, _CRASHED, _TIMEOUT or _CLOSED, or with the signal's reason; other pages are not affected.
   */
  parse(input: ParseInput, signal?: AbortSignal): Promise<ParsedPage>;
  /** Ends all threads; pages that wait or are being parsed are rejected. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Job {
  readonly input: ParseInput;
  readonly resolve: (page: ParsedPage) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread and the page it is at; a new thread is started when the old one has ended. */
class Seat {
  readonly #options: Required<ParsePoolOptions>;
  #worker: Worker | undefined;
  #job: Job | undefined;
  /** Monotonic; of the present job. */
  #deadlineMs = 0;
  #isWatching = false;
  readonly #closing = new AbortController();
  #requestCount = 0;
  readonly #onFree: () => void;

  constructor(options: Required<ParsePoolOptions>, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  get isFree(): boolean {
    return this.#job === undefined;
  }

  isAt(job: Job): boolean {
    return this.#job === job;
  }

  start(job: Job): void {
    this.#job = job;
    const worker = this.#worker ?? this.#open();
    const body = ownBytes(job.input.body);
    const request: ParseRequest = { id: ++this.#requestCount, input: { ...job.input, body } };
    this.#deadlineMs = this.#options.clock.monotonicMs() + this.#options.timeLimitMs;
    if (!this.#isWatching) void this.#watch();
    try {
      worker.postMessage(request, [body.buffer]);
    } catch (error) {
      // Something in the input cannot be copied to a thread.
      this.#settle(() => job.reject(error));
    }
  }

  #open(): Worker {
    const worker = new Worker(this.#options.workerUrl, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxHeapMb },
    });
    let reason = 'it stopped';
    worker.on('message', (reply: ParseReply) => this.#onReply(reply));
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const url = this.#job?.input.url ?? '';
      this.#settle((job) => job.reject(failParse('CRAWL_PARSE_CRASHED', { url, reason })));
    });
    this.#worker = worker;
    return worker;
  }

  #onReply(reply: ParseReply): void {
    // Of a page that was given up in the meantime.
    if (reply.id !== this.#requestCount) return;
    this.#settle((job) => {
      if ('page' in reply) job.resolve(reply.page);
      else job.reject(failParse('CRAWL_PARSE_FAILED', { url: job.input.url, reason: reply.failure }));
    });
  }

  /**
   * Gives up the page that has passed its deadline. One sleep spans many pages: a timer for each would cost more than
   * the message.
   */
  async #watch(): Promise<void> {
    const { clock, timeLimitMs } = this.#options;
    this.#isWatching = true;
    while (this.#job !== undefined) {
      const restMs = this.#deadlineMs - clock.monotonicMs();
      if (restMs <= 0) {
        const { url } = this.#job.input;
        this.giveUp(this.#job, failParse('CRAWL_PARSE_TIMEOUT', { url, seconds: timeLimitMs / 1000 }));
      } else {
        await clock.sleep(restMs, this.#closing.signal).catch(() => {
          // Closed: the job is gone, which ends the loop.
        });
      }
    }
    this.#isWatching = false;
  }

  /** Ends the thread, which cannot be stopped in any other way while it computes. */
  giveUp(job: Job, error: unknown): void {
    if (this.#job !== job) return;
    void this.#endWorker();
    this.#settle(() => job.reject(error));
  }

  #settle(finish: (job: Job) => void): void {
    const job = this.#job;
    this.#job = undefined;
    if (job === undefined) return;
    finish(job);
    this.#onFree();
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async close(): Promise<void> {
    const url = this.#job?.input.url ?? '';
    this.#settle((job) => job.reject(failParse('CRAWL_PARSE_CLOSED', { url })));
    this.#closing.abort();
    await this.#endWorker();
  }
}

class Pool implements ParsePool {
  readonly #seats: readonly Seat[];
  readonly #waiting: Job[] = [];
  #isClosed = false;

  constructor(options: Required<ParsePoolOptions>) {
    this.#seats = Array.from({ length: options.size }, () => new Seat(options, () => this.#dispatch()));
  }

  async parse(input: ParseInput, signal?: AbortSignal): Promise<ParsedPage> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw failParse('CRAWL_PARSE_CLOSED', { url: input.url });
    let onAbort: () => void = () => {};
    const page = new Promise<ParsedPage>((resolve, reject) => {
      const job: Job = { input, resolve, reject };
      onAbort = () => this.#abort(job, signal?.reason);
      this.#waiting.push(job);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#dispatch();
    try {
      return await page;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #dispatch(): void {
    while (!this.#isClosed && this.#waiting.length > 0) {
      const seat = this.#seats.find((candidate) => candidate.isFree);
      const job = seat === undefined ? undefined : this.#waiting.shift();
      if (seat === undefined || job === undefined) return;
      seat.start(job);
    }
  }

  #abort(job: Job, reason: unknown): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
      job.reject(reason);
      return;
    }
    this.#seats.find((seat) => seat.isAt(job))?.giveUp(job, reason);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) {
      job.reject(failParse('CRAWL_PARSE_CLOSED', { url: job.input.url }));
    }
    await Promise.all(this.#seats.map(async (seat) => seat.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Threads that parse pages: each takes one page at a time, the rest waits in the order of the calls. */
export const createParsePool = (options: ParsePoolOptions): ParsePool =>
  new Pool({
    timeLimitMs: 30_000,
    maxHeapMb: 1024,
    clock: systemClock,
    workerUrl: new URL('./worker.js', import.meta.url),
    ...options,
  });
