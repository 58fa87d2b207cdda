import type { Analyser, QueryWord } from '../../shards/index.ts';
import type { Terms } from './weights.ts';

/** Words before and behind a compound among which its pieces are looked for. */
const MAX_NEST = 16;

/** What cuts the text of a query. */
export interface Cutter {
  readonly analyser: Analyser;
  /** Languages whose stemmers words pass through, the main one first. */
  readonly languages: readonly string[];
}

/** A word of the query at its distance from the first one of its clause. */
export interface CutWord {
  readonly terms: Terms;
  readonly offset: number;
}

/** How much of a compound is meant: the whole as written, or its pieces. */
export type Extent = 'written' | 'pieces';

const covers = (outer: QueryWord, inner: QueryWord): boolean =>
  outer.start <= inner.start && inner.end <= outer.end && outer.end - outer.start > inner.end - inner.start;

/** Of nested words the outermost (`written`) or the innermost ones (`pieces`); linear, since nests are local. */
const withoutNests = (words: readonly QueryWord[], extent: Extent): QueryWord[] =>
  words.filter((word, index) => {
    const near = words.slice(Math.max(0, index - MAX_NEST), index + MAX_NEST + 1);
    return !near.some((other) => (extent === 'written' ? covers(other, word) : covers(word, other)));
  });

/** Words of a text in order. Several words that the analyser puts at one position are one word with all their terms. */
export const cutText = (
  text: string,
  { analyser, languages }: Cutter,
  extent: Extent = 'written',
): CutWord[] => {
  const byPosition = new Map<number, Set<string>>();
  const words = analyser.analyseQuery(text, languages);
  for (const { position, terms } of withoutNests(words, extent)) {
    const known = byPosition.get(position) ?? new Set<string>();
    for (const term of terms) known.add(term);
    byPosition.set(position, known);
  }
  const positions = [...byPosition.keys()].sort((a, b) => a - b);
  const first = positions[0] ?? 0;
  return positions.map((position) => ({
    terms: [...(byPosition.get(position) ?? [])],
    offset: position - first,
  }));
};

/** Analyses each text once, however often it is cut: stemming is most of the time that a plan takes. */
export const analysingOnce = (analyser: Analyser): Analyser => {
  const known = new Map<string, QueryWord[]>();
  return {
    name: analyser.name,
    analyse: (text, language) => analyser.analyse(text, language),
    prefixOf: (text) => analyser.prefixOf(text),
    analyseQuery: (text, languages) => {
      const words = known.get(text) ?? analyser.analyseQuery(text, languages);
      known.set(text, words);
      return words;
    },
  };
};
