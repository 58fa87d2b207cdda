import type { OwnTermStream } from './term-stream.ts';

/** One occurrence of a term in a text. */
export interface Token {
  /** As stored in the dictionary: folded and stemmed. At most 64 code points. */
  readonly term: string;
  /** Word position from 0; several tokens may share one; a block border leaves a gap. */
  readonly position: number;
  /** UTF-16 range of the word in the text. */
  readonly start: number;
  readonly end: number;
}

/** One word of a query, with all terms by which documents of the index may hold it. */
export interface QueryWord {
  /** Distinct terms; the first is the main language's. */
  readonly terms: readonly string[];
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

/** An occurrence of a term that was looked for. */
export type FoundToken = Omit<Token, 'position'>;

/** Looks for terms in a text of a language, as `analyse` would cut it; rising order of position. */
export type TermFinder = (text: string, lang: string) => readonly FoundToken[];

/** A named chain from text to terms; a segment records the name, so that queries are cut alike. */
export interface Analyser {
  readonly name: string;
  /** For comparisons with a peer of one field: whoever makes documents puts title and text into the body, and no more. */
  readonly isSingleField?: boolean;
  /**
   * `lang` (a primary subtag) chooses the stemmer; a language without one means no stemming, '' (not known, and not
   * guessed either) the stemmer of English. Tokens come in rising order of position, several may share one.
   */
  analyse(text: string, lang: string): Token[];
  /** Cuts a query's text; each word carries its stems in `langs` and its unstemmed form. */
  analyseQuery(text: string, langs: readonly string[]): QueryWord[];
  /**
   * What all terms begin with whose words begin with `text`, as far as no stemmer changes them; '' when `text` is not the
   * beginning of one word.
   */
  prefixOf(text: string): string;
  /** Finds the tokens of `analyse` that have one of the terms, and sooner; left out where a chain has no such way. */
  readonly finder?: ((terms: ReadonlySet<string>) => TermFinder) | undefined;
  /** A stream for indexing, with the same tokens as `analyse`; left out where a chain has no such way. */
  readonly termStream?: (() => OwnTermStream) | undefined;
}

/** Positions that a block border (`\n`), or the border between two texts of one field, skips. */
export const BLOCK_GAP = 8;
