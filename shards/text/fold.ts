import { INVISIBLE } from './character-classes.ts';

/**
 * Letters that Unicode does not decompose but that people without them on their keyboard write otherwise, and
 * forms of one letter that readers take for the same.
 */
const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  ŧ: 't',
  ƒ: 'f',
  ə: 'e',
  ς: 'σ',
  ى: 'ي',
  ک: 'ك',
  ی: 'ي',
  ۀ: 'ه',
  ʼ: '',
  '\u2044': '/',
};
const FOLDED_PATTERN = new RegExp(`[${Object.keys(FOLDED_LETTERS).join('')}]`, 'gu');

/** Marks of Latin, Greek and Cyrillic; Hebrew points; Arabic vowel signs. Vowel signs of Indic scripts are letters to us. */
const MARKS = new RegExp(
  [
    '[\\u{300}-\\u{36f}]|[\\u{483}-\\u{487}]|[\\u{591}-\\u{5bd}]|\\u{5bf}|[\\u{5c1}-\\u{5c5}]|\\u{5c7}',
    '[\\u{610}-\\u{61a}]|[\\u{64b}-\\u{65f}]|\\u{670}|[\\u{6d6}-\\u{6ed}]',
    '[\\u{1ab0}-\\u{1aff}]|[\\u{1dc0}-\\u{1dff}]|[\\u{20d0}-\\u{20ff}]',
  ].join('|'),
  'gu',
);

/** What is invisible, and skin tones and tags, which vary a pictograph without changing the word. */
const IGNORED = new RegExp(`${INVISIBLE}|[\\u{1f3fb}-\\u{1f3ff}]|[\\u{e0000}-\\u{e01ef}]`, 'gu');

/** What is seen of a word; a pictograph without its skin tone. */
export const withoutInvisible = (word: string): string => word.replace(IGNORED, '');

const ASCII_ONLY = /^\p{ASCII}*$/u;
const FOREIGN_DIGIT = /[^\P{Nd}0-9]/gu;

/** Decimal digits stand in runs of ten from zero, so that a digit's value is its distance from a multiple of ten. */
const digitValue = (digit: string): string => {
  const codePoint = digit.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (codePoint - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(codePoint - zero);
};

/**
 * Lower case in composed compatibility form without invisible characters: what stemmers expect.
 * Lower-casing never depends on the machine's locale; `İ` becomes `i` and a dot above, which `fold` takes off.
 */
export const lowerCase = (word: string): string => {
  if (ASCII_ONLY.test(word)) return word.toLowerCase();
  return withoutInvisible(word).normalize('NFKC').toLowerCase().normalize('NFC');
};

/**
 * Takes off what people leave out when they type: diacritics, ligatures, full-width forms, foreign digits.
 * Expects lower case; the result is valid Unicode if the input is. Idempotent.
 */
export const fold = (word: string): string => {
  if (ASCII_ONLY.test(word)) return word;
  return word
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(FOLDED_PATTERN, (letter) => FOLDED_LETTERS[letter] ?? letter)
    .replace(FOREIGN_DIGIT, digitValue);
};
