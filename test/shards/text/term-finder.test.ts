import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAnalyser } from '../../../shards/text/analyser.ts';

const analyser = createAnalyser('default');

/** What the finder must find: all that the analysis of the whole text holds. */
const findSlowly = (text: string, lang: string, terms: ReadonlySet<string>) =>
  analyser
    .analyse(text, lang)
    .filter(({ term }) => terms.has(term))
    .map(({ term, start, end }) => ({ term, start, end }));

const find = (text: string, lang: string, terms: ReadonlySet<string>) =>
  (analyser.finder?.(terms)(text, lang) ?? []).map(({ term, start, end }) => ({ term, start, end }));

const ending = fc.constantFrom(
  ...'ing ed ies ied ational tional enci abli izer ization ation alism aliti fulness iviti biliti bilities ogi'.split(
    ' ',
  ),
  ...'alize icate ness s es y ying at bl iz eedly heden heid en logia encia amente mente idades enza uzione'.split(
    ' ',
  ),
);
const letters = fc.string({
  unit: fc.constantFrom(...'a b d e g i l n o r s t u y z'.split(' ')),
  minLength: 1,
  maxLength: 5,
});
const stemmed = fc
  .tuple(letters, fc.array(ending, { maxLength: 3 }))
  .map(([start, ends]) => start + ends.join(''));
const piece = fc.oneof(
  { weight: 5, arbitrary: stemmed },
  { weight: 4, arbitrary: fc.constantFrom(' ', '\n', '. ', ', ') },
  fc.constantFrom(
    "don't",
    'U.S.A',
    '1,000',
    'node.js',
    'pg_file_unlink',
    'C++',
    'g++',
    'C#',
    '.NET',
    "'s",
    'Dying',
  ),
  fc.constantFrom(
    'Résumés',
    '漢字検索',
    'ภาษาไทย',
    'ﬁnd',
    '\u00ad',
    '\u2019',
    '😀',
    '\ud800',
    '\u00a0',
    '\t',
    '.',
    '_',
  ),
);
const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const LANGUAGES = ['', 'en', 'es', 'it', 'nl', 'pt', 'ru', 'fi', 'ga', 'de', 'fr', 'zh'];

test('finder - finds in any text what analysing all of it finds, whichever terms are looked for', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...LANGUAGES), fc.nat(), (text, lang, seed) => {
      const all = [...new Set(analyser.analyse(text, lang).map(({ term }) => term))];
      const terms = new Set(all.filter((_, index) => (index + seed) % 3 === 0));
      terms.add('absent');
      assert.deepEqual(find(text, lang, terms), findSlowly(text, lang, terms));
    }),
    { numRuns: 5000 },
  );
});

test('finder - words whose stem is written otherwise than the word', () => {
  const cases = [
    ['en', 'Dying', 'die'],
    ['en', 'HAPPY', 'happi'],
    ['en', 'hoping', 'hope'],
    ['en', 'capabilities', 'capabl'],
    ['en', "don't", 'dont'],
    ['en', 'U.S.A.', 'usa'],
    ['en', '1,000', '1000'],
    ['en', 'Résumé', 'resum'],
    ['nl', 'mogelijkheden', 'mogelijk'],
    ['de', 'Straße', 'strass'],
    ['pl', 'Straße', 'strasse'],
  ] as const;
  for (const [lang, word, term] of cases) {
    const text = `before ${word} after`;
    assert.equal(find(text, lang, new Set([term])).length, 1, `${word} as ${term}`);
  }
});

test('finder - one finder serves texts of several languages', () => {
  const finder = analyser.finder?.(new Set(['run', 'runs'])) ?? assert.fail('no finder');
  const found = (lang: string) => finder('The dog runs', lang).map(({ term }) => term);
  assert.deepEqual([found('en'), found('pl'), found('en')], [['run'], ['runs'], ['run']]);
});

test('finder - a long text without spaces is looked through once', () => {
  const text = '漢字'.repeat(100_000);
  assert.equal(find(text, 'ja', new Set(['漢字'])).length, 100_000);
});
