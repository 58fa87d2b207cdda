import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fold, lowerCase } from '../../../shards/text/fold.ts';
import { porterStem } from '../../../shards/text/porter.ts';
import { STEMMERS, stemmerFor, WordCache } from '../../../shards/text/stem.ts';

const readPairs = (name: string): [string, string][] =>
  readFileSync(`test/data/stemming/${name}.tsv`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, string]);

for (const [lang, algorithm] of STEMMERS) {
  test(`stem - ${lang} agrees with Snowball on the sample, but for 2 %`, () => {
    const stem = stemmerFor(lang);
    const pairs = readPairs(algorithm);
    const wrong = pairs.filter(
      ([word, expected]) => stem(word) !== (lang === 'en' ? expected : fold(expected)),
    );
    assert.ok(
      wrong.length <= pairs.length / 50,
      `${wrong.length} of ${pairs.length}: ${wrong.slice(0, 3).join(' ')}`,
    );
  });
}

test('porterStem - equals the published stems but for the two departures', () => {
  const pairs = readPairs('porter').filter(([word]) => !/(?:bl[iy]|log[iy])/.test(word));
  assert.ok(pairs.length > 150);
  for (const [word, expected] of pairs) assert.equal(porterStem(word), expected, word);
  assert.deepEqual(['possibly', 'analogy', 'archaeology'].map(porterStem), [
    'possibl',
    'analog',
    'archaeolog',
  ]);
});

test('stemmerFor - a language without stemmer folds only', () => {
  assert.equal(stemmerFor('pl')('häuser'), 'hauser');
  assert.equal(stemmerFor('constructor')('running'), 'running');
});

test('stemmerFor - English words with and without diacritics meet', () => {
  assert.equal(stemmerFor('en')('résumés'), stemmerFor('en')('resumes'));
});

test('fold - takes off what people do not type', () => {
  const cases: [string, string][] = [
    ['İstanbul', 'istanbul'],
    ['Straße', 'strasse'],
    ['Ærøskøbing', 'aeroskobing'],
    ['Łódź', 'lodz'],
    ['đẹp', 'dep'],
    ['ﬁne', 'fine'],
    ['ＦＵＬＬ１２', 'full12'],
    ['so\u00adft\u200d', 'soft'],
    ['مُحَمَّد', 'محمد'],
    ['٣٤', '34'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['हिन्दी', 'हिन्दी'],
  ];
  for (const [word, expected] of cases) assert.equal(fold(lowerCase(word)), expected, word);
});

test('WordCache - forgets what is not asked for, keeps what is', () => {
  const cache = new WordCache<number>();
  cache.set('kept', 1);
  cache.set('lost', 2);
  for (let index = 0; index < 140_000; index++) {
    cache.set(`w${index}`, index);
    if (index % 1000 === 0) assert.equal(cache.get('kept'), 1);
  }
  assert.equal(cache.get('lost'), undefined);
});
