import type { CursorTerm } from '../postings/postings-cursor.ts';
import { recordCount } from '../postings/postings-encoder.ts';
import { skipPosting, TailReader } from '../postings/tail-codec.ts';
import { hash64Bytes } from '../values/hash.ts';
import { KEYS_PER_BLOCK, KeyBuffer } from './front-coding.ts';
import { type DictionarySections, firstSlot, ordinalBits } from './term-dictionary-writer.ts';
import { termHash } from './term-hash.ts';

export interface DictionaryTerm extends CursorTerm {
  /** Rank among the segment's terms, from 0. */
  readonly ordinal: number;
}

const encoder = new TextEncoder();
/** Room for the UTF-8 bytes of any term that an analyser makes; longer ones are encoded into new memory. */
const keyScratch = new Uint8Array(512);

/** A view that the next call overwrites. */
const encodeTerm = (term: string): Uint8Array =>
  term.length * 3 > keyScratch.length
    ? encoder.encode(term)
    : keyScratch.subarray(0, encoder.encodeInto(term, keyScratch).written);

/** Finds terms in the bytes that TermDictionaryWriter made; holds no object per term. */
export class TermDictionary {
  readonly #sections: DictionarySections;
  /** For look-ups, which end before another one can begin. */
  readonly #scanner: BlockScanner;
  /** Words and biwords. */
  readonly #termCount: number;
  readonly wordCount: number;

  /** The last `biwordCount` terms are biwords (postings/biwords.ts): to be found by their keys alone. */
  constructor(sections: DictionarySections, termCount: number, biwordCount = 0) {
    this.#sections = sections;
    this.#scanner = new BlockScanner(sections);
    this.#termCount = termCount;
    this.wordCount = termCount - biwordCount;
  }

  /** undefined when no document holds the term. */
  find(term: string): DictionaryTerm | undefined {
    return this.findKey(encodeTerm(term));
  }

  /** The same by its bytes. */
  findKey(key: Uint8Array): DictionaryTerm | undefined {
    const hash = termHash(key);
    const slots = this.#sections.termHash;
    const shift = ordinalBits(this.#termCount);
    const tag = (hash << shift) >>> 0;
    const ordinalMask = 2 ** shift - 1;
    for (let slot = firstSlot(hash, slots.length); slots[slot] !== 0; ) {
      const entry = slots[slot]!;
      if ((entry & ~ordinalMask) >>> 0 === tag && this.#isAt((entry & ordinalMask) - 1, key)) {
        return this.#scanner.term();
      }
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
    return undefined;
  }

  /** Moves the scanner to that ordinal; whether its key is `key`. */
  #isAt(ordinal: number, key: Uint8Array): boolean {
    const scanner = this.#scanner;
    scanner.open(Math.floor(ordinal / KEYS_PER_BLOCK));
    for (let i = ordinal % KEYS_PER_BLOCK; i >= 0; i -= 1) scanner.next();
    return scanner.key.equals(key);
  }

  /** Words, then biwords. */
  scanner(): TermScanner {
    return new TermScanner(this.#sections, this.#termCount);
  }

  /** All words in rising order of their UTF-8 bytes. */
  *entries(): Generator<DictionaryTerm & { readonly text: string }> {
    const scanner = new BlockScanner(this.#sections);
    for (let ordinal = 0; ordinal < this.wordCount; ordinal += 1) {
      if (ordinal % KEYS_PER_BLOCK === 0) scanner.open(ordinal / KEYS_PER_BLOCK);
      scanner.next();
      yield { ...scanner.term(), text: scanner.key.text() };
    }
  }

  /** Words that begin with `prefix`, rising: looked up among the blocks' first terms, then walked. */
  *withPrefix(prefix: string): Generator<string> {
    const wanted = Buffer.from(prefix, 'utf8');
    const scanner = new BlockScanner(this.#sections);
    let ordinal = this.#firstBlockFor(wanted) * KEYS_PER_BLOCK;
    for (; ordinal < this.wordCount; ordinal += 1) {
      if (ordinal % KEYS_PER_BLOCK === 0) scanner.open(ordinal / KEYS_PER_BLOCK);
      scanner.next();
      const start = scanner.key.view().subarray(0, wanted.length);
      const order = wanted.compare(start);
      if (order < 0) return;
      if (order === 0) yield scanner.key.text();
    }
  }

  /** The last block whose first term is below `key`; 0 when none is. */
  #firstBlockFor(key: Buffer): number {
    const scanner = new BlockScanner(this.#sections);
    let from = 0;
    let to = Math.ceil(this.wordCount / KEYS_PER_BLOCK);
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      scanner.open(middle);
      scanner.next();
      if (key.compare(scanner.key.view()) > 0) from = middle;
      else to = middle;
    }
    return from;
  }

  /** At most `count` words, evenly over the dictionary. */
  *sample(count: number): Generator<string> {
    const scanner = new BlockScanner(this.#sections);
    const blocks = Math.ceil(this.wordCount / KEYS_PER_BLOCK);
    const step = Math.max(1, Math.ceil(blocks / count));
    for (let block = 0; block < blocks; block += step) {
      scanner.open(block);
      scanner.next();
      yield scanner.key.text();
    }
  }

  /** The same words by the 64-bit hash of their bytes. */
  *hashes(): Generator<{ readonly hash: bigint; readonly docCount: number }> {
    const scanner = new BlockScanner(this.#sections);
    for (let ordinal = 0; ordinal < this.wordCount; ordinal += 1) {
      if (ordinal % KEYS_PER_BLOCK === 0) scanner.open(ordinal / KEYS_PER_BLOCK);
      scanner.next();
      yield { hash: hash64Bytes(scanner.key.view()), docCount: scanner.docCount };
    }
  }
}

/** Walks all terms in rising order of their UTF-8 bytes, without a string for any. */
export class TermScanner {
  readonly #scanner: BlockScanner;
  readonly #termCount: number;
  #next = 0;

  constructor(sections: DictionarySections, termCount: number) {
    this.#scanner = new BlockScanner(sections);
    this.#termCount = termCount;
  }

  /** Moves to the next term; false at the end. */
  next(): boolean {
    if (this.#next === this.#termCount) return false;
    if (this.#next % KEYS_PER_BLOCK === 0) this.#scanner.open(this.#next / KEYS_PER_BLOCK);
    this.#scanner.next();
    this.#next += 1;
    return true;
  }

  /** UTF-8 bytes of the present term. A view, valid until `next`. */
  key(): Uint8Array {
    return this.#scanner.key.view();
  }

  term(): DictionaryTerm {
    return this.#scanner.term();
  }
}

/** Walks the terms of one block after the other. */
class BlockScanner {
  readonly key = new KeyBuffer();
  readonly #sections: DictionarySections;
  readonly #source: TailReader;
  #ordinal = 0;
  docCount = 0;
  #docsOffset = 0;
  #firstBlock = 0;
  #inlineOffset = 0;
  #positionsOffset = 0;

  constructor(sections: DictionarySections) {
    this.#sections = sections;
    this.#source = new TailReader(sections.terms, 0);
  }

  /** Stands in front of the block's first term. */
  open(block: number): void {
    const source = this.#source;
    source.offset = this.#sections.termBlocks[block]!;
    this.key.length = 0;
    this.#ordinal = block * KEYS_PER_BLOCK - 1;
    this.docCount = 0;
    this.#docsOffset = source.longVarint();
    this.#firstBlock = source.varint();
    this.#positionsOffset = source.longVarint();
  }

  next(): void {
    const source = this.#source;
    this.#firstBlock += recordCount(this.docCount);
    this.#ordinal += 1;
    this.key.read(this.#sections.terms, source);
    this.docCount = source.varint();
    this.#inlineOffset = source.offset;
    if (this.docCount === 1) skipPosting(source);
    else this.#docsOffset += source.longVarint();
    this.#positionsOffset += source.longVarint();
  }

  term(): DictionaryTerm {
    const inline = { bytes: this.#sections.terms, offset: this.#inlineOffset };
    return {
      ordinal: this.#ordinal,
      docCount: this.docCount,
      docsOffset: this.#docsOffset,
      firstBlock: this.#firstBlock,
      positionsOffset: this.#positionsOffset,
      inline: this.docCount === 1 ? inline : undefined,
    };
  }
}
