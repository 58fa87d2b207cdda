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
  /** `:` and its like, which UAX #29 lets stand inside a word (MidLetter). */
  midLetter: 17,
  /** `;` and its like, which UAX #29 lets stand inside a number (MidNum). */
  midNumber: 18,
  hyphen: 19,
  ampersand: 20,
  slash: 21,
  /** Two of them are a flag. */
  regional: 22,
} as const;
export type CharClass = (typeof CharClass)[keyof typeof CharClass];

const BMP_SIZE = 0x10000;

/** All scalar values of the BMP, in order; a surrogate stands as a space so that regular expressions see no pairs. */
const bmpText = (): string => {
  const units = new Uint16Array(BMP_SIZE);
  for (let unit = 0; unit < BMP_SIZE; unit++) units[unit] = unit >= 0xd800 && unit <= 0xdfff ? 0x20 : unit;
  const parts: string[] = [];
  for (let from = 0; from < BMP_SIZE; from += 0x2000) {
    parts.push(String.fromCharCode(...units.subarray(from, from + 0x2000)));
  }
  return parts.join('');
};

/**
 * Soft hyphen, Arabic tatweel, joiners, bidi controls, variation selectors, byte order mark. As alternatives and not as
 * one class, since a mark in a class reads as if it belonged to its neighbour.
 */
export const INVISIBLE = [
  '\\u{ad}|\\u{61c}|\\u{640}|\\u{180e}|[\\u{200c}-\\u{200f}]|[\\u{202a}-\\u{202e}]',
  '[\\u{2060}-\\u{2069}]|[\\u{fe00}-\\u{fe0f}]|\\u{feff}',
].join('|');

/** Later rules win. The sets are Unicode properties of the JavaScript engine; the rest are single characters. */
const RULES: readonly (readonly [pattern: RegExp, charClass: CharClass])[] = [
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
  [/[:\u{b7}\u{387}\u{55f}\u{5f4}\u{2027}\u{ff1a}]/gu, CharClass.midLetter],
  [/[;\u{37e}\u{589}\u{60c}\u{66c}\u{2044}\u{ff1b}]/gu, CharClass.midNumber],
  [/[+\u{ff0b}]/gu, CharClass.plus],
  [/[#\u{ff03}]/gu, CharClass.hash],
  [/[-\u{2010}\u{2011}\u{ff0d}]/gu, CharClass.hyphen],
  [/[&\u{ff06}]/gu, CharClass.ampersand],
  [/[/\u{ff0f}]/gu, CharClass.slash],
  [/\n/gu, CharClass.newline],
];

const buildTable = (): Uint8Array => {
  const table = new Uint8Array(BMP_SIZE);
  const text = bmpText();
  for (const [pattern, charClass] of RULES) {
    for (const match of text.matchAll(pattern))
      table.fill(charClass, match.index, match.index + match[0].length);
  }
  table.fill(CharClass.surrogate, 0xd800, 0xe000);
  return table;
};

/** CharClass by UTF-16 code unit. */
export const CLASS_OF_UNIT: Uint8Array = buildTable();

const PAIR_RULES: readonly (readonly [pattern: RegExp, charClass: CharClass])[] = [
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

/** UTF-16 units of the character at `index`. */
export const unitsAt = (text: string, index: number): number =>
  (text.codePointAt(index) ?? 0) >= BMP_SIZE ? 2 : 1;
