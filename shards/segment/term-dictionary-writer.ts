import { ByteWriter } from '../bytes/byte-writer.ts';
import { GrowableUint32 } from '../postings/growable.ts';
import { hashSlotCount } from '../postings/inversion.ts';
import type { EncodedTerm } from '../postings/postings-encoder.ts';
import { encodeKey, KEYS_PER_BLOCK } from './front-coding.ts';
import { termHash } from './term-hash.ts';

const NO_KEY = new Uint8Array(0);

/** Bits that ordinal + 1 of any of so many terms takes in a slot of the hash index. */
export const ordinalBits = (termCount: number): number => 32 - Math.clz32(termCount);

/** The sections of a segment that hold its terms (FORMAT.md, "Dictionary"). */
export interface DictionarySections {
  readonly terms: Uint8Array;
  readonly termBlocks: Uint32Array;
  readonly termHash: Uint32Array;
}

/** Takes a segment's terms in rising order of their UTF-8 bytes. */
export class TermDictionaryWriter {
  readonly #terms = new ByteWriter(1 << 16);
  readonly #blocks = new GrowableUint32();
  readonly #hashes = new GrowableUint32();
  #keyBuffer = new Uint8Array(64);
  #previousKey: Uint8Array = NO_KEY;
  #docsOffset = 0;
  #positionsOffset = 0;

  get termCount(): number {
    return this.#hashes.length;
  }

  add(key: Uint8Array, term: EncodedTerm): void {
    if (this.termCount % KEYS_PER_BLOCK === 0) this.#startBlock(term);
    encodeKey(this.#previousKey, key, this.#terms);
    this.#keep(key);
    this.#terms.varint(term.docCount);
    if (term.inline) {
      this.#terms.bytes(term.inline);
    } else {
      this.#terms.varint(term.docsOffset - this.#docsOffset);
      this.#docsOffset = term.docsOffset;
    }
    this.#terms.varint(term.positionsOffset - this.#positionsOffset);
    this.#positionsOffset = term.positionsOffset;
    this.#hashes.push(termHash(key));
  }

  /** The caller's bytes may change. */
  #keep(key: Uint8Array): void {
    if (key.length > this.#keyBuffer.length) this.#keyBuffer = new Uint8Array(key.length * 2);
    this.#keyBuffer.set(key);
    this.#previousKey = this.#keyBuffer.subarray(0, key.length);
  }

  #startBlock(term: EncodedTerm): void {
    this.#blocks.push(this.#terms.length);
    this.#previousKey = NO_KEY;
    this.#docsOffset = term.docsOffset;
    this.#positionsOffset = term.positionsOffset;
    this.#terms.varint(term.docsOffset);
    this.#terms.varint(term.firstBlock);
    this.#terms.varint(term.positionsOffset);
  }

  finish(): DictionarySections {
    return { terms: this.#terms.view(), termBlocks: this.#blocks.view(), termHash: this.#hashIndex() };
  }

  /** Open addressing, linear probing; an entry is ordinal + 1 under low bits of the hash, 0 is free. */
  #hashIndex(): Uint32Array {
    const { termCount } = this;
    const slots = new Uint32Array(hashSlotCount(termCount));
    const shift = ordinalBits(termCount);
    for (let ordinal = 0; ordinal < termCount; ordinal += 1) {
      const hash = this.#hashes.at(ordinal);
      let slot = firstSlot(hash, slots.length);
      while (slots[slot] !== 0) slot = slot + 1 === slots.length ? 0 : slot + 1;
      slots[slot] = (hash << shift) | (ordinal + 1);
    }
    return slots;
  }
}

/** Slot where the search for a hash begins: the hash as a fraction of 2^32, times the number of slots. */
export const firstSlot = (hash: number, slotCount: number): number =>
  Math.floor((hash / 2 ** 32) * slotCount);
