import type { ByteWriter } from '../bytes/byte-writer.ts';
import { BLOCK_LENGTH } from './bit-packing.ts';
import { OTHER_COUNT } from './field-slots.ts';

/** Up to 128 postings, unpacked. Reused from block to block. */
export interface PostingRows {
  readonly docs: Uint32Array;
  readonly bodyFrequencies: Uint32Array;
  /** Rows of OTHER_COUNT values. */
  readonly otherFrequencies: Uint32Array;
}

/** Room for one block. */
export const newPostingRows = (): PostingRows => ({
  docs: new Uint32Array(BLOCK_LENGTH),
  bodyFrequencies: new Uint32Array(BLOCK_LENGTH),
  otherFrequencies: new Uint32Array(BLOCK_LENGTH * OTHER_COUNT),
});

const otherMask = (rows: PostingRows, index: number): number => {
  let mask = 0;
  for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
    if (rows.otherFrequencies[index * OTHER_COUNT + slot]! > 0) mask |= 1 << slot;
  }
  return mask;
};

/**
 * A posting of a tail is varint(gap × 2 + plain): plain means once in the body and nowhere else. Otherwise
 * varint(body frequency × 2 + others) follows, and with others a byte that has a bit per slot and varint(frequency - 1)
 * for each bit set. The gap counts the documents between this posting and `previousDoc`.
 */
export const encodeTail = (
  rows: PostingRows,
  count: number,
  previousDoc: number,
  target: ByteWriter,
): void => {
  let previous = previousDoc;
  for (let i = 0; i < count; i += 1) {
    const doc = rows.docs[i]!;
    const mask = otherMask(rows, i);
    const bodyFrequency = rows.bodyFrequencies[i]!;
    const plain = mask === 0 && bodyFrequency === 1;
    target.varint((doc - previous - 1) * 2 + (plain ? 1 : 0));
    previous = doc;
    if (plain) continue;
    target.varint(bodyFrequency * 2 + (mask === 0 ? 0 : 1));
    if (mask === 0) continue;
    target.u8(mask);
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
      const frequency = rows.otherFrequencies[i * OTHER_COUNT + slot]!;
      if (frequency > 0) target.varint(frequency - 1);
    }
  }
};

/** A place in bytes that moves as codes are read from it. */
export class TailReader {
  #bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  /** LEB128 of at most 32 bits. Past the end of the bytes it reads zeros, so damage cannot make it loop. */
  varint(): number {
    let byte = this.#bytes[this.offset++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; shift < 35; shift += 7) {
      byte = this.#bytes[this.offset++]!;
      value |= (byte & 127) << shift;
      if (!(byte >= 128)) break;
    }
    return value >>> 0;
  }

  /** LEB128 of at most 53 bits. */
  longVarint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 49; scale *= 128) {
      const byte = this.#bytes[this.offset++]!;
      value += (byte & 127) * scale;
      if (!(byte >= 128)) break;
    }
    return value;
  }

  byte(): number {
    return this.#bytes[this.offset++]!;
  }
}

/** A tail, unpacked. Most lists are short and most postings plain, so arrays are no larger than they must be. */
export class TailRows {
  readonly docs: Uint32Array;
  readonly bodyFrequencies: Uint32Array;
  /** Rows of OTHER_COUNT values; undefined while no posting has another field than the body. */
  otherFrequencies: Uint32Array | undefined;

  constructor(capacity: number) {
    this.docs = new Uint32Array(capacity);
    this.bodyFrequencies = new Uint32Array(capacity);
  }

  /** Inverse of encodeTail. */
  decode(source: TailReader, count: number, previousDoc: number): void {
    let doc = previousDoc;
    this.otherFrequencies = undefined;
    for (let i = 0; i < count; i += 1) {
      const code = source.varint();
      doc += (code >>> 1) + 1;
      this.docs[i] = doc;
      if ((code & 1) === 1) {
        this.bodyFrequencies[i] = 1;
        continue;
      }
      const body = source.varint();
      this.bodyFrequencies[i] = body >>> 1;
      if ((body & 1) === 1) this.#decodeOthers(source, i);
    }
  }

  #decodeOthers(source: TailReader, index: number): void {
    this.otherFrequencies ??= new Uint32Array(this.docs.length * OTHER_COUNT);
    const mask = source.byte();
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
      if ((mask & (1 << slot)) !== 0) this.otherFrequencies[index * OTHER_COUNT + slot] = source.varint() + 1;
    }
  }
}

/** Moves `source` behind one posting. */
export const skipPosting = (source: TailReader): void => {
  if ((source.varint() & 1) === 1) return;
  if ((source.varint() & 1) === 0) return;
  const mask = source.byte();
  for (let slot = 0; slot < OTHER_COUNT; slot += 1) if ((mask & (1 << slot)) !== 0) source.varint();
};
