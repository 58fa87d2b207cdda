import { type ClassRule, classesOfUnits, unitsAt } from './class-table.ts';

/**
 * Classes of UAX #29, table 3, as Lucene's StandardTokenizer has them: the properties of Unicode 9 with the pictographs of
 * Emoji 11, as far as today's properties of the JavaScript engine tell them; characters that are newer are classed too.
 */
export const WordBreak = {
  /** Parts words. */
  other: 0,
  /** ALetter, Hebrew_Letter */
  letter: 1,
  /** Numeric, and full-width digits */
  digit: 2,
  extendNumLet: 3,
  katakana: 4,
  /** Han, Hiragana: each character is a word. */
  single: 5,
  /** Line_Break=Complex_Context: Thai, Lao, Khmer, Myanmar and their like; a run is a word. */
  dictionary: 6,
  /** A mark of those scripts: goes on with any word, and begins one. */
  dictionaryMark: 7,
  /** Extend, Format, ZWJ: goes on with any word and is none. */
  extender: 8,
  emoji: 9,
  /** Two of them are a flag. */
  regional: 10,
  /** MidLetter: stands between letters. */
  midLetter: 11,
  /** MidNum: stands between digits. */
  midNumber: 12,
  /** MidNumLet, Single_Quote: stands between either. */
  midBoth: 13,
  /** The first half of a pair: ask classOfPair. */
  surrogate: 14,
} as const;
export type WordBreak = (typeof WordBreak)[keyof typeof WordBreak];

const DICTIONARY_SCRIPTS = [
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}',
  '\\p{Script=Tai_Tham}\\p{Script=Tai_Viet}\\p{Script=Ahom}',
].join('');

/** Later rules win. */
const RULES: readonly ClassRule<WordBreak>[] = [
  [/[\p{Alphabetic}\u{2c2}-\u{2df}\u{2ed}\u{2ef}-\u{2ff}\u{55b}\u{55c}\u{55e}\u{5f3}]+/gu, WordBreak.letter],
  [/[\u{a720}\u{a721}\u{a789}\u{a78a}\u{ab5b}]+/gu, WordBreak.letter],
  [/[\u{2d8}-\u{2dd}]+/gu, WordBreak.other],
  [/[\p{Script=Han}\p{Script=Hiragana}]+/gu, WordBreak.single],
  [/[\u{3005}\u{303b}]/gu, WordBreak.letter],
  [/[\p{Script=Katakana}\u{3031}-\u{3035}\u{309b}\u{309c}\u{30a0}\u{30fc}\u{ff70}]+/gu, WordBreak.katakana],
  [new RegExp(`(?=\\p{L})[${DICTIONARY_SCRIPTS}]`, 'gu'), WordBreak.dictionary],
  [/[\u{109e}\u{109f}\u{19da}\u{19de}\u{19df}\u{1aa0}-\u{1aad}\u{aa77}-\u{aa79}]+/gu, WordBreak.dictionary],
  [/[\u{aade}\u{aadf}]+/gu, WordBreak.dictionary],
  [/[\p{M}\p{Cf}\p{Grapheme_Extend}]+/gu, WordBreak.extender],
  [new RegExp(`(?=\\p{M})[${DICTIONARY_SCRIPTS}]`, 'gu'), WordBreak.dictionaryMark],
  [/\u{200b}/gu, WordBreak.other],
  [/[\p{Nd}\u{66b}]+/gu, WordBreak.digit],
  [/[\p{Pc}\u{202f}]+/gu, WordBreak.extendNumLet],
  [/(?=[^0-9#*])\p{Emoji}|\p{Extended_Pictographic}/gu, WordBreak.emoji],
  [/[\u{2388}\u{2600}-\u{2605}\u{2607}-\u{2612}\u{2614}-\u{2685}\u{2690}-\u{2705}]+/gu, WordBreak.emoji],
  [/[\u{2708}-\u{2712}\u{2763}-\u{2767}]+/gu, WordBreak.emoji],
  [/[:\u{b7}\u{387}\u{5f4}\u{2027}\u{fe13}\u{fe55}\u{ff1a}]/gu, WordBreak.midLetter],
  [/[,;\u{37e}\u{589}\u{60c}\u{60d}\u{66c}\u{7f8}\u{2044}]/gu, WordBreak.midNumber],
  [/[\u{fe10}\u{fe14}\u{fe50}\u{fe54}\u{ff0c}\u{ff1b}]/gu, WordBreak.midNumber],
  [/['.\u{2018}\u{2019}\u{2024}\u{fe52}\u{ff07}\u{ff0e}]/gu, WordBreak.midBoth],
];

/** Pictographs of Emoji 11 that later ones took back. */
const FORMER_PAIRS = [
  '\\u{1f000}-\\u{1f0ff}\\u{1f10d}-\\u{1f10f}\\u{1f12f}\\u{1f16c}-\\u{1f16f}\\u{1f1ad}\\u{1f260}-\\u{1f265}\\u{1f300}-\\u{1f53d}',
  '\\u{1f546}-\\u{1f64f}\\u{1f680}-\\u{1f6ff}\\u{1f774}-\\u{1f77f}\\u{1f7d5}-\\u{1f7ff}\\u{1f900}-\\u{1f90b}\\u{1fa00}-\\u{1faff}',
].join('');

const CLASS_OF_UNIT = classesOfUnits(RULES, WordBreak.surrogate);

/** Earlier rules win. */
const PAIR_RULES: readonly ClassRule<WordBreak>[] = [
  [/^\p{Regional_Indicator}$/u, WordBreak.regional],
  [new RegExp(`^[\\p{Emoji}\\p{Extended_Pictographic}${FORMER_PAIRS}]$`, 'u'), WordBreak.emoji],
  [/^[\p{Script=Han}\p{Script=Hiragana}]$/u, WordBreak.single],
  [/^\p{Script=Katakana}$/u, WordBreak.katakana],
  [/^[\p{M}\p{Cf}\p{Grapheme_Extend}]$/u, WordBreak.extender],
  [/^\p{Nd}$/u, WordBreak.digit],
  [new RegExp(`^[${DICTIONARY_SCRIPTS}]$`, 'u'), WordBreak.dictionary],
  [/^\p{Alphabetic}$/u, WordBreak.letter],
];

const classOfPair = (text: string, index: number): WordBreak => {
  if (unitsAt(text, index) === 1) return WordBreak.other;
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  for (const [pattern, wordBreak] of PAIR_RULES) if (pattern.test(character)) return wordBreak;
  return WordBreak.other;
};

/** Class of the character at `index`; `other` outside the text and for a lone surrogate. */
export const wordBreakAt = (text: string, index: number): WordBreak => {
  const unitClass = CLASS_OF_UNIT[text.charCodeAt(index)] as WordBreak | undefined;
  if (unitClass === WordBreak.surrogate) return classOfPair(text, index);
  return unitClass ?? WordBreak.other;
};

/** 1 for each code point of the BMP that parts words, whatever stands beside it. */
export const PARTING_CODE_POINTS: Uint8Array = CLASS_OF_UNIT.map((wordBreak) =>
  wordBreak === WordBreak.other ? 1 : 0,
);
