import { toUSVString } from 'node:util';
import { boundTerm } from './term-length.ts';
import type { Analyser, QueryWord, Token } from './token.ts';

/** Control characters part tokens too: a term holds none. */
const TOKEN = /[^\s\p{Cc}]+/gu;

const analyse = (text: string): Token[] => {
  const tokens: Token[] = [];
  let position = 0;
  for (const { 0: word, index: start } of text.matchAll(TOKEN)) {
    const term = boundTerm(toUSVString(word));
    // A word too long to be a term takes a position all the same.
    if (term !== '') tokens.push({ term, position, start, end: start + word.length });
    position += 1;
  }
  return tokens;
};

/** Takes a text that something else has cut: its tokens as they are, white space between. */
export const createWhitespaceAnalyser = (): Analyser => ({
  name: 'whitespace',
  isSingleField: true,
  analyse,
  analyseQuery: (text): QueryWord[] =>
    analyse(text).map(({ term, ...place }) => ({ terms: [term], ...place })),
  prefixOf: (text) => {
    const [only, ...others] = analyse(text);
    return only !== undefined && others.length === 0 ? only.term : '';
  },
});
