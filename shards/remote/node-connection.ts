import { connect } from 'node:net';
import type { NodeStatus } from '../server/shard-client.ts';
import { failRemote } from './errors.ts';
import { readFailure } from './failure.ts';
import type { Frame } from './frame.ts';
import { FrameSocket } from './frame-socket.ts';
import { ANSWER_BIT, FrameKind, MAX_FRAME_BYTES, MORE_BIT, PROTOCOL } from './kinds.ts';
import { MessageParts } from './message-parts.ts';
import { type Operation, statusOf } from './operations.ts';
import { pack, payloadReader, violated } from './payload.ts';
import * as schemas from './schemas.ts';

/** Ids are u32; a connection that has used them up is replaced. */
const MAX_ID = 0xffff_ffff;

export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

export interface NodeConnectionOptions extends NodeAddress {
  readonly token: string | undefined;
  /** For TCP and hello together. */
  readonly connectTimeoutMs: number;
}

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A request that waits for its answer. */
interface Pending {
  readonly kind: number;
  readonly maxAnswerBytes: number;
  readonly timer: NodeJS.Timeout;
  /** Of #receivedCount when it was sent. */
  readonly receivedBefore: number;
  parts: MessageParts | undefined;
  readonly settle: (payload: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** HOST:PORT, an IPv6 address in brackets. */
export const formatNodeAddress = ({ host, port }: NodeAddress): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

const readWelcome = payloadReader('a welcome', schemas.welcome);

/**
 * One greeted connection to a shard server, shared by all requests of a process. It ends once and is not opened again:
 * when the server goes, when what comes is not the protocol, or when a request got no answer and nothing else came
 * meanwhile. All that is open then fails with SHARDS_NODE_LOST.
 */
export class NodeConnection {
  readonly #node: string;
  readonly #frames: FrameSocket;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #isOpen = true;
  #receivedCount = 0;
  /** Settles the opening; undefined once it is settled. */
  #opening:
    | { readonly resolve: (status: NodeStatus) => void; readonly reject: (error: unknown) => void }
    | undefined;

  private constructor(options: NodeConnectionOptions) {
    const { host, port } = options;
    this.#node = formatNodeAddress(options);
    this.#frames = new FrameSocket(connect({ host, port }), {
      peer: `node ${this.#node}`,
      maxPayloadBytes: MAX_FRAME_BYTES,
      onFrame: (frame) => this.#take(frame),
      onViolation: (error) => this.#end(error),
      onClose: (reason) =>
        this.#end(this.#opening === undefined ? this.#lost(reason) : this.#unreachable(reason)),
    });
  }

  /**
   * Connects and greets; resolves with what the node says of itself. Throws SHARDS_NODE_UNREACHABLE,
   * SHARDS_PROTOCOL_VERSION, SHARDS_NODE_FORBIDDEN, SHARDS_PROTOCOL_VIOLATED.
   */
  static async open(options: NodeConnectionOptions): Promise<NodeConnection> {
    const connection = new NodeConnection(options);
    await connection.#greet(options);
    return connection;
  }

  /** Whether new requests may be sent. */
  get isOpen(): boolean {
    return this.#isOpen && this.#nextId <= MAX_ID;
  }

  /**
   * Asks, and waits for the answer of the same id. When the signal aborts or time is up, the server is told, and what
   * it answers all the same is passed over. Throws SHARDS_NODE_LATE, SHARDS_NODE_LOST, what the node answered instead,
   * SHARDS_PROTOCOL_VIOLATED, and the signal's reason.
   */
  async call<Request, Answer>(
    operation: Operation<Request, Answer>,
    request: Request,
    options: CallOptions,
  ): Promise<Answer> {
    options.signal?.throwIfAborted();
    const payload = operation.writeRequest(request);
    if (payload.length > operation.maxRequestBytes) {
      const lengths = { bytes: payload.length, limit: operation.maxRequestBytes };
      throw failRemote('SHARDS_MESSAGE_TOO_LONG', lengths);
    }
    if (!this.isOpen) throw this.#lost('it was closed');
    const { kind, maxAnswerBytes } = operation;
    return new Promise((resolve, reject) => {
      const settle = (answer: Uint8Array): void => {
        try {
          resolve(operation.readAnswer(answer, `node ${this.#node}`, request));
        } catch (error) {
          reject(error);
        }
      };
      this.#send({ kind, payload }, options, { maxAnswerBytes, settle, reject });
    });
  }

  /** What is open fails with SHARDS_NODE_LOST. */
  close(): void {
    this.#end(this.#lost('this side closed it'));
  }

  #lost(reason: string): Error {
    return failRemote('SHARDS_NODE_LOST', { node: this.#node, reason });
  }

  async #greet({ token, connectTimeoutMs }: NodeConnectionOptions): Promise<void> {
    const hello = { magic: schemas.MAGIC, ...PROTOCOL, ...(token === undefined ? {} : { token }) };
    this.#frames.send({ kind: FrameKind.hello, id: 0, payload: pack(hello) });
    const timer = setTimeout(() => {
      this.#end(this.#unreachable(`no welcome within ${connectTimeoutMs} ms`));
    }, connectTimeoutMs);
    try {
      await new Promise<NodeStatus>((resolve, reject) => {
        this.#opening = { resolve, reject };
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #unreachable(reason: string, cause?: unknown): Error {
    return failRemote('SHARDS_NODE_UNREACHABLE', { node: this.#node, reason }, cause);
  }

  #send(
    { kind, payload }: Omit<Frame, 'id'>,
    { timeoutMs, signal }: CallOptions,
    { maxAnswerBytes, settle, reject }: Pick<Pending, 'maxAnswerBytes' | 'settle' | 'reject'>,
  ): void {
    const id = this.#nextId++;
    const onAbort = (): void => this.#giveUp(id, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => this.#late(id, timeoutMs), timeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    this.#pending.set(id, {
      kind: kind | ANSWER_BIT,
      maxAnswerBytes,
      timer,
      receivedBefore: this.#receivedCount,
      parts: undefined,
      settle: (answer) => {
        done();
        settle(answer);
      },
      reject: (error) => {
        done();
        reject(error);
      },
    });
    this.#frames.send({ kind, id, payload });
  }

  #take(frame: Frame): void {
    this.#receivedCount += 1;
    const { kind, id, payload } = frame;
    if (kind === FrameKind.goodbye) {
      this.#isOpen = false;
      this.#opening?.reject(this.#unreachable('it is being stopped'));
      return;
    }
    if (kind === FrameKind.failure) {
      this.#takeFailure(id, readFailure(payload, `node ${this.#node}`));
      return;
    }
    if (this.#opening !== undefined) {
      this.#takeWelcome(frame);
      return;
    }
    const pending = this.#pendingOf(id);
    if (pending === undefined) return;
    if ((kind & ~MORE_BIT) !== pending.kind) {
      throw violated(`node ${this.#node}`, `an answer of kind ${kind}`, `one of kind ${pending.kind}`);
    }
    if (kind !== pending.kind || pending.parts !== undefined) {
      pending.parts ??= new MessageParts(pending.maxAnswerBytes);
      pending.parts.add(payload);
      if (kind !== pending.kind) return;
    }
    this.#pending.delete(id);
    pending.settle(pending.parts?.whole() ?? payload);
  }

  /** undefined for one that nobody waits for any more; throws for one that was never sent. */
  #pendingOf(id: number): Pending | undefined {
    if (id === 0 || id >= this.#nextId) {
      throw violated(`node ${this.#node}`, `an answer to request ${id}`, 'one to a request that was sent');
    }
    return this.#pending.get(id);
  }

  #takeFailure(id: number, error: Error): void {
    if (id === 0) {
      this.#end(error);
      return;
    }
    const pending = this.#pendingOf(id);
    this.#pending.delete(id);
    pending?.reject(error);
  }

  #takeWelcome({ kind, payload }: Frame): void {
    const peer = `node ${this.#node}`;
    if (kind !== FrameKind.welcome) throw violated(peer, `a frame of kind ${kind}`, 'a welcome');
    const { protocol, status } = readWelcome(payload, peer);
    if (protocol < PROTOCOL.oldest || protocol > PROTOCOL.newest) {
      const expected = `${PROTOCOL.oldest} to ${PROTOCOL.newest}`;
      throw failRemote('SHARDS_PROTOCOL_VERSION', { peer, found: protocol, expected });
    }
    this.#opening?.resolve(statusOf(status));
    this.#opening = undefined;
  }

  /** Passes over what may still come, and tells the server. */
  #giveUp(id: number, reason: unknown): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#frames.send({ kind: FrameKind.cancel, id, payload: pack(null) });
    pending?.reject(reason);
  }

  #late(id: number, timeoutMs: number): void {
    const wasSilent = this.#pending.get(id)?.receivedBefore === this.#receivedCount;
    this.#giveUp(id, failRemote('SHARDS_NODE_LATE', { node: this.#node, timeoutMs }));
    if (wasSilent) this.#end(this.#lost(`nothing came for ${timeoutMs} ms`));
  }

  #end(error: Error): void {
    this.#isOpen = false;
    this.#frames.destroy();
    this.#opening?.reject(error);
    this.#opening = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }
}
