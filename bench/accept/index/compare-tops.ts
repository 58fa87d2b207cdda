import type { RankedResult, Tops } from '../../../query/index.ts';

/**
 * How our best k stand to the peer's, by the peer's scores.
 * same: the same documents, in an order that the peer's scores allow.
 * rounded: documents or places are exchanged whose scores the peer tells apart by less than our integers can.
 * different: anything else.
 */
export type Agreement = 'same' | 'rounded' | 'different';

export interface ComparedQuery {
  readonly query: string;
  readonly agreement: Agreement;
  /** Largest difference of the peer's scores that our order contradicts; Infinity where the peer does not rank a document. */
  readonly inversion: number;
}

/** The peer prints five decimals. */
const PRINTED = 1e-5;

/** What our order contradicts in the peer's scores: the largest rise from one of ours to a later, or left-out, one. */
const largestInversion = (
  ours: readonly RankedResult[],
  theirs: readonly RankedResult[],
  k: number,
): number => {
  const peerScore = new Map(theirs.map(({ url, score }) => [url, score]));
  const best = ours.slice(0, k);
  const wanted = theirs.slice(0, k);
  if (best.length !== wanted.length) return Infinity;
  const chosen = new Set(best.map(({ url }) => url));
  const leftOut = wanted.filter(({ url }) => !chosen.has(url)).map(({ score }) => score);
  const scores = best.map(({ url }) => peerScore.get(url) ?? -Infinity);
  let inversion = 0;
  let lowest = Infinity;
  for (const score of scores) {
    if (score > lowest) inversion = Math.max(inversion, score - lowest);
    lowest = Math.min(lowest, score);
  }
  return Math.max(inversion, ...leftOut.map((score) => score - lowest));
};

/**
 * @param theirs Deeper than k, so that the peer's score is known of what ties at the border.
 * @param tolerance Difference of scores that our integers may lose, per query.
 */
export const compareTops = (
  ours: Tops,
  theirs: Tops,
  k: number,
  tolerance: (query: string) => number,
): ComparedQuery[] =>
  [...new Set([...ours.keys(), ...theirs.keys()])].map((query) => {
    const inversion = largestInversion(ours.get(query) ?? [], theirs.get(query) ?? [], k);
    if (inversion <= PRINTED) return { query, inversion, agreement: 'same' };
    return { query, inversion, agreement: inversion <= tolerance(query) ? 'rounded' : 'different' };
  });

/**
 * What our integers may lose between two documents, in the unit of the peer's score (points of idf): half a step of the
 * weight, 2^-12, per word in each, and half a step of the impact, 2^-17 of at most 12 points.
 */
export const roundingOf = (query: string): number => {
  const words = query.split(' ').length;
  return words * 2 * (2 ** -12 + 12 * 2 ** -17);
};
