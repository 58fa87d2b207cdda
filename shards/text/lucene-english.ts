import * as layout from '../kernels/text-layout.ts';
import { type CutText, KernelTermStream, type StreamRules } from './kernel-term-stream.ts';
import { porterStem } from './porter.ts';
import { WordCache } from './stem.ts';
import { boundTerm } from './term-length.ts';
import type { Analyser, QueryWord, Token } from './token.ts';
import { LONGEST_TOKEN_UNITS, scanWords } from './word-break.ts';
import { PARTING_CODE_POINTS } from './word-break-classes.ts';
import { classesOfBytes } from './word-classes.ts';

/** Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET, 33 words. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
    'this to was will with'
  ).split(' '),
);

const POSSESSIVE = /['\u2019\uff07][sS]$/;

/** Character by character, as Java does it there: no final sigma, no dot above an i. */
const lowerCase = (word: string): string =>
  word
    .replace(/\u0130/g, 'i')
    .replace(/\u03a3/g, '\u03c3')
    .toLowerCase();

/** '' for a stop word. */
const makeTerm = (raw: string): string => {
  const word = lowerCase(raw.replace(POSSESSIVE, ''));
  return STOP_WORDS.has(word) ? '' : boundTerm(porterStem(word));
};

const PLAIN = /^[a-z]+$/;

/** What the kernel asks for: a word, or several that it does not part. */
const cut = (text: string): CutText => {
  if (text.length <= LONGEST_TOKEN_UNITS && PLAIN.test(text)) {
    const term = makeTerm(text);
    return { tokens: term === '' ? [] : [{ term, position: 0 }], width: 1 };
  }
  const tokens: { term: string; position: number }[] = [];
  let position = 0;
  scanWords(text, (start, end) => {
    const term = makeTerm(text.slice(start, end));
    if (term !== '') tokens.push({ term, position });
    position++;
  });
  return { tokens, width: position };
};

/** Rules WB6 to WB13b for ASCII. */
const STREAM_RULES: StreamRules = {
  byteClasses: classesOfBytes({
    _: layout.CLASS_EXTENDER,
    "'": layout.CLASS_JOINS_LETTERS | layout.CLASS_JOINS_DIGITS,
    '.': layout.CLASS_JOINS_LETTERS | layout.CLASS_JOINS_DIGITS,
    ':': layout.CLASS_JOINS_LETTERS,
    ',': layout.CLASS_JOINS_DIGITS,
    ';': layout.CLASS_JOINS_DIGITS,
  }),
  separators: PARTING_CODE_POINTS,
  blockGap: 0,
  rulesFor: () => ({ number: 0, cut }),
};

/**
 * Lucene's EnglishAnalyzer, for comparisons with a peer: StandardTokenizer, possessive, lower case, 33 stop words,
 * Porter. A stop word leaves a gap in the positions, a block border does not. Language is not asked for.
 * Departs from it in that terms end at 64 code points here, at 255 units there, and in what scanWords names.
 */
export const createLuceneEnglishAnalyser = (): Analyser => {
  const known = new WordCache<string>();
  const termOf = (raw: string): string => {
    const cached = known.get(raw);
    if (cached !== undefined) return cached;
    const made = makeTerm(raw);
    known.set(raw, made);
    return made;
  };
  const analyse = (text: string): Token[] => {
    const tokens: Token[] = [];
    let position = 0;
    scanWords(text, (start, end) => {
      const term = termOf(text.slice(start, end));
      if (term !== '') tokens.push({ term, position, start, end });
      position++;
    });
    return tokens;
  };
  return {
    name: 'lucene-english',
    isSingleField: true,
    analyse,
    analyseQuery: (text): QueryWord[] =>
      analyse(text).map(({ term, ...place }) => ({ terms: [term], ...place })),
    prefixOf: (text) => {
      let prefix = '';
      scanWords(text, (start, end) => {
        if (start === 0 && end === text.length) prefix = boundTerm(lowerCase(text));
      });
      return prefix;
    },
    termStream: () => new KernelTermStream(STREAM_RULES),
  };
};
