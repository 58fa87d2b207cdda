import type { FileHandle } from 'node:fs/promises';
import { decodeFrameHeader, FRAME_HEADER_BYTES, type FrameHeader, frameIsIntact } from './frame.ts';

/** A whole frame with a right checksum, or the place where none could be read. */
export type Scanned =
  | {
      readonly ok: true;
      readonly offsetBytes: number;
      readonly endBytes: number;
      readonly header: FrameHeader;
      /** A view: valid until the next call. */
      readonly payload: Buffer;
    }
  | { readonly ok: false; readonly offsetBytes: number; readonly reason: string };

/** Reads a page log file frame after frame through one buffer, from `offsetBytes` up to `endBytes`. */
export class FrameScanner {
  readonly #handle: FileHandle;
  readonly #endBytes: number;
  #buffer: Buffer;
  /** What of the file the buffer holds: [#bufferStart, #bufferStart + #filled). */
  #bufferStart: number;
  #filled = 0;
  #offset: number;

  constructor(
    handle: FileHandle,
    range: { readonly offsetBytes: number; readonly endBytes: number },
    blockBytes = 1 << 20,
  ) {
    this.#handle = handle;
    this.#endBytes = range.endBytes;
    this.#offset = range.offsetBytes;
    this.#bufferStart = range.offsetBytes;
    this.#buffer = Buffer.allocUnsafe(blockBytes);
  }

  /** The next frame; undefined exactly at the end. After a frame that is not ok it does not move on. */
  async next(): Promise<Scanned | undefined> {
    const offsetBytes = this.#offset;
    const left = this.#endBytes - offsetBytes;
    if (left === 0) return undefined;
    const bad = (reason: string): Scanned => ({ ok: false, offsetBytes, reason });
    if (left < FRAME_HEADER_BYTES) return bad('the file ends inside a frame header');
    const head = await this.#read(FRAME_HEADER_BYTES);
    if (head === undefined) return bad('the file ends inside a frame header');
    const header = decodeFrameHeader(head);
    if (typeof header === 'string') return bad(header);
    const frameBytes = FRAME_HEADER_BYTES + header.payloadBytes;
    if (left < frameBytes) return bad(`the file ends inside a frame of ${frameBytes} bytes`);
    const frame = await this.#read(frameBytes);
    if (frame === undefined) return bad(`the file ends inside a frame of ${frameBytes} bytes`);
    if (!frameIsIntact(frame, header)) return bad('the checksum does not fit');
    this.#offset += frameBytes;
    const payload = frame.subarray(FRAME_HEADER_BYTES);
    return { ok: true, offsetBytes, endBytes: this.#offset, header, payload };
  }

  /** A view of `count` bytes at the current offset; undefined when the file has become shorter. */
  async #read(count: number): Promise<Buffer | undefined> {
    const start = this.#offset - this.#bufferStart;
    if (start + count <= this.#filled) return this.#buffer.subarray(start, start + count);
    this.#makeRoom(count);
    while (this.#filled < count) {
      const position = this.#bufferStart + this.#filled;
      const wanted = Math.min(this.#buffer.length - this.#filled, this.#endBytes - position);
      const { bytesRead } = await this.#handle.read(this.#buffer, this.#filled, wanted, position);
      if (bytesRead === 0) return undefined;
      this.#filled += bytesRead;
    }
    return this.#buffer.subarray(0, count);
  }

  /** Moves the unread rest to the buffer's start and grows it for `count` bytes. */
  #makeRoom(count: number): void {
    const rest = this.#buffer.subarray(this.#offset - this.#bufferStart, this.#filled);
    if (count > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(count, this.#buffer.length * 2));
      rest.copy(grown);
      this.#buffer = grown;
    } else {
      rest.copy(this.#buffer);
    }
    this.#filled = rest.length;
    this.#bufferStart = this.#offset;
  }
}
