import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resemblance, shinglesOf } from '../../../crawler/content-seen/resemblance.ts';

test('resemblance: shingles of four words, the whole of a shorter text', () => {
  assert.deepEqual(
    [...shinglesOf(' A rose is\n a rose is a rose ')],
    ['a rose is a', 'rose is a rose', 'is a rose is'],
  );
  assert.deepEqual([...shinglesOf('One two')], ['one two']);
  assert.deepEqual([...shinglesOf('')], ['']);
});

test('resemblance: known values', () => {
  assert.equal(resemblance('a b c d e', 'a b c d f'), 1 / 3);
  assert.equal(resemblance('a b c', 'a b c'), 1);
  assert.equal(resemblance('a b c', 'a b'), 0);
  assert.equal(resemblance('', ''), 1);
});

test('resemblance: symmetric, 1 for a text and itself', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const value = resemblance(a, b);
      assert.equal(value, resemblance(b, a));
      assert.ok(value >= 0 && value <= 1);
      assert.equal(resemblance(a, a), 1);
    }),
  );
});
