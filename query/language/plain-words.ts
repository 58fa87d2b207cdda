import { cleanQuery } from './lexer.ts';

/**
 * A text that the parser reads as words alone: quotation marks, parentheses, colons, stars and leading hyphens become spaces.
 * For prose that was not written in the query language, such as the queries of a test collection.
 */
export const plainWords = (text: string): string =>
  cleanQuery(text)
    .text.replace(/[":()*]/g, ' ')
    .replace(/(?<!\S)-+/g, (hyphens) => ' '.repeat(hyphens.length));
