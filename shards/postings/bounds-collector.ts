import { ByteWriter } from '../bytes/byte-writer.ts';
import type { Scorer } from '../score/scorer.ts';
import { BLOCK_LENGTH } from './bit-packing.ts';
import { type BoundSections, GROUP_LENGTH, IMPACTS_PER_STEP, quantiseBound, STEPS } from './bounds.ts';
import { BODY_INDEX, FIELD_COUNT, OTHER_COUNT, OTHER_INDEXES } from './field-slots.ts';
import type { PostingRows } from './tail-codec.ts';

/** Record i of a term keeps its 10^(i+1)-th best impact. */
const RANK_BASE = 10;

/** Scores the postings of lists that have block records, block after block as they are coded, and keeps the bounds. */
export class BoundsCollector {
  readonly #scorer: Scorer;
  /** Length codes by field, in the order of FIELD_NAMES. */
  readonly #lengthCodes: readonly Uint8Array[];
  readonly #blocks = new ByteWriter();
  readonly #groups = new ByteWriter();
  readonly #best = new ByteWriter();
  /** Block records of the present list. */
  #recordCount = 0;
  /** Impacts of the present list by step, rounded down. */
  readonly #steps = new Uint32Array(STEPS);
  readonly #impacts = new Uint16Array(BLOCK_LENGTH);
  readonly #frequencies = new Uint32Array(FIELD_COUNT);
  readonly #codes = new Uint8Array(FIELD_COUNT);

  constructor(scorer: Scorer, lengthCodes: readonly Uint8Array[]) {
    this.#scorer = scorer;
    this.#lengthCodes = lengthCodes;
  }

  /** Takes the next block of a list, or its tail: the first `count` of the rows. */
  addBlock(rows: PostingRows, count: number): void {
    for (let row = 0; row < count; row += 1) this.#impacts[row] = this.#impactOf(rows, row);
    let blockMax = 0;
    for (let start = 0; start < BLOCK_LENGTH; start += GROUP_LENGTH) {
      const groupMax = this.#groupMax(start, Math.min(start + GROUP_LENGTH, count));
      this.#groups.u8(quantiseBound(groupMax));
      if (groupMax > blockMax) blockMax = groupMax;
    }
    this.#blocks.u8(quantiseBound(blockMax));
    this.#recordCount += 1;
  }

  /** The largest of these impacts, each of which is counted; 0 where there is none. */
  #groupMax(start: number, end: number): number {
    let largest = 0;
    for (let row = start; row < end; row += 1) {
      const impact = this.#impacts[row]!;
      if (impact > largest) largest = impact;
      this.#steps[(impact / IMPACTS_PER_STEP) | 0]! += 1;
    }
    return largest;
  }

  #impactOf({ docs, bodyFrequencies, otherFrequencies }: PostingRows, row: number): number {
    const doc = docs[row]!;
    let others = 0;
    for (let slot = 0; slot < OTHER_COUNT; slot += 1) {
      const frequency = otherFrequencies[row * OTHER_COUNT + slot]!;
      this.#frequencies[OTHER_INDEXES[slot]!] = frequency;
      others += frequency;
    }
    const bodyFrequency = bodyFrequencies[row]!;
    if (others === 0) return this.#scorer.bodyImpact(bodyFrequency, this.#lengthCodes[BODY_INDEX]![doc]!);
    this.#frequencies[BODY_INDEX] = bodyFrequency;
    for (let field = 0; field < FIELD_COUNT; field += 1) {
      this.#codes[field] = this.#lengthCodes[field]![doc]!;
    }
    return this.#scorer.impact(this.#frequencies, this.#codes);
  }

  /** Ends the list whose blocks were just added. */
  endTerm(): void {
    let rank = RANK_BASE;
    let seen = 0;
    let record = 0;
    for (let step = STEPS - 1; step > 0 && record < this.#recordCount; step -= 1) {
      seen += this.#steps[step]!;
      for (; seen >= rank && record < this.#recordCount; rank *= RANK_BASE) {
        this.#best.u8(step);
        record += 1;
      }
    }
    for (; record < this.#recordCount; record += 1) this.#best.u8(0);
    this.#recordCount = 0;
    this.#steps.fill(0);
  }

  /** All bounds; the collector is used up. */
  finish(): BoundSections {
    return { blocks: this.#blocks.view(), groups: this.#groups.view(), best: this.#best.view() };
  }
}
