import { SCORE_UNIT } from './bm25f.ts';

/** Points of idf that ten times the in-links are worth. */
const POINTS_PER_DECADE = 0.15;
const MAX_STATIC_SCORE = 2 ** 31 - 1;

/**
 * g(d): the part of the score that no query changes, from the number of other pages that link to the document.
 * Logarithmic, as in-links are spread like a power law (IIR 21.1). 0 without links; always below 2^31.
 */
export const staticScoreOfInLinks = (inLinkCount: number): number =>
  Math.min(
    MAX_STATIC_SCORE,
    Math.round(SCORE_UNIT * POINTS_PER_DECADE * Math.log10(1 + Math.max(0, inLinkCount))),
  );
