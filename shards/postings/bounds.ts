import { MAX_IMPACT, widenBound } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import { BLOCK_LENGTH } from './bit-packing.ts';
import { NO_MORE_DOCS, type PostingCursor } from './posting-cursor.ts';
import { recordCount } from './postings-encoder.ts';

/** Impacts are 0..65535 and a stored bound is one byte: the impact divided by this, rounded up. */
const IMPACTS_PER_STEP = 257;

/** The byte that stands for an impact of 0..65535; never stands for less. */
export const quantiseBound = (impact: number): number => Math.ceil(impact / IMPACTS_PER_STEP);

/** Largest impacts of one segment under one weight table and one set of averages, all without idf. */
export interface StoredBounds {
  /** Scorer.table that made them; they say nothing about another one. */
  readonly table: string;
  /** Average lengths by field that they were made under. */
  readonly averageLengths: readonly number[];
  /** A byte per term, by ordinal. */
  readonly terms: Uint8Array;
  /** A byte per block record. */
  readonly blocks: Uint8Array;
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
  /** Impact that each stored byte stands for. */
  readonly #impacts = new Uint16Array(256);

  constructor(stored: StoredBounds | undefined, scorer: Scorer) {
    this.#stored = stored?.table === scorer.table ? stored : undefined;
    if (this.#stored === undefined) return;
    const widening = scorer.widening(this.#stored.averageLengths);
    for (let step = 0; step < this.#impacts.length; step += 1) {
      this.#impacts[step] = widenBound(step * IMPACTS_PER_STEP, widening);
    }
  }

  /** Bounds of the term `ordinal`, whose block records begin at `firstBlock`. */
  of(ordinal: number, firstBlock: number, docCount: number): TermBounds {
    const stored = this.#stored;
    if (stored === undefined) return UNBOUNDED;
    const impacts = this.#impacts;
    const termMax = impacts[stored.terms[ordinal]!]!;
    if (docCount < BLOCK_LENGTH) return { termMax, blockMax: () => termMax };
    const { blocks } = stored;
    return { termMax, blockMax: (block) => impacts[blocks[firstBlock + block]!]! };
  }
}

/** A term whose bounds are collected. */
export interface BoundedTerm {
  readonly ordinal: number;
  readonly docCount: number;
  readonly firstBlock: number;
}

/** Walks every posting of a segment once and keeps the largest impact of each block and each term. */
export const collectBounds = (
  entries: Iterable<{ readonly term: BoundedTerm; readonly cursor: PostingCursor & { impact(): number } }>,
  counts: { readonly termCount: number; readonly blockCount: number },
): Pick<StoredBounds, 'terms' | 'blocks'> => {
  const terms = new Uint8Array(counts.termCount);
  const blocks = new Uint8Array(counts.blockCount);
  for (const { term, cursor } of entries) {
    const hasRecords = recordCount(term.docCount) > 0;
    let termMax = 0;
    let blockMax = 0;
    for (let i = 0; cursor.next() !== NO_MORE_DOCS; i += 1) {
      if (i % BLOCK_LENGTH === 0) blockMax = 0;
      blockMax = Math.max(blockMax, cursor.impact());
      termMax = Math.max(termMax, blockMax);
      if (hasRecords) blocks[term.firstBlock + Math.floor(i / BLOCK_LENGTH)] = quantiseBound(blockMax);
    }
    terms[term.ordinal] = quantiseBound(termMax);
  }
  return { terms, blocks };
};
