import type { ByteWriter } from '../bytes/byte-writer.ts';

const GROUP_LENGTH = 8;
const LEAST_RESULTS = 256;

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
});

/**
 * Bytes of a short delta as a power of two: deltas of a block take 1 or 2 bytes (unit 0), or 2 or 4 (unit 1) when
 * one of them is above 65535.
 */
export type PositionUnit = 0 | 1;

const putUint = (target: ByteWriter, value: number, sizeBytes: number): void => {
  if (sizeBytes === 1) target.u8(value);
  else if (sizeBytes === 2) target.u16(value);
  else target.u32(value);
};

/**
 * Codes the position deltas of a full block: groups of eight, each a control byte, whose bit i says that delta i takes
 * the long form, and the deltas' bytes. Whole groups are skipped by counting bits ("1-bit stream vbyte": after Lemire,
 * Kurz and Rupp, "Stream VByte", with one control bit instead of two). Returns the unit.
 */
export const encodePositionBlock = (deltas: Uint32Array, target: ByteWriter): PositionUnit => {
  let union = 0;
  for (let i = 0; i < deltas.length; i += 1) union |= deltas[i]!;
  const unit = union >>> 16 > 0 ? 1 : 0;
  const shortBytes = 1 << unit;
  const shortLimit = unit === 0 ? 0xff : 0xffff;
  for (let start = 0; start < deltas.length; start += GROUP_LENGTH) {
    const end = Math.min(start + GROUP_LENGTH, deltas.length);
    let control = 0;
    for (let i = start; i < end; i += 1) if (deltas[i]! > shortLimit) control |= 1 << (i - start);
    target.u8(control);
    for (let i = start; i < end; i += 1) {
      putUint(target, deltas[i]!, deltas[i]! > shortLimit ? shortBytes * 2 : shortBytes);
    }
  }
  return unit;
};

/** Codes the deltas of a tail, one varint each. */
export const encodePositionTail = (deltas: Uint32Array, target: ByteWriter): void => {
  for (const delta of deltas) target.varint(delta);
};

/**
 * Walks the deltas of one block or tail. `index` counts the deltas that lie behind; `mark` and `rewind` go back to a
 * place in the same block, since the fields of a document may be asked for in any order.
 */
export class PositionReader {
  readonly #bytes: Uint8Array;
  #offset = 0;
  #control = 0;
  #unit: PositionUnit = 0;
  #varints = false;
  #start = 0;
  #marked = { offset: 0, control: 0, index: 0 };
  /** Positions read since the last mark; one array for many small answers. */
  #results = new Uint32Array(LEAST_RESULTS);
  #used = 0;
  index = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  openBlock(offset: number, unit: PositionUnit): void {
    this.#unit = unit;
    this.#varints = false;
    this.#open(offset);
  }

  openTail(offset: number): void {
    this.#varints = true;
    this.#open(offset);
  }

  #open(offset: number): void {
    this.#start = offset;
    this.#offset = offset;
    this.#control = 0;
    this.index = 0;
    this.#marked = { offset, control: 0, index: 0 };
  }

  /** Moves to delta `index` and remembers the place. */
  mark(index: number): void {
    this.seek(index);
    this.#used = 0;
    this.#marked.offset = this.#offset;
    this.#marked.control = this.#control;
    this.#marked.index = this.index;
  }

  /** Moves to delta `index`: forward from here, or from the mark, or from the start. */
  seek(index: number): void {
    if (index < this.index) {
      if (index >= this.#marked.index) {
        this.#offset = this.#marked.offset;
        this.#control = this.#marked.control;
        this.index = this.#marked.index;
      } else {
        this.#offset = this.#start;
        this.index = 0;
      }
    }
    if (this.#varints) this.#skipVarints(index - this.index);
    else this.#skipGroups(index);
    this.index = index;
  }

  #skipVarints(count: number): void {
    const end = this.#bytes.length;
    for (let rest = count; rest > 0 && this.#offset < end; this.#offset += 1) {
      if (this.#bytes[this.#offset]! < 128) rest -= 1;
    }
  }

  #skipGroups(target: number): void {
    let index = this.index;
    while (index < target) {
      const inGroup = index % GROUP_LENGTH;
      if (inGroup === 0) this.#control = this.#bytes[this.#offset++]!;
      const count = Math.min(GROUP_LENGTH - inGroup, target - index);
      const longs = ONES[(this.#control >>> inGroup) & ((1 << count) - 1)]!;
      this.#offset += (count + longs) << this.#unit;
      index += count;
    }
  }

  /** The next `count` deltas, added up. A view, valid until the next `mark`. */
  read(count: number): Uint32Array {
    if (this.#used + count > this.#results.length) {
      // Views that were given out keep the old array.
      this.#results = new Uint32Array(Math.max(LEAST_RESULTS, count * 2));
      this.#used = 0;
    }
    const { buffer, BYTES_PER_ELEMENT } = this.#results;
    const positions = new Uint32Array(buffer, this.#used * BYTES_PER_ELEMENT, count);
    this.#used += count;
    if (this.#varints) this.#readVarints(positions);
    else this.#readGroups(positions);
    this.index += count;
    return positions;
  }

  #readVarints(positions: Uint32Array): void {
    let position = 0;
    for (let i = 0; i < positions.length; i += 1) {
      let byte = this.#bytes[this.#offset++]!;
      let delta = byte & 127;
      for (let shift = 7; byte >= 128 && shift < 35; shift += 7) {
        byte = this.#bytes[this.#offset++]!;
        delta |= (byte & 127) << shift;
      }
      position += delta >>> 0;
      positions[i] = position;
    }
  }

  #readGroups(positions: Uint32Array): void {
    const bytes = this.#bytes;
    let offset = this.#offset;
    let control = this.#control;
    let position = 0;
    for (let i = 0; i < positions.length; i += 1) {
      const inGroup = (this.index + i) % GROUP_LENGTH;
      if (inGroup === 0) control = bytes[offset++]!;
      const long = (control >>> inGroup) & 1;
      let delta = bytes[offset++]!;
      if (this.#unit === 1) {
        delta |= bytes[offset++]! << 8;
        if (long === 1) {
          delta = (delta | (bytes[offset]! << 16) | (bytes[offset + 1]! << 24)) >>> 0;
          offset += 2;
        }
      } else if (long === 1) {
        delta |= bytes[offset++]! << 8;
      }
      position += delta;
      positions[i] = position;
    }
    this.#offset = offset;
    this.#control = control;
  }
}
