import { randomInt } from 'node:crypto';
import { kernelModule } from '../kernels/kernels.ts';
import * as layout from '../kernels/text-layout.ts';
import type { OwnTermStream, TermRun } from './term-stream.ts';
import { TermTable } from './term-table.ts';

/** What one text becomes: its terms and how many positions it takes, those of words without a term included. */
export interface CutText {
  readonly tokens: readonly { readonly term: string; readonly position: number }[];
  readonly width: number;
}

/** The rules for one language. */
export interface CutRules {
  /** Below 2^24; rules with one number are the same. */
  readonly number: number;
  /** Whether the case of ASCII letters changes nothing is not asked: it must not. */
  cut(text: string): CutText;
}

/** How an analyser cuts, as the kernel needs to know it. */
export interface StreamRules {
  /** word-classes.ts */
  readonly byteClasses: Uint8Array;
  /** 1 for each code point of the BMP that parts words, whatever stands beside it; ASCII is the byte classes' matter. */
  readonly separators: Uint8Array;
  /** Positions that `\n` skips; 0 where it is like any other space. */
  readonly blockGap: number;
  rulesFor(lang: string): CutRules;
}

interface TextKernel {
  readonly cutWords: (textBytes: number, chain: number, blockGap: number) => number;
  readonly clearWords: () => void;
  readonly hasRoom: (textBytes: number) => number;
}

const PAGE_BYTES = 0x1_0000;
const BLOCK_BYTES = 16;
const SPACE = 0x20;
const NEWLINE = 0x0a;
/** UTF-16 units that fit into the window whatever they are. */
const WINDOW_UNITS = layout.TEXT_BYTES / 3;
const SEED_END = 2 ** 32;

const ENCODER = new TextEncoder();

/** Index after the last space or line end among the first `limit` units or bytes from `from` on; without any, of the next one. */
const windowEnd = (at: (index: number) => number, from: number, limit: number, end: number): number => {
  if (end - from <= limit) return end;
  let index = from + limit;
  while (index > from && !isSpace(at(index - 1))) index--;
  if (index > from) return index;
  index = from + limit;
  while (index < end && !isSpace(at(index))) index++;
  return index;
};

const isSpace = (unit: number): boolean => unit === SPACE || unit === NEWLINE;

/**
 * An OwnTermStream over the text kernel (shards/kernels/assembly/text), which finds the words in a window of UTF-8 and looks
 * each up by its bytes. A word that it does not know comes here: it is cut by the analyser as a text of its own, which gives
 * the same as within its text, for the kernel takes together whatever no separator parts.
 *
 * Memory: 27 MiB for the window and the known words, which are all forgotten when too many; besides the terms.
 */
export class KernelTermStream implements OwnTermStream {
  readonly #rules: StreamRules;
  readonly #kernel: TextKernel;
  readonly #memory: WebAssembly.Memory;
  readonly #bytes: Buffer;
  readonly #words: Uint32Array;
  readonly #terms: TermTable;
  #language: CutRules;
  #termIds = new Uint32Array(1 << 12);
  #positions = new Uint32Array(1 << 12);
  #tokenCount = 0;

  constructor(rules: StreamRules, seed: number = randomInt(SEED_END)) {
    this.#rules = rules;
    this.#terms = new TermTable(seed);
    this.#language = rules.rulesFor('');
    const pages = layout.END / PAGE_BYTES;
    this.#memory = new WebAssembly.Memory({ initial: pages, maximum: 0x1_0000 });
    this.#bytes = Buffer.from(this.#memory.buffer as ArrayBuffer);
    this.#words = new Uint32Array(this.#memory.buffer);
    const makeValue = (address: number, length: number): number => this.#makeValue(address, length);
    const { exports } = new WebAssembly.Instance(kernelModule('text'), {
      env: { memory: this.#memory },
      'word-cache': { makeValue },
    });
    this.#kernel = exports as unknown as TextKernel;
    this.#writeTables(seed);
    this.#kernel.clearWords();
  }

  get termCount(): number {
    return this.#terms.count;
  }

  get memoryBytes(): number {
    const runs = this.#termIds.byteLength + this.#positions.byteLength;
    return this.#memory.buffer.byteLength + this.#terms.memoryBytes + runs;
  }

  get vocabularyBytes(): number {
    return this.#terms.memoryBytes;
  }

  termBytes(termId: number): Uint8Array {
    return this.#terms.bytesOf(termId);
  }

  reset(): void {
    this.#terms.clear();
    this.#kernel.clearWords();
  }

  cut(text: string | Uint8Array, lang: string): TermRun {
    this.#language = this.#rules.rulesFor(lang);
    this.#tokenCount = 0;
    this.#setState(layout.STATE_POSITION, 0);
    this.#setState(layout.STATE_LENGTH, 0);
    this.#setState(layout.STATE_AFTER_BORDER, 1);
    if (typeof text === 'string') this.#cutString(text);
    else this.#cutBytes(text);
    const count = this.#tokenCount;
    const last = count === 0 ? undefined : this.#positions[count - 1];
    return {
      termIds: this.#termIds.subarray(0, count),
      positions: this.#positions.subarray(0, count),
      lengthTokens: this.#state(layout.STATE_LENGTH),
      endPosition: last === undefined ? 0 : last + 1,
    };
  }

  #cutString(text: string): void {
    const at = (index: number): number => text.charCodeAt(index);
    for (let from = 0; from < text.length; ) {
      const to = windowEnd(at, from, WINDOW_UNITS, text.length);
      const part = from === 0 && to === text.length ? text : text.slice(from, to);
      if (to - from > WINDOW_UNITS) {
        this.#cutWithoutSpace(part);
      } else {
        const window = this.#bytes.subarray(layout.TEXT, layout.TEXT + layout.TEXT_BYTES);
        this.#cutWindow(ENCODER.encodeInto(part, window).written);
      }
      from = to;
    }
  }

  #cutBytes(text: Uint8Array): void {
    const at = (index: number): number => text[index] ?? SPACE;
    for (let from = 0; from < text.length; ) {
      const to = windowEnd(at, from, layout.TEXT_BYTES, text.length);
      const part = text.subarray(from, to);
      if (part.length > layout.TEXT_BYTES) {
        this.#cutWithoutSpace(Buffer.from(part.buffer, part.byteOffset, part.length).toString());
      } else {
        this.#bytes.set(part, layout.TEXT);
        this.#cutWindow(part.length);
      }
      from = to;
    }
  }

  #cutWindow(textBytes: number): void {
    const end = layout.TEXT + textBytes;
    this.#bytes.fill(SPACE, end, end + BLOCK_BYTES);
    if (this.#kernel.hasRoom(textBytes) === 0) this.#kernel.clearWords();
    const count = this.#kernel.cutWords(textBytes, this.#language.number, this.#rules.blockGap);
    this.#reserve(count);
    const ids = layout.TERM_IDS / 4;
    const positions = layout.POSITIONS / 4;
    this.#termIds.set(this.#words.subarray(ids, ids + count), this.#tokenCount);
    this.#positions.set(this.#words.subarray(positions, positions + count), this.#tokenCount);
    this.#tokenCount += count;
  }

  /** What is longer than the window and has no space, so no border either. */
  #cutWithoutSpace(text: string): void {
    const { tokens, width } = this.#language.cut(text);
    const base = this.#state(layout.STATE_POSITION);
    this.#reserve(tokens.length);
    for (const { term, position } of tokens) {
      this.#termIds[this.#tokenCount] = this.#terms.idOf(term);
      this.#positions[this.#tokenCount] = base + position;
      this.#tokenCount++;
    }
    this.#setState(layout.STATE_POSITION, base + width);
    this.#setState(layout.STATE_LENGTH, this.#state(layout.STATE_LENGTH) + countDistinct(tokens));
    if (width > 0) this.#setState(layout.STATE_AFTER_BORDER, 0);
  }

  /** Called by the kernel for a word that it does not know; its ASCII letters are in lower case. */
  #makeValue(address: number, length: number): number {
    const { tokens, width } = this.#language.cut(this.#bytes.toString('utf8', address, address + length));
    const [only] = tokens;
    if (width === 1 && tokens.length <= 1) {
      return only === undefined ? layout.VALUE_SKIP : this.#terms.idOf(only.term);
    }
    const isRemembered = length <= layout.LONGEST_KEY;
    const entry = isRemembered ? this.#state(layout.STATE_ARENA_TOP) : layout.SCRATCH;
    let word = entry / 4;
    this.#words[word++] = tokens.length;
    this.#words[word++] = width;
    this.#words[word++] = countDistinct(tokens);
    for (const { term, position } of tokens) {
      this.#words[word++] = this.#terms.idOf(term);
      this.#words[word++] = position;
    }
    if (isRemembered) this.#setState(layout.STATE_ARENA_TOP, word * 4);
    return entry | layout.VALUE_ENTRY;
  }

  #reserve(count: number): void {
    const needed = this.#tokenCount + count;
    if (needed <= this.#termIds.length) return;
    const capacity = Math.max(needed, this.#termIds.length * 2);
    const grown = [this.#termIds, this.#positions].map((numbers) => {
      const copy = new Uint32Array(capacity);
      copy.set(numbers.subarray(0, this.#tokenCount));
      return copy;
    });
    [this.#termIds, this.#positions] = grown as [Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>];
  }

  #state(address: number): number {
    return this.#words[address / 4] ?? 0;
  }

  #setState(address: number, value: number): void {
    this.#words[address / 4] = value;
  }

  #writeTables(seed: number): void {
    this.#bytes.set(this.#rules.byteClasses, layout.BYTE_CLASSES);
    this.#bytes.set(this.#rules.separators, layout.SEPARATES);
    for (let length = 0; length <= BLOCK_BYTES; length++) {
      const mask = layout.MASKS + length * BLOCK_BYTES;
      this.#bytes.fill(0xff, mask, mask + length);
    }
    this.#bytes[layout.TEXT - 1] = SPACE;
    this.#bytes[layout.TEXT - 2] = SPACE;
    this.#setState(layout.STATE_SEED, seed);
  }
}

const countDistinct = (tokens: CutText['tokens']): number => {
  let count = 0;
  let last = -1;
  for (const { position } of tokens) {
    if (position > last) count++;
    last = position;
  }
  return count;
};
