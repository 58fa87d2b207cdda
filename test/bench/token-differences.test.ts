import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DIFFERENCES, TokenDifferences } from '../../bench/accept/index/token-differences.ts';

const classesOf = (ours: string, theirs: string): Record<string, number> => {
  const differences = new TokenDifferences();
  differences.add(ours.split(' '), theirs.split(' '));
  const found = DIFFERENCES.filter((each) => differences.countOf(each) > 0);
  return Object.fromEntries(found.map((each) => [each, differences.countOf(each)]));
};

test('TokenDifferences - each class, between words that agree', () => {
  assert.deepEqual(classesOf('a b c', 'a b c'), {});
  assert.deepEqual(classesOf(`a ${'x'.repeat(64)} c`, `a ${'x'.repeat(70)} c`), { tooLong: 1 });
  assert.deepEqual(classesOf('a node js c d', 'a node.js c d'), { boundary: 2 });
  assert.deepEqual(classesOf('a don c d', "a don' c d"), { boundary: 1 });
  assert.deepEqual(classesOf('a cpp c d', 'a cpp\u200e c d'), { invisible: 1 });
  assert.deepEqual(classesOf('a relat c d', 'a relate c d'), { stem: 1 });
  assert.deepEqual(classesOf('a c d', 'a \u2630 c d'), { missing: 1 });
  assert.deepEqual(classesOf('a the c d', 'a c d'), { added: 1 });
  assert.deepEqual(classesOf('a dog c d', 'a cat c d'), { other: 1 });
  assert.deepEqual(classesOf('a relat dog c d', 'a relate cat c d'), { stem: 1, other: 1 });
});

test('TokenDifferences - counts pages, and those of another length', () => {
  const differences = new TokenDifferences();
  differences.add(['a', 'b'], ['a', 'b']);
  differences.add(['a', 'b', 'c'], ['a', 'c']);
  differences.add(['a', 'relat'], ['a', 'relate']);
  assert.deepEqual([differences.count, differences.textCount, differences.otherLengthCount], [2, 2, 1]);
});

test('TokenDifferences - no two lists of words are too much for it, and equal ones have no difference', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 200 });
  fc.assert(
    fc.property(words, words, (ours, theirs) => {
      const differences = new TokenDifferences();
      differences.add(ours, theirs);
      assert.equal(differences.count === 0, ours.join(' ') === theirs.join(' '));
    }),
  );
});
