import { failRemote } from './errors.ts';

/** Bytes of a frame before its payload: length, kind, id. */
export const FRAME_HEADER_BYTES = 9;
/** What the length field counts besides the payload: kind and id. */
const COUNTED_HEADER_BYTES = 5;
const LENGTH_BYTES = 4;
/** A buffer that held a long frame is not kept for the short ones after it. */
const KEPT_BUFFER_BYTES = 64 * 1024;

/** One message on a connection: PROTOCOL.md. */
export interface Frame {
  /** u8, of messages.ts. */
  readonly kind: number;
  /** u32: which request it belongs to; 0 for the connection as a whole. */
  readonly id: number;
  readonly payload: Uint8Array;
}

export const encodeFrame = ({ kind, id, payload }: Frame): Buffer => {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  bytes.writeUInt32LE(COUNTED_HEADER_BYTES + payload.length, 0);
  bytes.writeUInt8(kind, LENGTH_BYTES);
  bytes.writeUInt32LE(id, COUNTED_HEADER_BYTES);
  bytes.set(payload, FRAME_HEADER_BYTES);
  return bytes;
};

export interface FrameReaderOptions {
  /** Who sends, for errors. */
  readonly peer: string;
  /** Longest payload; a longer one is refused when its length is read, before its bytes are kept. */
  readonly maxPayloadBytes: number;
  /** Called for each whole frame; its payload is valid until the call returns. */
  readonly onFrame: (frame: Frame) => void;
}

/**
 * Cuts what a socket delivers into frames. Holds at most about twice the bytes that have come of one frame, whatever
 * its length field claims. A frame that lies whole in one chunk is not copied.
 */
export class FrameReader {
  /** May be raised once the peer is known. */
  maxPayloadBytes: number;
  readonly #peer: string;
  readonly #onFrame: (frame: Frame) => void;
  /** Start of a frame that has not come whole: the first #length bytes. */
  #buffer = Buffer.alloc(0);
  #length = 0;
  /** Bytes without which there is nothing to do. */
  #needed = LENGTH_BYTES;

  constructor({ peer, maxPayloadBytes, onFrame }: FrameReaderOptions) {
    this.#peer = peer;
    this.maxPayloadBytes = maxPayloadBytes;
    this.#onFrame = onFrame;
  }

  /** Whether the stream may end here: not inside a frame. */
  get isAtBoundary(): boolean {
    return this.#length === 0;
  }

  /** Throws SHARDS_PROTOCOL_VIOLATED or SHARDS_MESSAGE_TOO_LONG; the stream is of no use afterwards. */
  push(chunk: Buffer): void {
    if (this.#length === 0) {
      this.#keep(chunk, this.#deliver(chunk));
      return;
    }
    this.#append(chunk);
    if (this.#length < this.#needed) return;
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#keep(bytes, this.#deliver(bytes));
  }

  /** Hands out the whole frames of `bytes`; returns where the first one begins that is not whole. */
  #deliver(bytes: Buffer): number {
    let at = 0;
    for (;;) {
      const left = bytes.length - at;
      this.#needed = LENGTH_BYTES;
      if (left < this.#needed) return at;
      const length = this.#checked(bytes.readUInt32LE(at));
      this.#needed = LENGTH_BYTES + length;
      if (left < this.#needed) return at;
      const end = at + this.#needed;
      this.#onFrame({
        kind: bytes.readUInt8(at + LENGTH_BYTES),
        id: bytes.readUInt32LE(at + COUNTED_HEADER_BYTES),
        payload: bytes.subarray(at + FRAME_HEADER_BYTES, end),
      });
      at = end;
    }
  }

  #checked(length: number): number {
    if (length < COUNTED_HEADER_BYTES) {
      const found = `a frame of length ${length}`;
      throw failRemote('SHARDS_PROTOCOL_VIOLATED', {
        peer: this.#peer,
        found,
        expected: `at least ${COUNTED_HEADER_BYTES}`,
      });
    }
    const payloadBytes = length - COUNTED_HEADER_BYTES;
    if (payloadBytes > this.maxPayloadBytes) {
      throw failRemote('SHARDS_MESSAGE_TOO_LONG', { bytes: payloadBytes, limit: this.maxPayloadBytes });
    }
    return length;
  }

  #append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  /** Keeps the bytes from `start` on; they may lie in the buffer itself. */
  #keep(bytes: Buffer, start: number): void {
    const rest = bytes.subarray(start);
    if (rest.length > this.#buffer.length || this.#buffer.length > KEPT_BUFFER_BYTES) {
      this.#buffer = Buffer.from(rest);
    } else {
      this.#buffer.set(rest, 0);
    }
    this.#length = rest.length;
  }
}
