import type { ByteWriter } from '../bytes/byte-writer.ts';
import { TailReader } from './tail-codec.ts';

/** So many positions of a block or tail are coded with two widths; fewer as varints. */
export const LEAST_SPLIT = 8;

/** Low bits of a delta that every delta stores. */
const MAX_LOW_WIDTH = 15;
/** Code of the high width: itself up to 14; 15 stands for this one, so that 15 + 17 bits hold any delta. */
const WIDEST_HIGH = 17;
const WIDEST_HIGH_CODE = 15;

const LEAST_RESULTS = 256;

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
});

interface SplitWidths {
  readonly low: number;
  /** 0..14 or 17; 0 says that no delta has more than `low` bits. */
  readonly high: number;
}

const bitWidths = new Float64Array(33);

/** The widths under which the deltas take the fewest bytes; among equal ones the least low width. */
const bestWidths = (deltas: Uint32Array): SplitWidths => {
  bitWidths.fill(0);
  for (const delta of deltas) bitWidths[32 - Math.clz32(delta)]! += 1;
  let widest = 32;
  while (widest > 0 && bitWidths[widest] === 0) widest -= 1;
  let best: SplitWidths = { low: 0, high: 0 };
  let bestBytes = Number.POSITIVE_INFINITY;
  let longCount = deltas.length;
  for (let low = 0; low <= Math.min(widest, MAX_LOW_WIDTH); low += 1) {
    longCount -= bitWidths[low]!;
    const missing = widest - low;
    const high = missing >= WIDEST_HIGH_CODE ? WIDEST_HIGH : missing;
    if (low + high < widest) continue;
    const bytes = splitBytes(deltas.length, longCount, { low, high });
    if (bytes >= bestBytes) continue;
    best = { low, high };
    bestBytes = bytes;
  }
  return best;
};

const bitmapBytes = (count: number, high: number): number => (high === 0 ? 0 : Math.ceil(count / 8));

const splitBytes = (count: number, longCount: number, { low, high }: SplitWidths): number =>
  bitmapBytes(count, high) + Math.ceil((count * low) / 8) + Math.ceil((longCount * high) / 8);

/**
 * Codes the position deltas of a block or a tail. Few ones: a varint each. Else patched bit packing with a bitmap for the
 * exceptions, so that any run of deltas is read without those before it: a byte with the widths, a bit per delta that
 * says whether it is long, the low bits of all, the high bits of the long ones (after Zukowski, Héman, Nes and Boncz,
 * "Super-scalar RAM-CPU cache compression", ICDE 2006, whose exceptions are a linked list). FORMAT.md, "Positions".
 */
export const encodePositions = (deltas: Uint32Array, target: ByteWriter): void => {
  if (deltas.length < LEAST_SPLIT) {
    for (const delta of deltas) target.varint(delta);
    return;
  }
  const { low, high } = bestWidths(deltas);
  target.u8(low | ((high === WIDEST_HIGH ? WIDEST_HIGH_CODE : high) << 4));
  const bits = new BitWriter((deltas.length * MOST_BITS_PER_DELTA) / 8 + PARTS);
  if (high > 0) for (const delta of deltas) bits.write(delta >>> low > 0 ? 1 : 0, 1);
  bits.endPart();
  const mask = (1 << low) - 1;
  for (const delta of deltas) bits.write(delta & mask, low);
  bits.endPart();
  for (const delta of deltas) if (delta >>> low > 0) bits.write(delta >>> low, high);
  bits.endPart();
  target.bytes(bits.view());
};

/** The bit of a long delta, and its two parts. */
const MOST_BITS_PER_DELTA = 1 + MAX_LOW_WIDTH + WIDEST_HIGH;
const PARTS = 3;
let bitScratch = new Uint8Array(1 << 12);

/** Writes values of up to 17 bits, the lowest bit of each first. All writers share one memory: one at a time. */
class BitWriter {
  readonly #bytes: Uint8Array;
  #at = 0;
  #pending = 0;
  #count = 0;

  constructor(mostBytes: number) {
    if (bitScratch.length < mostBytes) bitScratch = new Uint8Array(mostBytes * 2);
    this.#bytes = bitScratch;
  }

  write(value: number, width: number): void {
    this.#pending |= value << this.#count;
    this.#count += width;
    while (this.#count >= 8) {
      this.#bytes[this.#at++] = this.#pending;
      this.#pending >>>= 8;
      this.#count -= 8;
    }
  }

  /** Fills the last byte with zeros. */
  endPart(): void {
    if (this.#count > 0) this.#bytes[this.#at++] = this.#pending;
    this.#pending = 0;
    this.#count = 0;
  }

  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}

/** Reads runs of position deltas of one block or tail, in any order. */
export class PositionReader {
  readonly #bytes: Uint8Array;
  readonly #varints: TailReader;
  #start = 0;
  #isSplit = false;
  #low = 0;
  #high = 0;
  #lowsStart = 0;
  #highsStart = 0;
  /** One array for many small answers. */
  #results = new Uint32Array(LEAST_RESULTS);
  #used = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#varints = new TailReader(bytes, 0);
  }

  /** Turns to the block or tail at `offset`, which has `count` positions. */
  open(offset: number, count: number): void {
    this.#isSplit = count >= LEAST_SPLIT;
    this.#start = offset;
    if (!this.#isSplit) return;
    const widths = this.#bytes[offset]!;
    this.#start = offset + 1;
    this.#low = widths & 15;
    const high = widths >>> 4;
    this.#high = high === WIDEST_HIGH_CODE ? WIDEST_HIGH : high;
    this.#lowsStart = this.#start + bitmapBytes(count, this.#high);
    this.#highsStart = this.#lowsStart + Math.ceil((count * this.#low) / 8);
  }

  /** Says that the views given out so far are not used any more. */
  reuse(): void {
    this.#used = 0;
  }

  /** The deltas from number `first` on, added up. A view, valid until `reuse`. */
  read(first: number, count: number): Uint32Array {
    const positions = this.#room(count);
    this.readDeltas(first, positions);
    let position = 0;
    for (let i = 0; i < count; i += 1) {
      position += positions[i]!;
      positions[i] = position;
    }
    return positions;
  }

  /** Fills `deltas` with those from number `first` on. */
  readDeltas(first: number, deltas: Uint32Array): void {
    if (this.#isSplit) this.#readSplit(first, deltas);
    else this.#readVarints(first, deltas);
  }

  #room(count: number): Uint32Array {
    if (this.#used + count > this.#results.length) {
      // Views that were given out keep the old array.
      this.#results = new Uint32Array(Math.max(LEAST_RESULTS, count * 2));
      this.#used = 0;
    }
    const { buffer, BYTES_PER_ELEMENT } = this.#results;
    const room = new Uint32Array(buffer, this.#used * BYTES_PER_ELEMENT, count);
    this.#used += count;
    return room;
  }

  #readVarints(first: number, deltas: Uint32Array): void {
    this.#varints.offset = this.#start;
    for (let i = 0; i < first; i += 1) this.#varints.varint();
    for (let i = 0; i < deltas.length; i += 1) deltas[i] = this.#varints.varint();
  }

  #readSplit(first: number, deltas: Uint32Array): void {
    const low = this.#low;
    const high = this.#high;
    for (let i = 0; i < deltas.length; i += 1)
      deltas[i] = this.#bits(this.#lowsStart, (first + i) * low, low);
    if (high === 0) return;
    let rank = this.#longsBefore(first);
    for (let i = 0; i < deltas.length; i += 1) {
      if (this.#bits(this.#start, first + i, 1) === 0) continue;
      deltas[i]! |= this.#bits(this.#highsStart, rank * high, high) << low;
      rank += 1;
    }
  }

  #longsBefore(index: number): number {
    const end = this.#start + Math.floor(index / 8);
    let count = 0;
    for (let at = this.#start; at < end; at += 1) count += ONES[this.#bytes[at]!]!;
    return count + ONES[this.#bytes[end]! & ((1 << (index & 7)) - 1)]!;
  }

  /** `width` bits (0..17) from bit `bit` on of what begins at byte `start`. */
  #bits(start: number, bit: number, width: number): number {
    const at = start + Math.floor(bit / 8);
    const bytes = this.#bytes[at]! | (this.#bytes[at + 1]! << 8) | (this.#bytes[at + 2]! << 16);
    return (bytes >>> (bit & 7)) & ((1 << width) - 1);
  }
}
