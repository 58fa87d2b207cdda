import type { TermRun, TermStream } from './term-stream.ts';

/** Memory at least doubles when it grows. */
const FIRST_TERMS = 1 << 10;
/** In place of a number where a term has none yet. */
const NONE = 0;

type Numbers = Uint32Array<ArrayBuffer>;

const grown = (numbers: Numbers, count: number): Numbers => {
  if (count <= numbers.length) return numbers;
  const copy = new Uint32Array(Math.max(count, numbers.length * 2));
  copy.set(numbers);
  return copy;
};

/**
 * The part of a shared stream's terms that one segment has, numbered for that segment from 0. Holds 4 bytes for each shared
 * term that is older than the segment's newest, and 4 for each of its own.
 */
export class SegmentTermStream implements TermStream {
  readonly #shared: TermStream;
  /** By the shared number: the segment's number and 1, or NONE. */
  #own = new Uint32Array(FIRST_TERMS);
  /** By the segment's number: the shared one. */
  #sharedIds = new Uint32Array(FIRST_TERMS);
  #termCount = 0;

  constructor(shared: TermStream) {
    this.#shared = shared;
  }

  get termCount(): number {
    return this.#termCount;
  }

  /** Without what is shared. */
  get memoryBytes(): number {
    return this.#own.byteLength + this.#sharedIds.byteLength;
  }

  termBytes(termId: number): Uint8Array {
    return this.#shared.termBytes(this.#sharedIds[termId] ?? 0);
  }

  cut(text: string | Uint8Array, lang: string): TermRun {
    const run = this.#shared.cut(text, lang);
    this.#own = grown(this.#own, this.#shared.termCount);
    const own = this.#own;
    const { termIds } = run;
    for (let i = 0; i < termIds.length; i++) {
      const sharedId = termIds[i] ?? 0;
      const known = own[sharedId] ?? NONE;
      termIds[i] = (known === NONE ? this.#add(sharedId) : known) - 1;
    }
    return run;
  }

  /** Gives the term the next number; returns it and 1. */
  #add(sharedId: number): number {
    this.#sharedIds = grown(this.#sharedIds, this.#termCount + 1);
    this.#sharedIds[this.#termCount] = sharedId;
    this.#termCount += 1;
    this.#own[sharedId] = this.#termCount;
    return this.#termCount;
  }
}
