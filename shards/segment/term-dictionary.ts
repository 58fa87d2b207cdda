import type { CursorTerm } from '../postings/postings-cursor.ts';
import { recordCount } from '../postings/postings-encoder.ts';
import { skipPosting, TailReader } from '../postings/tail-codec.ts';
import { KEYS_PER_BLOCK, KeyBuffer } from './front-coding.ts';
import { type DictionarySections, firstSlot, ordinalBits } from './term-dictionary-writer.ts';
import { termHash } from './term-hash.ts';

export interface DictionaryTerm extends CursorTerm {
  /** Rank among the segment's terms, from 0. */
  readonly ordinal: number;
}

const encoder = new TextEncoder();

const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
};

/** Finds terms in the bytes that TermDictionaryWriter made; holds no object per term. */
export class TermDictionary {
  readonly #sections: DictionarySections;
  readonly termCount: number;

  constructor(sections: DictionarySections, termCount: number) {
    this.#sections = sections;
    this.termCount = termCount;
  }

  /** undefined when no document holds the term. */
  find(term: string): DictionaryTerm | undefined {
    const key = encoder.encode(term);
    const hash = termHash(key);
    const slots = this.#sections.termHash;
    const shift = ordinalBits(this.termCount);
    const tag = (hash << shift) >>> 0;
    const ordinalMask = 2 ** shift - 1;
    for (let slot = firstSlot(hash, slots.length); slots[slot] !== 0; ) {
      const entry = slots[slot] as number;
      if ((entry & ~ordinalMask) >>> 0 === tag) {
        const found = this.#read((entry & ordinalMask) - 1, key);
        if (found) return found;
      }
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
    return undefined;
  }

  /** The term of that ordinal if its key is `key`. */
  #read(ordinal: number, key: Uint8Array): DictionaryTerm | undefined {
    const scanner = new BlockScanner(this.#sections, Math.floor(ordinal / KEYS_PER_BLOCK));
    for (let i = ordinal % KEYS_PER_BLOCK; i > 0; i -= 1) scanner.next();
    const term = scanner.next();
    return equalBytes(scanner.key.view(), key) ? term : undefined;
  }

  /** All terms in rising order of their UTF-8 bytes. */
  *entries(): Generator<DictionaryTerm & { readonly text: string }> {
    for (let block = 0; block < this.#sections.termBlocks.length; block += 1) {
      const scanner = new BlockScanner(this.#sections, block);
      const end = Math.min(this.termCount, (block + 1) * KEYS_PER_BLOCK);
      for (let ordinal = block * KEYS_PER_BLOCK; ordinal < end; ordinal += 1) {
        const term = scanner.next();
        yield { ...term, text: scanner.key.text() };
      }
    }
  }
}

/** Walks the terms of one block. */
class BlockScanner {
  readonly key = new KeyBuffer();
  readonly #bytes: Uint8Array;
  readonly #source: TailReader;
  #ordinal: number;
  #docsOffset: number;
  #firstBlock: number;
  #positionsOffset: number;

  constructor(sections: DictionarySections, block: number) {
    this.#bytes = sections.terms;
    this.#source = new TailReader(sections.terms, sections.termBlocks[block]!);
    this.#ordinal = block * KEYS_PER_BLOCK;
    this.#docsOffset = this.#source.longVarint();
    this.#firstBlock = this.#source.varint();
    this.#positionsOffset = this.#source.longVarint();
  }

  next(): DictionaryTerm {
    const source = this.#source;
    this.key.read(this.#bytes, source);
    const docCount = source.varint();
    let inline: CursorTerm['inline'];
    if (docCount === 1) {
      inline = { bytes: this.#bytes, offset: source.offset };
      skipPosting(source);
    } else {
      this.#docsOffset += source.longVarint();
    }
    this.#positionsOffset += source.longVarint();
    const firstBlock = this.#firstBlock;
    this.#firstBlock += recordCount(docCount);
    const ordinal = this.#ordinal;
    this.#ordinal += 1;
    return {
      ordinal,
      docCount,
      docsOffset: this.#docsOffset,
      firstBlock,
      positionsOffset: this.#positionsOffset,
      inline,
    };
  }
}
