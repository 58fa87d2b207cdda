import { RoaringBitmap32 } from '../segment/bitmap.ts';

const WORD_BITS = 32;

/** A set of documents of one segment as a plain bit set: asked for every candidate, which a native call is too slow for. */
export class DocSet {
  readonly #words: Uint32Array;
  readonly #docCount: number;
  #size: number | undefined;

  private constructor(words: Uint32Array, docCount: number) {
    this.#words = words;
    this.#docCount = docCount;
  }

  static of(bitmap: RoaringBitmap32, docCount: number): DocSet {
    const words = new Uint32Array(Math.ceil(docCount / WORD_BITS));
    for (const doc of bitmap.toUint32Array()) words[doc >>> 5] = (words[doc >>> 5] ?? 0) | (1 << (doc & 31));
    return new DocSet(words, docCount);
  }

  static all(docCount: number): DocSet {
    return DocSet.of(RoaringBitmap32.fromRange(0, docCount), docCount);
  }

  /** All documents of the segment but those of `bitmap`. */
  static without(bitmap: RoaringBitmap32, docCount: number): DocSet {
    const all = RoaringBitmap32.fromRange(0, docCount);
    all.andNotInPlace(bitmap);
    return DocSet.of(all, docCount);
  }

  /** A bit a document, document 0 lowest in word 0. */
  get words(): Readonly<Uint32Array> {
    return this.#words;
  }

  /** Documents in the set. */
  get size(): number {
    this.#size ??= this.#count();
    return this.#size;
  }

  #count(): number {
    let size = 0;
    for (const word of this.#words) for (let rest = word; rest !== 0; rest &= rest - 1) size++;
    return size;
  }

  has(doc: number): boolean {
    return (((this.#words[doc >>> 5] ?? 0) >>> (doc & 31)) & 1) === 1;
  }

  copy(): DocSet {
    return new DocSet(this.#words.slice(), this.#docCount);
  }

  delete(doc: number): void {
    this.#size = undefined;
    this.#words[doc >>> 5] = (this.#words[doc >>> 5] ?? 0) & ~(1 << (doc & 31));
  }

  /** First member >= doc, or the segment's document count. */
  firstFrom(doc: number): number {
    let wordIndex = doc >>> 5;
    let word = (this.#words[wordIndex] ?? 0) & (-1 << (doc & 31));
    while (word === 0) {
      wordIndex++;
      if (wordIndex >= this.#words.length) return this.#docCount;
      word = this.#words[wordIndex] ?? 0;
    }
    return wordIndex * WORD_BITS + (31 - Math.clz32(word & -word));
  }
}
