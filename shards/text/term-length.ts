/** Code points of the longest term. */
export const MAX_TERM_CODE_POINTS = 64;
/** What is longer than this is no word (base64, minified code): it takes a position and has no term. */
const LONGEST_WORD_UNITS = 256;

/** Bounds a term: cut at 64 code points, or '' where the word is too long to be one. */
export const boundTerm = (term: string): string => {
  if (term.length <= MAX_TERM_CODE_POINTS) return term;
  if (term.length > LONGEST_WORD_UNITS) return '';
  return Array.from(term).slice(0, MAX_TERM_CODE_POINTS).join('');
};
