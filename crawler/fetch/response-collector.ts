import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type FetchLimits, isUnwantedType } from './limits.ts';

/** Why a body is not whole: cut by our limits, too slow, broken off, or not wanted. */
export type Truncation = '' | 'length' | 'time' | 'disconnect' | 'type';

export interface CollectedResponse {
  readonly status: number;
  /** Lower-case names; several values joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent, before content-decoding. */
  readonly body: Uint8Array;
  readonly truncated: Truncation;
}

class Enough extends Error {
  readonly truncated: Truncation;

  constructor(truncated: Truncation) {
    super(`enough was read (${truncated})`);
    this.truncated = truncated;
  }
}

const flatten = (headers: IncomingHttpHeaders): Record<string, string> => {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
};

/**
 * Receives one response from undici without a stream in between. Calls `done` once, with the response or with the error that
 * came before its headers.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #limits: FetchLimits;
  readonly #monotonicMs: () => number;
  readonly #done: (response: CollectedResponse | Error) => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #headers: Record<string, string> = {};
  #bodyStartMs = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #isDone = false;

  constructor(options: {
    readonly limits: FetchLimits;
    readonly monotonicMs: () => number;
    readonly done: (response: CollectedResponse | Error) => void;
  }) {
    this.#limits = options.limits;
    this.#monotonicMs = options.monotonicMs;
    this.#done = options.done;
  }

  /** The wall-clock deadline has passed, or the crawl stops. What was read so far counts. */
  expire(error: Error): void {
    if (this.#status > 0) this.#finish('time');
    else this.#fail(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isDone) controller.abort(new Enough('time'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = flatten(headers);
    this.#bodyStartMs = this.#monotonicMs();
    if (status === 200 && isUnwantedType(this.#headers['content-type'] ?? '')) {
      controller.abort(new Enough('type'));
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDone) return;
    const room = this.#limits.maxBodyBytes - this.#bytes;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += Math.min(room, chunk.length);
    if (chunk.length > room) controller.abort(new Enough('length'));
    else if (this.#isTooSlow()) controller.abort(new Enough('time'));
  }

  #isTooSlow(): boolean {
    const elapsedMs = this.#monotonicMs() - this.#bodyStartMs;
    return (
      elapsedMs > this.#limits.slowGraceMs && this.#bytes < (this.#limits.minBytesPerS * elapsedMs) / 1000
    );
  }

  onResponseEnd(): void {
    this.#finish('');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof Enough) this.#finish(error.truncated);
    else if (this.#status === 0) this.#fail(error);
    else if ((error as NodeJS.ErrnoException).code === 'UND_ERR_BODY_TIMEOUT') this.#finish('time');
    else this.#finish('disconnect');
  }

  #finish(truncated: Truncation): void {
    if (this.#isDone) return;
    this.#isDone = true;
    // Not from the shared pool: the bytes are handed to a worker by transfer.
    const body = new Uint8Array(this.#bytes);
    let offset = 0;
    for (const chunk of this.#chunks) {
      body.set(chunk, offset);
      offset += chunk.length;
    }
    this.#done({ status: this.#status, headers: this.#headers, body, truncated });
  }

  #fail(error: Error): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#done(error);
  }
}
