import fc from 'fast-check';

const SIGNS = Array.from('\'.,_+#:;-\n \t(["/@&');
const ODD = [
  '\ud800',
  '\udc00',
  '\ufffd',
  '\u0000',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u2019',
  '\u0301',
  '\ufe0f',
  '\ufeff',
];
const WIDE = [
  'é',
  'É',
  'ß',
  'İ',
  'ы',
  'Σ',
  'ْع',
  '٣',
  '½',
  '²',
  '漢',
  'か',
  'ﾃﾞ',
  '한',
  'ก',
  'ภาษา',
  '、',
  '。',
  '—',
];
const PICTURES = ['😀', '👍🏽', '👨‍👩‍👧', '🇩🇪', '©', '𠀀', '𝒳'];
const WORDS = [
  '__',
  'The',
  'running',
  'C',
  'NET',
  'node',
  "'s",
  'x',
  'Σ',
  '1',
  '000',
  'internationalisation',
  'a'.repeat(40),
];

/** Words, signs and spaces of all kinds, mixed so that rules about neighbours meet. */
export const anyText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
      fc.constantFrom(...ODD),
      fc.constantFrom(...WIDE),
      fc.constantFrom(...PICTURES),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));
