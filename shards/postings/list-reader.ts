import { BLOCK_LENGTH } from './bit-packing.ts';
import { decodeBodyFrequencies, decodeDocs, othersOf, othersOffset } from './block-codec.ts';
import { OTHER_COUNT } from './field-slots.ts';
import { OtherFrequencies, OtherKind } from './other-frequencies.ts';
import { PositionReader } from './positions.ts';
import type { Posting } from './posting.ts';
import type { CursorTerm, PostingSections } from './postings-cursor.ts';
import { recordCount } from './postings-encoder.ts';
import type { SectionBytes } from './section-bytes.ts';
import { TailReader, TailRows } from './tail-codec.ts';

/** Bytes that positions take at most: five each, and their two widths. */
const MOST_BYTES_PER_POSITION = 5;
const POSITIONS_OVERHEAD_BYTES = 4;

/** Reads whole lists, every part of every posting: what a merge does. A query uses PostingsCursor. */
export class ListReader implements Posting {
  doc = -1;
  bodyFrequency = 0;
  others: Uint32Array | undefined;
  othersStart = 0;
  deltas = new Uint32Array(BLOCK_LENGTH);
  deltasStart = 0;
  deltasEnd = 0;

  readonly #sections: PostingSections;
  readonly #rows = new TailRows(BLOCK_LENGTH);
  readonly #otherRows = new Uint32Array(BLOCK_LENGTH * OTHER_COUNT);
  readonly #otherFrequencies: OtherFrequencies;
  readonly #positionBytes: SectionBytes;
  #positions: PositionReader;
  /** What #positions reads. */
  #bytesRead: Uint8Array;
  #term: CursorTerm | undefined;
  #withPositions = true;
  #block = 0;
  #count = 0;
  #index = 0;

  constructor(sections: PostingSections, positionBytes: SectionBytes) {
    this.#sections = sections;
    this.#otherFrequencies = new OtherFrequencies(sections.docWords);
    this.#positionBytes = positionBytes;
    this.#bytesRead = positionBytes.bytes;
    this.#positions = new PositionReader(positionBytes.bytes);
  }

  /** Stands in front of the term's first posting. `withPositions`: false for a biword. */
  open(term: CursorTerm, withPositions: boolean): void {
    this.#term = term;
    this.#withPositions = withPositions;
    this.#block = 0;
    this.#count = 0;
    this.#index = 0;
    this.doc = -1;
  }

  /** Moves to the next posting; false at the end of the list. */
  next(): boolean {
    if (this.#index === this.#count && !this.#loadBlock()) return false;
    const index = this.#index;
    this.#index += 1;
    this.doc = this.#rows.docs[index]!;
    this.bodyFrequency = this.#rows.bodyFrequencies[index]!;
    this.othersStart = index * OTHER_COUNT;
    this.deltasStart = this.deltasEnd;
    if (this.#withPositions) this.deltasEnd += this.bodyFrequency + this.#otherTotal();
    return true;
  }

  #otherTotal(): number {
    if (this.others === undefined) return 0;
    let sum = 0;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) sum += this.others[this.othersStart + slot]!;
    return sum;
  }

  #loadBlock(): boolean {
    const term = this.#term;
    if (term === undefined || this.#block * BLOCK_LENGTH >= term.docCount) return false;
    this.#count = Math.min(BLOCK_LENGTH, term.docCount - this.#block * BLOCK_LENGTH);
    const record = term.firstBlock + this.#block;
    const hasRecord = recordCount(term.docCount) > 0;
    if (this.#count === BLOCK_LENGTH) this.#loadFull(term, record);
    else this.#loadTail(term, hasRecord ? this.#sections.docsOffsets[record]! : 0);
    this.deltasEnd = 0;
    if (this.#withPositions)
      this.#loadPositions(term.positionsOffset + (hasRecord ? this.#sections.positionsOffsets[record]! : 0));
    this.#block += 1;
    this.#index = 0;
    return true;
  }

  #loadFull(term: CursorTerm, record: number): void {
    const { docWords, docsOffsets, shapes } = this.#sections;
    const shape = shapes[record]!;
    const wordOffset = (term.docsOffset + docsOffsets[record]!) / 4;
    const { docs, bodyFrequencies } = this.#rows;
    decodeDocs(docWords, wordOffset, { shape, previousDoc: this.doc }, docs);
    decodeBodyFrequencies(docWords, wordOffset, shape, bodyFrequencies);
    const kind = othersOf(shape);
    this.others = kind === OtherKind.none ? undefined : this.#otherRows;
    if (kind === OtherKind.none) return;
    this.#otherFrequencies.open(othersOffset(wordOffset, shape), kind);
    this.#otherRows.fill(0);
    for (let i = 0; i < BLOCK_LENGTH; i += 1) {
      if (!this.#otherFrequencies.has(i)) continue;
      for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
        this.#otherRows[i * OTHER_COUNT + slot] = this.#otherFrequencies.frequency(i, slot);
      }
    }
  }

  #loadTail(term: CursorTerm, relativeOffset: number): void {
    const { inline, docsOffset } = term;
    const source = inline
      ? new TailReader(inline.bytes, inline.offset)
      : new TailReader(this.#sections.docs, docsOffset + relativeOffset);
    this.#rows.decode(source, this.#count, this.doc);
    this.others = this.#rows.otherFrequencies;
  }

  #loadPositions(offset: number): void {
    let count = 0;
    for (let i = 0; i < this.#count; i += 1) {
      count += this.#rows.bodyFrequencies[i]!;
      this.othersStart = i * OTHER_COUNT;
      count += this.#otherTotal();
    }
    if (count > this.deltas.length) this.deltas = new Uint32Array(count * 2);
    const source = this.#positionBytes;
    const start = source.reach(offset, count * MOST_BYTES_PER_POSITION + POSITIONS_OVERHEAD_BYTES);
    if (source.bytes !== this.#bytesRead) {
      this.#bytesRead = source.bytes;
      this.#positions = new PositionReader(source.bytes);
    }
    this.#positions.open(start, count);
    this.#positions.readDeltas(0, this.deltas.subarray(0, count));
  }
}
