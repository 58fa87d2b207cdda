import { BLOCK_LENGTH } from './bit-packing.ts';
import { OTHER_COUNT } from './field-slots.ts';
import { GrowableUint32 } from './growable.ts';

/** Which documents of a block have a record in the stream of the other fields' frequencies. */
export const OtherKind = { none: 0, all: 1, masked: 2 } as const;
export type OtherKind = (typeof OtherKind)[keyof typeof OtherKind];

const WIDTH_BITS = 5;
const WIDTH_MASK = (1 << WIDTH_BITS) - 1;

const bitCount = (word: number): number => {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};

export interface EncodedOthers {
  readonly kind: OtherKind;
  readonly words: Uint32Array;
}

/**
 * Packs `frequencies` (128 rows of OTHER_COUNT values) as: one word with a width of 5 bits per field, for kind `masked`
 * four words of which bit i tells that document i has a record, then the records, bit by bit without gaps.
 */
export const encodeOthers = (frequencies: Uint32Array): EncodedOthers => {
  const mask = new Uint32Array(BLOCK_LENGTH / 32);
  const unions = new Uint32Array(OTHER_COUNT);
  let recordCount = 0;
  for (let i = 0; i < BLOCK_LENGTH; i += 1) {
    let any = 0;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
      const frequency = frequencies[i * OTHER_COUNT + slot]!;
      unions[slot]! |= frequency;
      any |= frequency;
    }
    if (any === 0) continue;
    mask[i >>> 5]! |= 1 << (i & 31);
    recordCount += 1;
  }
  if (recordCount === 0) return { kind: OtherKind.none, words: new Uint32Array(0) };
  const kind = recordCount === BLOCK_LENGTH ? OtherKind.all : OtherKind.masked;
  const words = new GrowableUint32();
  const widths = Array.from(unions, (union) => 32 - Math.clz32(union));
  words.push(widths.reduce((packed, width, slot) => packed | (width << (slot * WIDTH_BITS)), 0));
  if (kind === OtherKind.masked) for (const word of mask) words.push(word);
  const bits = new BitWriter(words);
  for (let i = 0; i < BLOCK_LENGTH; i += 1) {
    if ((mask[i >>> 5]! & (1 << (i & 31))) === 0) continue;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1)
      bits.write(frequencies[i * OTHER_COUNT + slot]!, widths[slot]!);
  }
  bits.finish();
  return { kind, words: words.view() };
};

class BitWriter {
  readonly #words: GrowableUint32;
  #word = 0;
  #used = 0;

  constructor(words: GrowableUint32) {
    this.#words = words;
  }

  write(value: number, width: number): void {
    if (width === 0) return;
    this.#word |= value << this.#used;
    if (this.#used + width < 32) {
      this.#used += width;
      return;
    }
    this.#words.push(this.#word);
    const written = 32 - this.#used;
    this.#word = written === 32 ? 0 : value >>> written;
    this.#used = this.#used + width - 32;
  }

  finish(): void {
    if (this.#used > 0) this.#words.push(this.#word);
  }
}

/** Reads single frequencies out of one block's stream without unpacking the rest. */
export class OtherFrequencies {
  readonly #widths = new Uint8Array(OTHER_COUNT);
  readonly #bitOffsets = new Uint32Array(OTHER_COUNT);
  readonly #mask = new Uint32Array(BLOCK_LENGTH / 32);
  readonly #ranks = new Uint8Array(BLOCK_LENGTH / 32);
  readonly #words: Uint32Array;
  #recordBits = 0;
  #recordsOffset = 0;

  constructor(words: Uint32Array) {
    this.#words = words;
  }

  /** Turns to the stream that begins at `wordOffset`. */
  open(wordOffset: number, kind: OtherKind): void {
    const header = this.#words[wordOffset]!;
    let recordBits = 0;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
      const width = (header >>> (slot * WIDTH_BITS)) & WIDTH_MASK;
      this.#widths[slot] = width;
      this.#bitOffsets[slot] = recordBits;
      recordBits += width;
    }
    this.#recordBits = recordBits;
    this.#recordsOffset = wordOffset + 1;
    if (kind === OtherKind.all) {
      this.#mask.fill(0xffffffff);
    } else {
      this.#mask.set(this.#words.subarray(wordOffset + 1, wordOffset + 1 + this.#mask.length));
      this.#recordsOffset += this.#mask.length;
    }
    let rank = 0;
    for (let word = 0; word < this.#mask.length; word += 1) {
      this.#ranks[word] = rank;
      rank += bitCount(this.#mask[word]!);
    }
  }

  /** Whether document `index` of the block has the term in any field besides the body. */
  has(index: number): boolean {
    return (this.#mask[index >>> 5]! & (1 << (index & 31))) !== 0;
  }

  /** Frequency in the field of `slot`; `has(index)` must hold. */
  frequency(index: number, slot: number): number {
    const width = this.#widths[slot]!;
    if (width === 0) return 0;
    const below = this.#mask[index >>> 5]! & ((1 << (index & 31)) - 1);
    const record = this.#ranks[index >>> 5]! + bitCount(below);
    const bit = record * this.#recordBits + this.#bitOffsets[slot]!;
    const word = this.#recordsOffset + (bit >>> 5);
    const shift = bit & 31;
    let value = this.#words[word]! >>> shift;
    if (shift + width > 32) value |= this.#words[word + 1]! << (32 - shift);
    return value & (0xffffffff >>> (32 - width));
  }

  /** Occurrences over all fields besides the body of document `index`, 0 without a record. */
  total(index: number): number {
    if (!this.has(index)) return 0;
    let sum = 0;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) sum += this.frequency(index, slot);
    return sum;
  }
}
