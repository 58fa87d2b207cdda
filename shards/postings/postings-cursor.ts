import type { Scorer } from '../score/scorer.ts';
import type { FieldName } from '../values/fields.ts';
import { BLOCK_LENGTH } from './bit-packing.ts';
import { decodeBodyFrequencies, decodeDocs, othersOf, othersOffset } from './block-codec.ts';
import type { TermBounds } from './bounds.ts';
import { BODY_INDEX, FIELD_COUNT, fieldIndex, OTHER_COUNT, OTHER_INDEXES, otherSlot } from './field-slots.ts';
import { OtherFrequencies, OtherKind } from './other-frequencies.ts';
import { PositionReader } from './positions.ts';
import { NO_MORE_DOCS, type PositionsCursor } from './posting-cursor.ts';
import { recordCount, type TermPlace } from './postings-encoder.ts';
import { TailReader, TailRows } from './tail-codec.ts';

/** The sections that cursors read, as views of memory that never changes. */
export interface PostingSections {
  readonly docs: Uint8Array;
  /** The same bytes as `docs`. */
  readonly docWords: Uint32Array;
  readonly positions: Uint8Array;
  readonly lastDocs: Uint32Array;
  readonly docsOffsets: Uint32Array;
  readonly positionsOffsets: Uint32Array;
  readonly shapes: Uint16Array;
  /** Length codes by field, in the order of FIELD_NAMES. */
  readonly lengthCodes: readonly Uint8Array[];
}

/** A term's place, and where the posting of a term with a single document stands. */
export interface CursorTerm extends TermPlace {
  /** For docCount 1: bytes of the dictionary and the offset of the posting in them. */
  readonly inline: { readonly bytes: Uint8Array; readonly offset: number } | undefined;
}

const EMPTY_BLOCK = -1;

/** Arguments of Scorer.impact, which ends before another call can begin. */
const impactFrequencies = new Uint32Array(FIELD_COUNT);
const impactCodes = new Uint8Array(FIELD_COUNT);

/** Reads the postings of one term block by block, each part of a block only when it is asked for. */
export class PostingsCursor implements PositionsCursor {
  readonly docCount: number;
  readonly maxImpact: number;
  doc = -1;

  readonly #sections: PostingSections;
  readonly #term: CursorTerm;
  readonly #scorer: Scorer;
  readonly #bounds: TermBounds;
  readonly #blockCount: number;
  readonly #rows: TailRows;
  #others: OtherFrequencies | undefined;
  #positions: PositionReader | undefined;
  /** Positions that stand before posting i of the block, filled when positions are first asked for. */
  #positionStarts: Uint32Array | undefined;

  #block = EMPTY_BLOCK;
  #blockLast = -1;
  #count = 0;
  #index = -1;
  #shape = 0;
  #isTail = false;
  #wordOffset = 0;
  #otherKind: OtherKind = OtherKind.none;
  #frequenciesDecoded = false;
  #positionsOpened = false;
  /** Posting of the block whose positions were given out last. */
  #readIndex = -1;
  #peekedBlock = 0;

  constructor(sections: PostingSections, term: CursorTerm, scorer: Scorer, bounds: TermBounds) {
    this.#sections = sections;
    this.#term = term;
    this.#scorer = scorer;
    this.#bounds = bounds;
    this.docCount = term.docCount;
    this.maxImpact = bounds.termMax;
    this.#blockCount = Math.max(1, recordCount(term.docCount));
    this.#rows = new TailRows(Math.min(term.docCount, BLOCK_LENGTH));
  }

  next(): number {
    this.#index += 1;
    if (this.#index < this.#count) {
      this.doc = this.#rows.docs[this.#index]!;
      return this.doc;
    }
    if (this.doc === NO_MORE_DOCS) return NO_MORE_DOCS;
    return this.#enter(this.#block + 1, 0);
  }

  advance(target: number): number {
    if (target <= this.doc) return this.doc;
    if (target > this.#blockLast) return this.#enter(this.#blockOf(target), target);
    return this.#seekInBlock(target);
  }

  blockEnd(target: number): number {
    const block = this.#blockOf(target);
    return block === this.#blockCount ? NO_MORE_DOCS : this.#lastDoc(block);
  }

  blockMaxImpact(target: number): number {
    const block = this.#blockOf(target);
    return block === this.#blockCount ? 0 : this.#bounds.blockMax(block);
  }

  frequency(field: FieldName): number {
    this.#decodeFrequencies();
    const slot = otherSlot(field);
    return slot < 0 ? this.#rows.bodyFrequencies[this.#index]! : this.#otherFrequency(slot);
  }

  impact(): number {
    this.#decodeFrequencies();
    const { lengthCodes } = this.#sections;
    const bodyFrequency = this.#rows.bodyFrequencies[this.#index]!;
    if (!this.#hasOthers())
      return this.#scorer.bodyImpact(bodyFrequency, lengthCodes[BODY_INDEX]![this.doc]!);
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
      impactFrequencies[OTHER_INDEXES[slot]!] = this.#otherFrequency(slot);
    }
    impactFrequencies[BODY_INDEX] = bodyFrequency;
    for (let field = 0; field < FIELD_COUNT; field += 1) impactCodes[field] = lengthCodes[field]![this.doc]!;
    return this.#scorer.impact(impactFrequencies, impactCodes);
  }

  positions(field: FieldName): Uint32Array {
    const count = this.frequency(field);
    if (count === 0) return new Uint32Array(0);
    const reader = this.#openPositions();
    const first = (this.#positionStarts as Uint32Array)[this.#index]!;
    if (this.#readIndex !== this.#index) reader.reuse();
    this.#readIndex = this.#index;
    return reader.read(first + this.#positionsBefore(fieldIndex(field)), count);
  }

  /** Occurrences of the current document in the fields that stand before `field`. */
  #positionsBefore(field: number): number {
    let count = field > BODY_INDEX ? this.#rows.bodyFrequencies[this.#index]! : 0;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
      if (OTHER_INDEXES[slot]! < field) count += this.#otherFrequency(slot);
    }
    return count;
  }

  #hasOthers(): boolean {
    if (this.#isTail) return this.#rows.otherFrequencies !== undefined;
    return this.#otherKind !== OtherKind.none && this.#blockOthers().has(this.#index);
  }

  #blockOthers(): OtherFrequencies {
    this.#others ??= new OtherFrequencies(this.#sections.docWords);
    return this.#others;
  }

  #otherFrequency(slot: number): number {
    if (this.#isTail) return this.#rows.otherFrequencies?.[this.#index * OTHER_COUNT + slot] ?? 0;
    if (this.#otherKind === OtherKind.none) return 0;
    const others = this.#blockOthers();
    return others.has(this.#index) ? others.frequency(this.#index, slot) : 0;
  }

  #otherTotal(index: number): number {
    if (!this.#isTail) return this.#otherKind === OtherKind.none ? 0 : this.#blockOthers().total(index);
    const { otherFrequencies } = this.#rows;
    if (otherFrequencies === undefined) return 0;
    let sum = 0;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) sum += otherFrequencies[index * OTHER_COUNT + slot]!;
    return sum;
  }

  #decodeFrequencies(): void {
    if (this.#frequenciesDecoded) return;
    this.#frequenciesDecoded = true;
    const { docWords } = this.#sections;
    decodeBodyFrequencies(docWords, this.#wordOffset, this.#shape, this.#rows.bodyFrequencies);
    this.#otherKind = othersOf(this.#shape);
    if (this.#otherKind !== OtherKind.none) {
      this.#blockOthers().open(othersOffset(this.#wordOffset, this.#shape), this.#otherKind);
    }
  }

  #openPositions(): PositionReader {
    this.#positions ??= new PositionReader(this.#sections.positions);
    if (this.#positionsOpened) return this.#positions;
    this.#positionsOpened = true;
    this.#readIndex = -1;
    this.#positionStarts ??= new Uint32Array(BLOCK_LENGTH);
    let start = 0;
    for (let i = 0; i < this.#count; i += 1) {
      this.#positionStarts[i] = start;
      start += this.#rows.bodyFrequencies[i]! + this.#otherTotal(i);
    }
    this.#positions.open(this.#term.positionsOffset + this.#relativePositionsOffset(), start);
    return this.#positions;
  }

  #relativePositionsOffset(): number {
    if (this.docCount < BLOCK_LENGTH) return 0;
    return this.#sections.positionsOffsets[this.#term.firstBlock + this.#block]!;
  }

  #lastDoc(block: number): number {
    if (this.docCount >= BLOCK_LENGTH) return this.#sections.lastDocs[this.#term.firstBlock + block]!;
    // A list without records is one tail; its end is known once it is decoded, which moves nothing.
    if (this.#block === EMPTY_BLOCK) this.#load(0);
    return this.#rows.docs[this.docCount - 1]!;
  }

  /** Block that holds the first document >= target, blockCount past the end. */
  #blockOf(target: number): number {
    let low = this.#peekedBlock;
    if (low > 0 && this.#lastDoc(low - 1) >= target) low = 0;
    if (low < this.#blockCount && this.#lastDoc(low) < target) {
      // Gallop, then halve: targets are near more often than far.
      let step = 1;
      while (low + step < this.#blockCount && this.#lastDoc(low + step) < target) step *= 2;
      let high = Math.min(low + step, this.#blockCount);
      low += step >>> 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (this.#lastDoc(middle) < target) low = middle + 1;
        else high = middle;
      }
    }
    this.#peekedBlock = low;
    return low;
  }

  #enter(block: number, target: number): number {
    if (block >= this.#blockCount) {
      this.#index = this.#count;
      this.#blockLast = NO_MORE_DOCS;
      this.doc = NO_MORE_DOCS;
      return NO_MORE_DOCS;
    }
    if (block !== this.#block) this.#load(block);
    this.#index = 0;
    return this.#seekInBlock(target);
  }

  /** Moves to the first document >= target of the loaded block, which must have one. */
  #seekInBlock(target: number): number {
    const { docs } = this.#rows;
    let low = Math.max(this.#index, 0);
    if (docs[low]! < target) {
      let high = this.#count - 1;
      low += 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (docs[middle]! < target) low = middle + 1;
        else high = middle;
      }
    }
    this.#index = low;
    this.doc = docs[low]!;
    return this.doc;
  }

  #load(block: number): void {
    this.#block = block;
    this.#positionsOpened = false;
    const previousDoc = block === 0 ? -1 : this.#lastDoc(block - 1);
    this.#count = Math.min(BLOCK_LENGTH, this.docCount - block * BLOCK_LENGTH);
    this.#isTail = this.#count < BLOCK_LENGTH;
    if (this.#isTail) this.#loadTail(block, previousDoc);
    else this.#loadBlock(block, previousDoc);
    this.#blockLast = this.#rows.docs[this.#count - 1]!;
  }

  #loadBlock(block: number, previousDoc: number): void {
    const { docWords, docsOffsets, shapes } = this.#sections;
    const record = this.#term.firstBlock + block;
    this.#shape = shapes[record]!;
    this.#wordOffset = (this.#term.docsOffset + docsOffsets[record]!) / 4;
    this.#frequenciesDecoded = false;
    decodeDocs(docWords, this.#wordOffset, { shape: this.#shape, previousDoc }, this.#rows.docs);
  }

  #loadTail(block: number, previousDoc: number): void {
    const { docs, docsOffsets } = this.#sections;
    const { inline, docsOffset, firstBlock } = this.#term;
    const relative = this.docCount < BLOCK_LENGTH ? 0 : docsOffsets[firstBlock + block]!;
    const source = inline
      ? new TailReader(inline.bytes, inline.offset)
      : new TailReader(docs, docsOffset + relative);
    this.#rows.decode(source, this.#count, previousDoc);
    this.#frequenciesDecoded = true;
  }
}
