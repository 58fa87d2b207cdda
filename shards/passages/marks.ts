import type { Analyser, Token } from '../text/token.ts';

/** A word of the text that the query asks for. */
export interface Mark {
  /** UTF-16 range in the text. */
  readonly start: number;
  readonly end: number;
  /** Index of the query's group. */
  readonly group: number;
}

/** Longest analysed text, in UTF-16 units: analysis is what a passage costs. */
const MAX_ANALYSED_UNITS = 65_536;
/** Where the first part holds none of the words, the rest is looked through up to here. */
const MAX_SEARCHED_UNITS = 1_000_000;

export interface MarkedText {
  readonly tokens: readonly Token[];
  readonly marks: readonly Mark[];
}

const groupsByTerm = (groups: readonly (readonly string[])[]): ReadonlyMap<string, number> => {
  const map = new Map<string, number>();
  for (const [group, terms] of groups.entries()) {
    for (const term of terms) if (!map.has(term)) map.set(term, group);
  }
  return map;
};

/** Nested ranges (a compound and its pieces) become the outer one. Tokens come with rising positions, not starts. */
const outermost = (marks: Mark[]): Mark[] => {
  marks.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Mark[] = [];
  for (const mark of marks) {
    const last = kept.at(-1);
    if (last === undefined || mark.end > last.end) kept.push(mark);
  }
  return kept;
};

/**
 * Where words of the query stand in a text, by the analysis that also made the index: stems, folded letters and
 * compounds are found on the word as written. At most MAX_SEARCHED_UNITS are looked at, in pieces of which the first
 * with a find is kept.
 */
export const markText = (
  text: string,
  groups: readonly (readonly string[])[],
  analyse: (text: string) => readonly Token[],
): MarkedText & { readonly offset: number } => {
  const byTerm = groupsByTerm(groups);
  let first: readonly Token[] | undefined;
  for (let offset = 0; offset < Math.min(text.length, MAX_SEARCHED_UNITS); offset += MAX_ANALYSED_UNITS) {
    const tokens = analyse(text.slice(offset, offset + MAX_ANALYSED_UNITS));
    first ??= tokens;
    const marks: Mark[] = [];
    for (const { term, start, end } of tokens) {
      const group = byTerm.get(term);
      if (group !== undefined) marks.push({ start, end, group });
    }
    if (marks.length > 0) return { tokens, marks: outermost(marks), offset };
  }
  return { tokens: first ?? [], marks: [], offset: 0 };
};

/** Analyser of the language of a text, as the index used it. */
export const analyserOf =
  (analyser: Analyser, lang: string) =>
  (text: string): readonly Token[] =>
    analyser.analyse(text, lang);
