import { failShards } from '../errors.ts';
import { MAX_VARINT_BYTES } from './varint.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads what ByteWriter wrote. Every read is checked against the end, so that damaged bytes lead to
 * SHARDS_READ_OVERRUN and never to garbage, a hang or a huge allocation.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #file: string;
  #offset = 0;

  /** `file` names the source in errors. */
  constructor(bytes: Uint8Array, file: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#file = file;
  }

  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** LEB128, 0..2^53-1. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < MAX_VARINT_BYTES; count += 1) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= 128;
    }
    throw this.#damage('a varint above 2^53', 'a varint of at most 53 bits');
  }

  /** A view of the next `count` bytes, not a copy. */
  bytes(count: number): Uint8Array {
    const start = this.#take(count);
    return this.#bytes.subarray(start, start + count);
  }

  /** A string as ByteWriter.text wrote it. */
  text(): string {
    const utf8 = this.bytes(this.varint());
    try {
      return decoder.decode(utf8);
    } catch {
      throw this.#damage('bytes that are not UTF-8', 'UTF-8 text');
    }
  }

  seek(offset: number): void {
    if (!(offset >= 0 && offset <= this.#bytes.length)) {
      throw this.#damage(`a pointer to byte ${offset}`, `one of at most ${this.#bytes.length}`);
    }
    this.#offset = offset;
  }

  #take(count: number): number {
    if (!(count >= 0 && count <= this.remaining)) {
      throw this.#damage(`${this.remaining} bytes to the end`, `${count} more`);
    }
    const start = this.#offset;
    this.#offset += count;
    return start;
  }

  #damage(found: string, expected: string): Error {
    return failShards('SHARDS_READ_OVERRUN', { file: this.#file, offset: this.#offset, found, expected });
  }
}
