import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTops, roundingOf } from '../../bench/accept/index/compare-tops.ts';
import type { RankedResult } from '../../query/index.ts';

/** `a:3 b:2` as results with scores. */
const ranked = (text: string): RankedResult[] =>
  text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [url = '', score] = part.split(':');
      return { url, score: Number(score ?? 0) };
    });

const agreement = (ours: string, theirs: string, k = 3): string | undefined =>
  compareTops(new Map([['q', ranked(ours)]]), new Map([['q', ranked(theirs)]]), k, () => 0.01)[0]?.agreement;

test('equal scores may stand in any order, also at the border', () => {
  assert.equal(agreement('a b c', 'a:3 b:2 c:1'), 'same');
  assert.equal(agreement('a c b', 'a:3 b:2 c:2'), 'same');
  assert.equal(agreement('a b d', 'a:3 b:2 c:1 d:1'), 'same');
  assert.equal(agreement('a', 'a:3'), 'same');
});

test('scores closer than our integers tell apart are rounding', () => {
  assert.equal(agreement('b a c', 'a:3 b:2.995 c:1'), 'rounded');
  assert.equal(agreement('a b d', 'a:3 b:2 c:1 d:0.995'), 'rounded');
});

test('anything else differs', () => {
  assert.equal(agreement('b a c', 'a:3 b:2 c:1'), 'different');
  assert.equal(agreement('a c b', 'a:3 b:2 c:1'), 'different');
  assert.equal(agreement('a b d', 'a:3 b:2 c:1 d:0.9'), 'different');
  assert.equal(agreement('a b x', 'a:3 b:2 c:1'), 'different', 'the peer does not rank it');
  assert.equal(agreement('a b', 'a:3 b:2 c:1'), 'different', 'one is missing');
  assert.equal(agreement('a b c x', 'a:3 b:2 c:1', 4), 'different', 'one too many');
  assert.equal(agreement('', 'a:3'), 'different');
});

test('a query that only one side answers differs', () => {
  const compared = compareTops(new Map([['q', ranked('a')]]), new Map(), 3, () => 0.01);
  assert.deepEqual(
    compared.map(({ query, agreement: found }) => [query, found]),
    [['q', 'different']],
  );
});

test('rounding grows with the words', () => {
  assert.ok(roundingOf('one') > 2 ** -12 && roundingOf('one') < 2 ** -10);
  assert.equal(roundingOf('one two'), 2 * roundingOf('one'));
});
