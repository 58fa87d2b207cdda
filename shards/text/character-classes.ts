import { type ClassRule, classesOfUnits } from './class-table.ts';

/**
 * What a code unit means to the scanners. One byte per BMP code unit, so that the hot loop is one table load;
 * code points above the BMP go through a slower function.
 */
export const CharClass = {
  /** Ends a word: spaces, punctuation, symbols, controls, U+200B, lone surrogates. */
  other: 0,
  letter: 1,
  digit: 2,
  /** Combining mark: continues a word, never starts one. */
  mark: 3,
  /** Han, kana, hangul: cut into bigrams, for no spaces tell the words apart (hangul: for its long compounds). */
  cjk: 4,
  /** Thai, Lao, Khmer, Myanmar: words without spaces, found by dictionary. */
  dictionary: 5,
  /** Invisible inside a word: soft hyphen, joiners, variation selectors, bidi controls, Arabic tatweel. */
  ignored: 6,
  apostrophe: 7,
  dot: 8,
  comma: 9,
  underscore: 10,
  plus: 11,
  hash: 12,
  /** Border of a block of text. */
  newline: 13,
  /** A number of its own that is no decimal digit: superscripts, fractions, circled and Roman numerals. */
  number: 14,
  pictograph: 15,
  /** The first half of a pair: ask classOfPair. */
  surrogate: 16,
  hyphen: 17,
  ampersand: 18,
  slash: 19,
  /** Two of them are a flag. */
  regional: 20,
} as const;
export type CharClass = (typeof CharClass)[keyof typeof CharClass];

const BMP_SIZE = 0x10000;

/**
 * Soft hyphen, Arabic tatweel, joiners, bidi controls, variation selectors, byte order mark. As alternatives and not as
 * one class, since a mark in a class reads as if it belonged to its neighbour.
 */
export const INVISIBLE = [
  '\\u{ad}|\\u{61c}|\\u{640}|\\u{180e}|[\\u{200c}-\\u{200f}]|[\\u{202a}-\\u{202e}]',
  '[\\u{2060}-\\u{2069}]|[\\u{fe00}-\\u{fe0f}]|\\u{feff}',
].join('|');

/** Later rules win. The sets are Unicode properties of the JavaScript engine; the rest are single characters. */
const RULES: readonly ClassRule<CharClass>[] = [
  [/\p{L}+/gu, CharClass.letter],
  [/\p{M}+/gu, CharClass.mark],
  [/\p{Nd}+/gu, CharClass.digit],
  [/[\p{No}\p{Nl}]+/gu, CharClass.number],
  [/\p{Extended_Pictographic}+/gu, CharClass.pictograph],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]+/gu,
    CharClass.cjk,
  ],
  [/[\u{30fc}\u{ff70}\u{ff9e}\u{ff9f}]/gu, CharClass.cjk],
  [/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu, CharClass.dictionary],
  [/[^\P{Nd}]+/gu, CharClass.digit],
  [/[\p{P}\p{S}]+/gu, CharClass.other],
  [/\p{Extended_Pictographic}+/gu, CharClass.pictograph],
  [new RegExp(INVISIBLE, 'gu'), CharClass.ignored],
  [/['\u{2019}\u{ff07}]/gu, CharClass.apostrophe],
  [/[.\u{ff0e}\u{2024}]/gu, CharClass.dot],
  [/[,\u{ff0c}]/gu, CharClass.comma],
  [/[_\u{ff3f}]/gu, CharClass.underscore],
  [/[+\u{ff0b}]/gu, CharClass.plus],
  [/[#\u{ff03}]/gu, CharClass.hash],
  [/[-\u{2010}\u{2011}\u{ff0d}]/gu, CharClass.hyphen],
  [/[&\u{ff06}]/gu, CharClass.ampersand],
  [/[/\u{ff0f}]/gu, CharClass.slash],
  [/\n/gu, CharClass.newline],
];

/** CharClass by UTF-16 code unit. */
export const CLASS_OF_UNIT: Uint8Array = classesOfUnits(RULES, CharClass.surrogate);

const PAIR_RULES: readonly ClassRule<CharClass>[] = [
  [/^\p{Extended_Pictographic}$/u, CharClass.pictograph],
  [/^\p{Regional_Indicator}$/u, CharClass.regional],
  [/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u, CharClass.cjk],
  [/^\p{Nd}$/u, CharClass.digit],
  [/^\p{N}$/u, CharClass.number],
  [/^\p{L}$/u, CharClass.letter],
  [/^[\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{e01ef}]$/u, CharClass.ignored],
  [/^\p{M}$/u, CharClass.mark],
];

/** Class of the character that begins at `index`, where a surrogate stands; a lone one is `other`. */
export const classOfPair = (text: string, index: number): CharClass => {
  const codePoint = text.codePointAt(index) ?? 0;
  if (codePoint < BMP_SIZE) return CharClass.other;
  const character = String.fromCodePoint(codePoint);
  for (const [pattern, charClass] of PAIR_RULES) if (pattern.test(character)) return charClass;
  return CharClass.other;
};

/** Class of the character at `index`; `other` outside the text and for a lone surrogate. */
export const classAt = (text: string, index: number): CharClass => {
  const unitClass = CLASS_OF_UNIT[text.charCodeAt(index)] as CharClass | undefined;
  if (unitClass === CharClass.surrogate) return classOfPair(text, index);
  return unitClass ?? CharClass.other;
};
