import { MAX_IMPACT, narrowBound, widenBound } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import { BLOCK_LENGTH } from './bit-packing.ts';

/** Postings of a group, the finest part of a list that has a bound of its own. */
export const GROUP_LENGTH = 16;
export const GROUPS_PER_BLOCK = BLOCK_LENGTH / GROUP_LENGTH;

/** Impacts are 0..65535 and a stored bound is one byte: the impact divided by this, rounded up. */
export const IMPACTS_PER_STEP = 257;
export const STEPS = 256;

/** The byte that stands for an impact of 0..65535; never stands for less. */
export const quantiseBound = (impact: number): number => Math.ceil(impact / IMPACTS_PER_STEP);

/** Bounds of the lists that have block records; the impacts of a shorter list are soon found out. */
export interface BoundSections {
  /** Largest impact of each block record. */
  readonly blocks: Uint8Array;
  /** Largest impact of each group of 16 postings, eight a block record. */
  readonly groups: Uint8Array;
  /**
   * For record i of a term, the 10^(i+1)-th best impact of its list, divided by 257 and rounded down: the 10th, the 100th
   * and so on; 0 where the list is shorter.
   */
  readonly best: Uint8Array;
}

/** Largest impacts of one segment under one weight table and one set of averages, all without idf. */
export interface StoredBounds extends BoundSections {
  /** Scorer.table that made them; they say nothing about another one. */
  readonly table: string;
  /** Average lengths by field that they were made under. */
  readonly averageLengths: readonly number[];
}

/** Bounds of one term's list as a cursor needs them: impacts 0..65535. */
export interface TermBounds {
  readonly termMax: number;
  /** `block` counts from the term's first. */
  blockMax(block: number): number;
}

/** Of a list about which nothing is known. */
export const UNBOUNDED: TermBounds = { termMax: MAX_IMPACT, blockMax: () => MAX_IMPACT };

/** Makes stored bounds hold under another scorer's averages (the proof is at createScorer in score/bm25f.ts). */
export class SegmentBounds {
  readonly #stored: StoredBounds | undefined;
  /** Impact that each stored byte of `blocks` and `groups` stands for, at least. */
  readonly upper = new Uint16Array(STEPS).fill(MAX_IMPACT);
  /** Impact that each stored byte of `best` stands for, at most. */
  readonly lower = new Uint16Array(STEPS);

  constructor(stored: StoredBounds | undefined, scorer: Scorer) {
    this.#stored = stored?.table === scorer.table ? stored : undefined;
    if (this.#stored === undefined) return;
    const widening = scorer.widening(this.#stored.averageLengths);
    const narrowing = scorer.narrowing(this.#stored.averageLengths);
    for (let step = 0; step < STEPS; step += 1) {
      this.upper[step] = widenBound(step * IMPACTS_PER_STEP, widening);
      this.lower[step] = narrowBound(step * IMPACTS_PER_STEP, narrowing);
    }
  }

  /** Bounds of the term whose block records begin at `firstBlock`. */
  of(firstBlock: number, docCount: number): TermBounds {
    const stored = this.#stored;
    if (stored === undefined || docCount < BLOCK_LENGTH) return UNBOUNDED;
    const { upper } = this;
    const { blocks } = stored;
    let largest = 0;
    for (let block = Math.ceil(docCount / BLOCK_LENGTH) - 1; block >= 0; block -= 1) {
      largest = Math.max(largest, blocks[firstBlock + block]!);
    }
    return { termMax: upper[largest]!, blockMax: (block) => upper[blocks[firstBlock + block]!]! };
  }
}
