import type { Scorer } from '../score/scorer.ts';
import { BLOCK_LENGTH } from './bit-packing.ts';
import { decodeBodyFrequencies, decodeDocs, othersOf, othersOffset } from './block-codec.ts';
import { BoundsCollector } from './bounds.ts';
import { BODY_INDEX, FIELD_COUNT, OTHER_COUNT, OTHER_INDEXES } from './field-slots.ts';
import { OtherFrequencies, OtherKind } from './other-frequencies.ts';
import type { PostingSections } from './postings-cursor.ts';
import { recordCount, type TermPlace } from './postings-encoder.ts';
import { TailReader, TailRows } from './tail-codec.ts';

/** Impacts of the blocks of one segment after the other, without a cursor between. */
class BlockImpacts {
  readonly impacts = new Uint16Array(BLOCK_LENGTH);
  readonly #sections: PostingSections;
  readonly #scorer: Scorer;
  readonly #rows = new TailRows(BLOCK_LENGTH);
  readonly #others: OtherFrequencies;
  readonly #frequencies = new Uint32Array(FIELD_COUNT);
  readonly #codes = new Uint8Array(FIELD_COUNT);

  constructor(sections: PostingSections, scorer: Scorer) {
    this.#sections = sections;
    this.#scorer = scorer;
    this.#others = new OtherFrequencies(sections.docWords);
  }

  /** Fills `impacts` from a full block. */
  block(record: number, docsOffset: number, previousDoc: number): void {
    const { docWords, docsOffsets, shapes } = this.#sections;
    const shape = shapes[record]!;
    const wordOffset = (docsOffset + docsOffsets[record]!) / 4;
    decodeDocs(docWords, wordOffset, { shape, previousDoc }, this.#rows.docs);
    decodeBodyFrequencies(docWords, wordOffset, shape, this.#rows.bodyFrequencies);
    this.#scoreBodies(BLOCK_LENGTH);
    const kind = othersOf(shape);
    if (kind === OtherKind.none) return;
    this.#others.open(othersOffset(wordOffset, shape), kind);
    for (let i = 0; i < BLOCK_LENGTH; i += 1) {
      if (!this.#others.has(i)) continue;
      this.#scoreAll(i, (slot) => this.#others.frequency(i, slot));
    }
  }

  /** Fills the first `count` of `impacts` from a tail. */
  tail(
    record: number,
    docsOffset: number,
    place: { readonly previousDoc: number; readonly count: number },
  ): void {
    const { docs, docsOffsets } = this.#sections;
    const source = new TailReader(docs, docsOffset + docsOffsets[record]!);
    this.#rows.decode(source, place.count, place.previousDoc);
    this.#scoreBodies(place.count);
    const others = this.#rows.otherFrequencies;
    if (others === undefined) return;
    for (let i = 0; i < place.count; i += 1) this.#scoreAll(i, (slot) => others[i * OTHER_COUNT + slot]!);
  }

  #scoreBodies(count: number): void {
    const codes = this.#sections.lengthCodes[BODY_INDEX]!;
    const { docs, bodyFrequencies } = this.#rows;
    for (let i = 0; i < count; i += 1) {
      this.impacts[i] = this.#scorer.bodyImpact(bodyFrequencies[i]!, codes[docs[i]!]!);
    }
  }

  #scoreAll(i: number, otherFrequency: (slot: number) => number): void {
    const doc = this.#rows.docs[i]!;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
      this.#frequencies[OTHER_INDEXES[slot]!] = otherFrequency(slot);
    }
    this.#frequencies[BODY_INDEX] = this.#rows.bodyFrequencies[i]!;
    for (let field = 0; field < FIELD_COUNT; field += 1) {
      this.#codes[field] = this.#sections.lengthCodes[field]![doc]!;
    }
    this.impacts[i] = this.#scorer.impact(this.#frequencies, this.#codes);
  }
}

/** Blocks between two yields: some milliseconds. */
const BLOCKS_PER_SLICE = 256;

/** Scores every posting of the lists that have block records and keeps the bounds. Yields between slices of the work. */
export function* collectBounds(
  terms: Iterable<TermPlace>,
  sections: PostingSections,
  scorer: Scorer,
): Generator<void, BoundsCollector> {
  const collector = new BoundsCollector(sections.lastDocs.length);
  const scored = new BlockImpacts(sections, scorer);
  for (const { docCount, docsOffset, firstBlock } of terms) {
    const records = recordCount(docCount);
    if (records === 0) continue;
    for (let block = 0; block < records; block += 1) {
      const record = firstBlock + block;
      const previousDoc = block === 0 ? -1 : sections.lastDocs[record - 1]!;
      const count = Math.min(BLOCK_LENGTH, docCount - block * BLOCK_LENGTH);
      if (count === BLOCK_LENGTH) scored.block(record, docsOffset, previousDoc);
      else scored.tail(record, docsOffset, { previousDoc, count });
      collector.addBlock(record, scored.impacts, count);
      if (record % BLOCKS_PER_SLICE === 0) yield;
    }
    collector.endTerm(firstBlock, records);
  }
  return collector;
}
