/** One posting with all its parts, as it passes from a reader or an inversion to the encoder. */
export interface Posting {
  readonly doc: number;
  readonly bodyFrequency: number;
  /** OTHER_COUNT frequencies from `othersStart` on; undefined when the term stands in the body only. */
  readonly others: Uint32Array | undefined;
  readonly othersStart: number;
  /** deltasStart..deltasEnd-1: for each field that has the term the first position, then the differences. */
  readonly deltas: Uint32Array;
  readonly deltasStart: number;
  readonly deltasEnd: number;
}
