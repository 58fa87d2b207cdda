import type { Analyser, TermFinder } from '../text/token.ts';

/** A word of the text that the query asks for. */
export interface Mark {
  /** UTF-16 range in the text. */
  readonly start: number;
  readonly end: number;
  /** Index of the query's group. */
  readonly group: number;
}

/** Piece of a text that is looked through at a time, in UTF-16 units. */
const PIECE_UNITS = 65_536;
/** Where the first piece holds none of the words, the next are looked through up to here. */
const MAX_SEARCHED_UNITS = 1_000_000;

/** Marks the words of one query in a text of a language. */
export type Marker = (text: string, lang: string) => readonly Mark[];

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

const finderOf = (analyser: Analyser, terms: ReadonlySet<string>): TermFinder =>
  analyser.finder?.(terms) ??
  ((text, lang) => analyser.analyse(text, lang).filter(({ term }) => terms.has(term)));

/**
 * Where words of the query stand in a text, by the analysis that also made the index: stems, folded letters and
 * compounds are found on the word as written. At most MAX_SEARCHED_UNITS are looked at, in pieces of which the first
 * with a find is kept. One marker serves all pages of an answer: what it prepares for the query is the dear part.
 */
export const createMarker = (groups: readonly (readonly string[])[], analyser: Analyser): Marker => {
  const byTerm = groupsByTerm(groups);
  const find = finderOf(analyser, new Set(byTerm.keys()));
  return (text, lang) => {
    for (let offset = 0; offset < Math.min(text.length, MAX_SEARCHED_UNITS); offset += PIECE_UNITS) {
      const marks: Mark[] = [];
      for (const { term, start, end } of find(text.slice(offset, offset + PIECE_UNITS), lang)) {
        const group = byTerm.get(term);
        if (group !== undefined) marks.push({ start: start + offset, end: end + offset, group });
      }
      if (marks.length > 0) return outermost(marks);
    }
    return [];
  };
};
