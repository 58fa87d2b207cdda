import type { Socket } from 'node:net';
import { failRemote } from './errors.ts';
import { encodeFrame, type Frame, FrameReader } from './frame.ts';
import { splitMessage } from './message-parts.ts';

/** Probes of an idle connection, so that a machine that vanished is noticed without traffic. */
const KEEP_ALIVE_MS = 10_000;

export interface FrameSocketOptions {
  readonly peer: string;
  readonly maxPayloadBytes: number;
  readonly onFrame: (frame: Frame) => void;
  /** Called after all frames of what the system delivered at once. */
  readonly onBatchEnd?: () => void;
  /** The peer's bytes are no frames; nothing more is read. */
  readonly onViolation: (error: Error) => void;
  /** Called once, whoever ended it. */
  readonly onClose: (reason: string) => void;
}

/** Frames over a TCP connection, both ways. */
export class FrameSocket {
  readonly #socket: Socket;
  readonly #reader: FrameReader;
  #isCorked = false;

  constructor(socket: Socket, options: FrameSocketOptions) {
    this.#socket = socket;
    this.#reader = new FrameReader(options);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    let reason = 'the other side closed it';
    socket.on('data', (chunk: Buffer) => this.#receive(chunk, options));
    socket.on('drain', () => socket.resume());
    socket.on('end', () => {
      if (!this.#reader.isAtBoundary) reason = 'the other side closed it inside a message';
    });
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => options.onClose(reason));
  }

  /** Raised once the peer has said who it is. */
  set maxPayloadBytes(bytes: number) {
    this.#reader.maxPayloadBytes = bytes;
  }

  /** A message, in as many frames as it needs. What is sent in one turn of the event loop goes out together. A peer that does not read is not read from. */
  send(frame: Frame): void {
    const socket = this.#socket;
    if (socket.destroyed || socket.writableEnded) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        socket.uncork();
      });
    }
    let isTaken = true;
    for (const part of splitMessage(frame)) isTaken = socket.write(encodeFrame(part));
    if (!isTaken) socket.pause();
  }

  /** Closes once what was sent is on its way. */
  end(): void {
    this.#socket.end();
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer, { peer, onBatchEnd, onViolation }: FrameSocketOptions): void {
    if (this.#socket.writableEnded) return;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      onViolation(error instanceof Error ? error : failRemote('SHARDS_NODE_FAILED', { reason: peer }));
      return;
    }
    onBatchEnd?.();
  }
}
