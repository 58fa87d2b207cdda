import { MAX_VARINT_BYTES, putVarint } from './varint.ts';

const encoder = new TextEncoder();

/** A growing byte array with a write position at its end. All integers are little-endian. */
export class ByteWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(capacityBytes = 1024) {
    this.#bytes = new Uint8Array(Math.max(16, capacityBytes));
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes written so far; the offset of the next one. */
  get length(): number {
    return this.#length;
  }

  u8(value: number): void {
    const offset = this.#reserve(1);
    this.#bytes[offset] = value;
  }

  u16(value: number): void {
    const offset = this.#reserve(2);
    this.#view.setUint16(offset, value, true);
  }

  u32(value: number): void {
    const offset = this.#reserve(4);
    this.#view.setUint32(offset, value, true);
  }

  u64(value: bigint): void {
    const offset = this.#reserve(8);
    this.#view.setBigUint64(offset, value, true);
  }

  f32(value: number): void {
    const offset = this.#reserve(4);
    this.#view.setFloat32(offset, value, true);
  }

  f64(value: number): void {
    const offset = this.#reserve(8);
    this.#view.setFloat64(offset, value, true);
  }

  /** 0..2^53-1 as LEB128. */
  varint(value: number): void {
    this.#ensure(MAX_VARINT_BYTES);
    this.#length = putVarint(this.#bytes, this.#length, value);
  }

  bytes(source: Uint8Array): void {
    const offset = this.#reserve(source.length);
    this.#bytes.set(source, offset);
  }

  /** Length in UTF-8 bytes as a varint, then the bytes. Lone surrogates become U+FFFD. */
  text(value: string): void {
    const utf8 = encoder.encode(value);
    this.varint(utf8.length);
    this.bytes(utf8);
  }

  /** Overwrites four bytes that were written before. */
  patchU32(offset: number, value: number): void {
    if (offset < 0 || offset + 4 > this.#length)
      throw new RangeError(`patch at ${offset} of ${this.#length}`);
    this.#view.setUint32(offset, value, true);
  }

  /** What was written, without a copy: valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of what was written. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** Empties the writer and keeps its memory. */
  clear(): void {
    this.#length = 0;
  }

  /** Offset of `count` new bytes. Call it in a statement of its own: it may replace #bytes and #view. */
  #reserve(count: number): number {
    this.#ensure(count);
    const offset = this.#length;
    this.#length += count;
    return offset;
  }

  #ensure(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.view());
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
