import { ByteWriter } from '../bytes/byte-writer.ts';
import { BLOCK_LENGTH } from './bit-packing.ts';
import { encodeBlock, packShape } from './block-codec.ts';
import type { BoundsCollector } from './bounds-collector.ts';
import { OTHER_COUNT } from './field-slots.ts';
import { GrowableUint32 } from './growable.ts';
import { encodePositions } from './positions.ts';
import type { Posting } from './posting.ts';
import { encodeTail, newPostingRows } from './tail-codec.ts';

/** Where the postings of one term lie. */
export interface TermPlace {
  readonly docCount: number;
  /** Byte in section `docs`; unused when docCount is 1. */
  readonly docsOffset: number;
  /** Index of the first block record; the term has recordCount(docCount) of them. */
  readonly firstBlock: number;
  /** Byte in section `positions`. */
  readonly positionsOffset: number;
}

export interface EncodedTerm extends TermPlace {
  /** The posting of a term with one document, which stands in the dictionary. */
  readonly inline: Uint8Array | undefined;
}

/** A term that fits into one tail needs no block records. */
export const recordCount = (docCount: number): number =>
  docCount < BLOCK_LENGTH ? 0 : Math.ceil(docCount / BLOCK_LENGTH);

const NO_DOC = -1;
const WORD_BYTES = 4;

/** Of two sections: what was coded since it was asked for last. Views, valid until the encoder goes on. */
export interface CodedBytes {
  readonly docs: Uint8Array;
  readonly positions: Uint8Array;
}

/** Takes the postings of one term after the other, documents rising, and codes them. Twin of the inversion kernel. */
export class PostingsEncoder {
  readonly #bounds: BoundsCollector;
  readonly #docs = new ByteWriter(1 << 16);
  readonly #positions = new ByteWriter(1 << 16);
  /** Bytes that were taken away. */
  #docsTaken = 0;
  #positionsTaken = 0;
  /** Block records, an array per column; offsets count from the term's own. */
  readonly lastDocs = new GrowableUint32();
  readonly docsOffsets = new GrowableUint32();
  readonly positionsOffsets = new GrowableUint32();
  readonly shapes = new GrowableUint32();

  readonly #rows = newPostingRows();
  readonly #deltas = new GrowableUint32();
  readonly #inline = new ByteWriter(64);
  #withPositions = true;
  #count = 0;
  #docCount = 0;
  #doc = NO_DOC;
  #previousBlockDoc = NO_DOC;
  #docsStart = 0;
  #positionsStart = 0;
  #firstBlock = 0;

  constructor(bounds: BoundsCollector) {
    this.#bounds = bounds;
  }

  /** Bytes that wait to be taken. */
  get pendingBytes(): number {
    return this.#docs.length + this.#positions.length;
  }

  /** Takes away what is coded so far, between any two postings. */
  take(): CodedBytes {
    const coded = { docs: this.#docs.view(), positions: this.#positions.view() };
    this.#docsTaken += coded.docs.length;
    this.#positionsTaken += coded.positions.length;
    this.#docs.clear();
    this.#positions.clear();
    return coded;
  }

  get #docsEnd(): number {
    return this.#docsTaken + this.#docs.length;
  }

  get #positionsEnd(): number {
    return this.#positionsTaken + this.#positions.length;
  }

  /** `withPositions`: false for a biword, whose postings come without. */
  startTerm(withPositions = true): void {
    this.#withPositions = withPositions;
    this.#count = 0;
    this.#docCount = 0;
    this.#doc = NO_DOC;
    this.#previousBlockDoc = NO_DOC;
    this.#docsStart = this.#docsEnd;
    this.#positionsStart = this.#positionsEnd;
    this.#firstBlock = this.lastDocs.length;
  }

  /** Takes the next posting as that of document `doc`. */
  add(posting: Posting, doc: number): void {
    this.#startPosting(doc);
    const row = this.#count - 1;
    this.#rows.bodyFrequencies[row] = posting.bodyFrequency;
    const { others, othersStart, deltas } = posting;
    if (others) {
      for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
        this.#rows.otherFrequencies[row * OTHER_COUNT + slot] = others[othersStart + slot]!;
      }
    }
    for (let i = posting.deltasStart; i < posting.deltasEnd; i += 1) this.#deltas.push(deltas[i]!);
  }

  #startPosting(doc: number): void {
    if (this.#count === BLOCK_LENGTH) this.#flushBlock();
    const row = this.#count;
    this.#rows.docs[row] = doc;
    this.#rows.bodyFrequencies[row] = 0;
    this.#rows.otherFrequencies.fill(0, row * OTHER_COUNT, (row + 1) * OTHER_COUNT);
    this.#count += 1;
    this.#docCount += 1;
    this.#doc = doc;
  }

  #flushBlock(): void {
    if (this.#docCount === BLOCK_LENGTH) {
      // Only now is it known that the term has blocks, which need alignment.
      while (this.#docsEnd % WORD_BYTES !== 0) this.#docs.u8(0);
      this.#docsStart = this.#docsEnd;
    }
    this.#pushOffsets();
    const shape = encodeBlock(this.#rows, this.#previousBlockDoc, this.#docs);
    this.#encodePositions();
    this.#bounds.addBlock(this.#rows, BLOCK_LENGTH);
    this.#pushRecord(packShape(shape));
  }

  #encodePositions(): void {
    if (this.#withPositions) encodePositions(this.#deltas.view(), this.#positions);
  }

  #pushOffsets(): void {
    this.docsOffsets.push(this.#docsEnd - this.#docsStart);
    this.positionsOffsets.push(this.#positionsEnd - this.#positionsStart);
  }

  #pushRecord(shape: number): void {
    this.#previousBlockDoc = this.#doc;
    this.lastDocs.push(this.#doc);
    this.shapes.push(shape);
    this.#count = 0;
    this.#deltas.clear();
  }

  #flushTail(): void {
    const hasRecords = this.#docCount >= BLOCK_LENGTH;
    if (hasRecords) this.#pushOffsets();
    encodeTail(this.#rows, this.#count, this.#previousBlockDoc, this.#docs);
    this.#encodePositions();
    if (hasRecords) {
      this.#bounds.addBlock(this.#rows, this.#count);
      this.#pushRecord(0);
    }
    this.#deltas.clear();
  }

  /** Ends the term; it must have had an occurrence. */
  endTerm(): EncodedTerm {
    const docCount = this.#docCount;
    let inline: Uint8Array | undefined;
    if (docCount === 1) {
      this.#inline.clear();
      encodeTail(this.#rows, 1, NO_DOC, this.#inline);
      this.#encodePositions();
      this.#deltas.clear();
      inline = this.#inline.view();
    } else if (this.#count === BLOCK_LENGTH) {
      this.#flushBlock();
    } else {
      this.#flushTail();
    }
    this.#bounds.endTerm();
    return {
      docCount,
      docsOffset: this.#docsStart,
      firstBlock: this.#firstBlock,
      positionsOffset: this.#positionsStart,
      inline,
    };
  }
}
