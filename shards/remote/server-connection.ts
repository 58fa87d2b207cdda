import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';
import { VERSION } from '../values/version.ts';
import { failRemote } from './errors.ts';
import { writeFailure } from './failure.ts';
import type { Frame } from './frame.ts';
import { FrameSocket } from './frame-socket.ts';
import { HANDLERS, type Job, type ServedNode } from './handlers.ts';
import { ANSWER_BIT, FrameKind, MAX_FRAME_BYTES, MAX_HELLO_BYTES, MORE_BIT, PROTOCOL } from './kinds.ts';
import { MessageParts } from './message-parts.ts';
import { pack, payloadReader, violated } from './payload.ts';
import * as schemas from './schemas.ts';

/** How long a stranger may stay without saying hello. */
const HELLO_TIMEOUT_MS = 5000;
/** Long requests that one asker may have half sent. */
const MAX_HALF_SENT = 4;

/** What all connections of a shard server share. */
export interface ConnectionHost {
  readonly node: ServedNode;
  readonly clock: Clock;
  readonly token: string | undefined;
  readonly isDraining: () => boolean;
  /** Takes one of the places for open requests; throws SHARDS_NODE_BUSY when none is free. */
  readonly enter: () => void;
  readonly leave: () => void;
  readonly onClose: (connection: ServerConnection) => void;
}

/** A request that came whole. */
interface ReadRequest {
  readonly id: number;
  readonly kind: number;
  readonly job: Job;
}

const readHello = payloadReader('a hello', schemas.hello);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** One asker of a shard server: greets, runs its requests, answers in whatever order they are done. */
export class ServerConnection {
  readonly #host: ConnectionHost;
  readonly #peer: string;
  readonly #frames: FrameSocket;
  readonly #helloTimer: NodeJS.Timeout;
  /** Requests not yet answered. */
  readonly #open = new Map<number, AbortController>();
  readonly #halfSent = new Map<number, MessageParts>();
  /** Requests read from the present batch: they run after its last frame, which may cancel one. */
  #read: ReadRequest[] = [];
  #isGreeted = false;
  #isEnding = false;

  constructor(socket: Socket, host: ConnectionHost) {
    this.#host = host;
    this.#peer = `client ${socket.remoteAddress ?? ''}:${socket.remotePort ?? ''}`;
    this.#frames = new FrameSocket(socket, {
      peer: this.#peer,
      maxPayloadBytes: MAX_HELLO_BYTES,
      onFrame: (frame) => (this.#isGreeted ? this.#take(frame) : this.#greet(frame)),
      onBatchEnd: () => this.#runRead(),
      onViolation: (error) => this.#refuse(error),
      onClose: () => this.#closed(),
    });
    this.#helloTimer = setTimeout(() => this.destroy(), HELLO_TIMEOUT_MS);
  }

  /** Says that nothing new is taken, and ends the connection once all is answered. */
  drain(): void {
    this.#frames.send({ kind: FrameKind.goodbye, id: 0, payload: pack(null) });
    this.#isEnding = true;
    this.#endIfDone();
  }

  destroy(): void {
    this.#frames.destroy();
  }

  #closed(): void {
    clearTimeout(this.#helloTimer);
    for (const controller of this.#open.values()) controller.abort();
    this.#host.onClose(this);
  }

  #endIfDone(): void {
    if (this.#isEnding && this.#open.size === 0) this.#frames.end();
  }

  /** Says why, as the last frame. */
  #refuse(error: unknown): void {
    this.#read = [];
    this.#fail(0, error);
    this.#frames.end();
  }

  #fail(id: number, error: unknown): void {
    this.#frames.send({ kind: FrameKind.failure, id, payload: writeFailure(error) });
  }

  #greet({ kind, payload }: Frame): void {
    if (kind !== FrameKind.hello) throw violated(this.#peer, `a frame of kind ${kind}`, 'a hello');
    const { oldest, newest, token = '' } = readHello(payload, this.#peer);
    const protocol = Math.min(newest, PROTOCOL.newest);
    if (protocol < Math.max(oldest, PROTOCOL.oldest)) {
      throw failRemote('SHARDS_PROTOCOL_VERSION', {
        peer: this.#peer,
        found: `${oldest} to ${newest}`,
        expected: `${PROTOCOL.oldest} to ${PROTOCOL.newest}`,
      });
    }
    const expected = this.#host.token;
    if (expected !== undefined && !timingSafeEqual(digest(expected), digest(token))) {
      throw failRemote('SHARDS_NODE_FORBIDDEN');
    }
    clearTimeout(this.#helloTimer);
    this.#isGreeted = true;
    this.#frames.maxPayloadBytes = MAX_FRAME_BYTES;
    void this.#welcome(protocol);
  }

  async #welcome(protocol: number): Promise<void> {
    try {
      const status = await this.#host.node.status();
      const payload = pack({ protocol, version: VERSION, status });
      this.#frames.send({ kind: FrameKind.welcome, id: 0, payload });
    } catch (error) {
      this.#refuse(error);
    }
  }

  #take(frame: Frame): void {
    const { id, payload } = frame;
    if (frame.kind === FrameKind.cancel) {
      this.#halfSent.delete(id);
      this.#open.get(id)?.abort();
      return;
    }
    const kind = frame.kind & ~MORE_BIT;
    const handler = HANDLERS.get(kind);
    if (handler === undefined || id === 0 || this.#open.has(id)) {
      throw violated(this.#peer, `a frame of kind ${frame.kind} with id ${id}`, 'a new request');
    }
    if (payload.length > handler.maxRequestBytes) throw violated(this.#peer, 'a long request', 'a short one');
    if (frame.kind !== kind) {
      this.#partsOf(id, handler.maxRequestBytes).add(payload);
      return;
    }
    const parts = this.#halfSent.get(id);
    parts?.add(payload);
    this.#halfSent.delete(id);
    try {
      if (this.#host.isDraining()) throw failRemote('SHARDS_NODE_DRAINING');
      const job = handler.read(parts?.whole() ?? payload, this.#peer);
      this.#host.enter();
      this.#open.set(id, new AbortController());
      this.#read.push({ id, kind, job });
    } catch (error) {
      // The message was whole: only this request is lost.
      this.#fail(id, error);
    }
  }

  #partsOf(id: number, maxBytes: number): MessageParts {
    const known = this.#halfSent.get(id);
    if (known !== undefined) return known;
    if (this.#halfSent.size >= MAX_HALF_SENT) {
      throw violated(this.#peer, 'one more long request', `at most ${MAX_HALF_SENT} at once`);
    }
    const parts = new MessageParts(maxBytes);
    this.#halfSent.set(id, parts);
    return parts;
  }

  #runRead(): void {
    const read = this.#read;
    this.#read = [];
    const receivedMs = this.#host.clock.monotonicMs();
    for (const request of read) void this.#run(request, receivedMs);
  }

  async #run({ id, kind, job }: ReadRequest, receivedMs: number): Promise<void> {
    const { node, clock, leave } = this.#host;
    const signal = this.#open.get(id)?.signal ?? AbortSignal.abort();
    try {
      signal.throwIfAborted();
      const payload = await job({ node, clock, receivedMs, signal });
      if (!signal.aborted) this.#frames.send({ kind: kind | ANSWER_BIT, id, payload });
    } catch (error) {
      if (!signal.aborted) this.#fail(id, error);
    }
    leave();
    this.#open.delete(id);
    this.#endIfDone();
  }
}
