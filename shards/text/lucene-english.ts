import * as layout from '../kernels/text-layout.ts';
import { CharClass, classAt, INVISIBLE, unitsAt } from './character-classes.ts';
import { type CutText, KernelTermStream, type StreamRules } from './kernel-term-stream.ts';
import { porterStem } from './porter.ts';
import { WordCache } from './stem.ts';
import { boundTerm } from './term-length.ts';
import type { Analyser, QueryWord, Token } from './token.ts';
import { classesOfBytes } from './word-classes.ts';

/** Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET, 33 words. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
    'this to was will with'
  ).split(' '),
);

/** StandardAnalyzer cuts longer words into pieces of this many UTF-16 units. */
const LONGEST_TOKEN_UNITS = 255;

const POSSESSIVE = /['\u2019\uff07][sS]$/;
const IGNORED = new RegExp(INVISIBLE, 'gu');
const SINGLE = /^[\p{Script=Han}\p{Script=Hiragana}]$/u;
const KATAKANA = /^[\p{Script=Katakana}\u{30fc}\u{ff70}]$/u;

/** What UAX #29 (revision of Unicode 9, as in Lucene 8) joins to what, on top of our class table. */
const Uax29 = {
  other: 0,
  letter: 1,
  digit: 2,
  extendNumLet: 3,
  single: 4,
  katakana: 5,
  dictionary: 6,
  emoji: 7,
} as const;
type Uax29 = (typeof Uax29)[keyof typeof Uax29];

const UAX29_OF_CLASS: Partial<Record<CharClass, Uax29>> = {
  [CharClass.letter]: Uax29.letter,
  [CharClass.digit]: Uax29.digit,
  [CharClass.underscore]: Uax29.extendNumLet,
  [CharClass.dictionary]: Uax29.dictionary,
  [CharClass.pictograph]: Uax29.emoji,
};

const uax29At = (text: string, index: number): Uax29 => {
  const charClass = classAt(text, index);
  if (charClass !== CharClass.cjk) return UAX29_OF_CLASS[charClass] ?? Uax29.other;
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  if (SINGLE.test(character)) return Uax29.single;
  return KATAKANA.test(character) ? Uax29.katakana : Uax29.letter;
};

const isExtender = (text: string, index: number): boolean => {
  const charClass = classAt(text, index);
  return charClass === CharClass.mark || charClass === CharClass.ignored;
};

const skipExtenders = (text: string, from: number): number => {
  let index = from;
  while (index < text.length && isExtender(text, index)) index += unitsAt(text, index);
  return index;
};

/** Rules WB5 to WB13b without punctuation in between. */
const joins = (before: Uax29, after: Uax29): boolean => {
  if (before === Uax29.extendNumLet)
    return after >= Uax29.letter && after <= Uax29.katakana && after !== Uax29.single;
  if (after === Uax29.extendNumLet)
    return before === Uax29.letter || before === Uax29.digit || before === Uax29.katakana;
  if (before === Uax29.katakana) return after === Uax29.katakana;
  if (before === Uax29.dictionary) return after === Uax29.dictionary;
  const isAlphanumeric = before === Uax29.letter || before === Uax29.digit;
  return isAlphanumeric && (after === Uax29.letter || after === Uax29.digit);
};

/** Rules WB6, WB7 (between letters) and WB11, WB12 (between digits). */
const bridges = (punctuation: CharClass, before: Uax29, after: Uax29): boolean => {
  const isMidBoth = punctuation === CharClass.dot || punctuation === CharClass.apostrophe;
  if (before === Uax29.letter && after === Uax29.letter)
    return isMidBoth || punctuation === CharClass.midLetter;
  if (before !== Uax29.digit || after !== Uax29.digit) return false;
  return isMidBoth || punctuation === CharClass.comma || punctuation === CharClass.midNumber;
};

const wordEnd = (text: string, start: number, first: Uax29): number => {
  let before = first;
  let end = skipExtenders(text, start + unitsAt(text, start));
  while (end < text.length) {
    const after = uax29At(text, end);
    if (joins(before, after)) {
      before = after;
      end = skipExtenders(text, end + unitsAt(text, end));
      continue;
    }
    const beyond = skipExtenders(text, end + 1);
    if (after !== Uax29.other || !bridges(classAt(text, end), before, uax29At(text, beyond))) break;
    before = uax29At(text, beyond);
    end = skipExtenders(text, beyond + unitsAt(text, beyond));
  }
  return end;
};

/** Hands over a word, cut where it is too long, but never inside a surrogate pair. */
const sinkInPieces = (
  text: string,
  start: number,
  end: number,
  sink: (start: number, end: number) => void,
): void => {
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + LONGEST_TOKEN_UNITS);
    if (to < end && unitsAt(text, to - 1) === 2) to--;
    sink(from, to);
    from = to;
  }
};

/** Words as StandardTokenizer finds them, with UTF-16 offsets. */
const scanWords = (text: string, sink: (start: number, end: number) => void): void => {
  for (let index = 0; index < text.length; ) {
    const first = uax29At(text, index);
    if (first === Uax29.other) {
      index += unitsAt(text, index);
      continue;
    }
    const end = wordEnd(text, index, first);
    if (first !== Uax29.extendNumLet || /[^_\uff3f]/.test(text.slice(index, end))) {
      sinkInPieces(text, index, end, sink);
    }
    index = end;
  }
};

/** '' for a stop word. */
const makeTerm = (raw: string): string => {
  const word = raw.replace(IGNORED, '').replace(POSSESSIVE, '').toLowerCase();
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
  blockGap: 0,
  rulesFor: () => ({ number: 0, cut }),
};

/**
 * Lucene's EnglishAnalyzer, for comparisons with a peer: StandardTokenizer, possessive, lower case, 33 stop words,
 * Porter. A stop word leaves a gap in the positions, a block border does not. Language is not asked for.
 * Departs in one thing: terms end at 64 code points here, at 255 units there.
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
    termStream: () => new KernelTermStream(STREAM_RULES),
  };
};
