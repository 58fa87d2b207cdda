import type { Clock, NormalUrl } from '../../shards/index.ts';
import { originOf, pathOf } from '../url/hosts.ts';
import { Clients, type ClientsOptions, type OriginClient } from './clients.ts';
import { type FailureKind, failureOf } from './failures.ts';
import type { FetchLimits } from './limits.ts';
import { type CollectedResponse, ResponseCollector } from './response-collector.ts';

export interface FetchRequest {
  readonly url: NormalUrl;
  /** Validators of the copy that we have (RFC 9110, 13.1); '' for none. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** Bytes of the body that are read, if fewer than the usual limit. */
  readonly maxBytes?: number;
  /** Ends the fetch at once, as a failure. */
  readonly signal?: AbortSignal;
}

interface Timing {
  /** Address that was connected to, '' if none was. */
  readonly ip: string;
  /** Monotonic. */
  readonly endedAtMs: number;
  readonly fetchMs: number;
}

/** An answer of any status, or why there is none. A redirect is an answer; it is never followed here. */
export type FetchResult =
  | (CollectedResponse & Timing & { readonly kind: 'answer' })
  | (Timing & { readonly kind: 'failure'; readonly failure: FailureKind; readonly message: string });

export interface FetcherOptions extends ClientsOptions {
  readonly clock: Clock;
  readonly limits: FetchLimits;
  /** User-Agent line. */
  readonly agent: string;
  /** From line (RFC 9110, 10.1.2): a mail address, '' for none. */
  readonly from?: string;
}

const deadlineError = (): Error =>
  Object.assign(new Error('the fetch took longer than allowed'), { code: 'EDEADLINE' });

/** Deadlines are looked at this often: one timer for all fetches instead of one for each. */
const DEADLINE_STEP_MS = 250;

/** One GET at a time per call, over kept connections; within FetchLimits whatever the server does. */
export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #clients: Clients;
  readonly #headers: Readonly<Record<string, string>>;
  /** Fetches under way and the monotonic end of their time. */
  readonly #deadlines = new Map<ResponseCollector, number>();
  #isSweeping = false;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#clients = new Clients(options);
    this.#headers = {
      'user-agent': options.agent,
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,text/markdown;q=0.9,*/*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
      ...(options.from ? { from: options.from } : {}),
    };
  }

  async fetch(request: FetchRequest): Promise<FetchResult> {
    const client = this.#clients.take(originOf(request.url));
    try {
      const answersBefore = client.answers;
      const first = await this.#attempt(client, request);
      // A kept connection that the server closed as we wrote is no failure of the host (RFC 9112, 9.3.1): once more.
      const isStale = first.kind === 'failure' && first.failure === 'reset' && answersBefore > 0;
      return isStale && request.signal?.aborted !== true ? await this.#attempt(client, request) : first;
    } finally {
      this.#clients.giveBack(client);
    }
  }

  /** Breaks all connections. */
  close(): Promise<void> {
    return this.#clients.close();
  }

  async #attempt(client: OriginClient, request: FetchRequest): Promise<FetchResult> {
    const { clock } = this.#options;
    const startedAtMs = clock.monotonicMs();
    const response = await this.#dispatch(client, request);
    const endedAtMs = clock.monotonicMs();
    const timing = { ip: client.ip, endedAtMs, fetchMs: endedAtMs - startedAtMs };
    if (response instanceof Error) {
      return { kind: 'failure', failure: failureOf(response), message: response.message, ...timing };
    }
    client.answers += 1;
    return { kind: 'answer', ...response, ...timing };
  }

  #dispatch(client: OriginClient, request: FetchRequest): Promise<CollectedResponse | Error> {
    const { clock, limits } = this.#options;
    return new Promise((resolve) => {
      const collector = new ResponseCollector({
        limits: request.maxBytes === undefined ? limits : { ...limits, maxBodyBytes: request.maxBytes },
        monotonicMs: () => clock.monotonicMs(),
        done: (response) => {
          this.#deadlines.delete(collector);
          request.signal?.removeEventListener('abort', stop);
          resolve(response);
        },
      });
      const stop = (): void => collector.expire(deadlineError());
      request.signal?.addEventListener('abort', stop);
      if (request.signal?.aborted === true) {
        stop();
        return;
      }
      this.#deadlines.set(collector, clock.monotonicMs() + limits.totalMs);
      void this.#sweep();
      client.dispatcher.dispatch(
        { path: pathOf(request.url), method: 'GET', headers: this.#requestHeaders(request) },
        collector,
      );
    });
  }

  /** Ends fetches whose time is over, until none is under way. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    const { clock } = this.#options;
    while (this.#deadlines.size > 0) {
      await clock.sleep(DEADLINE_STEP_MS);
      const nowMs = clock.monotonicMs();
      for (const [collector, deadlineMs] of this.#deadlines) {
        if (deadlineMs <= nowMs) collector.expire(deadlineError());
      }
    }
    this.#isSweeping = false;
  }

  #requestHeaders({ etag, lastModified }: FetchRequest): Record<string, string> {
    const headers: Record<string, string> = { ...this.#headers };
    if (etag) headers['if-none-match'] = etag;
    if (lastModified) headers['if-modified-since'] = lastModified;
    return headers;
  }
}
