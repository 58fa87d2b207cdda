import type { FieldName } from '../values/fields.ts';

/** Past the last document: larger than any document id, so that comparisons need no special case. */
export const NO_MORE_DOCS = 0x7fffffff;

/**
 * Walks the documents of one term in rising order. `doc` is -1 before the first step.
 * The ladder: an algorithm asks for the lowest rung that it can work with.
 */
export interface PostingCursor {
  /** Current document, -1 before the first step, NO_MORE_DOCS at the end. */
  readonly doc: number;
  /** Number of documents in the list, deleted ones included. */
  readonly docCount: number;
  next(): number;
  /**
   * First document >= target, defined by `while (doc < target) next(); return doc`.
   * Undefined when target <= doc; never moves back.
   */
  advance(target: number): number;
}

/** Knows how often the term stands in each field of the current document. */
export interface FrequencyCursor extends PostingCursor {
  /** Occurrences in `field` of the current document. */
  frequency(field: FieldName): number;
  /** The idf-free score part I of the current document, 0..65535 (score/bm25f.ts), under the epoch's average lengths. */
  impact(): number;
}

/** Knows bounds of blocks without decoding them. */
export interface BlockMaxCursor extends FrequencyCursor {
  /** Largest impact of any document of the list, rounded up. */
  readonly maxImpact: number;
  /**
   * Last document of the block that holds the first document >= target (NO_MORE_DOCS past the end).
   * Does not move the cursor and decodes nothing.
   */
  blockEnd(target: number): number;
  /** Upper bound of impact() over that same block. */
  blockMaxImpact(target: number): number;
}

/** Also knows where the term stands. */
export interface PositionsCursor extends BlockMaxCursor {
  /**
   * Rising token positions in `field` of the current document; valid until the cursor moves.
   * Blocks of text, and several texts of one field, are separated by a gap (BLOCK_GAP of text/token.ts).
   */
  positions(field: FieldName): Uint32Array;
}
