import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from '../../../query/index.ts';
import { plainWords } from '../../../query/language/plain-words.ts';

test('plain words: signs of the query language become spaces, words stay', () => {
  assert.equal(plainWords('a "b c" -d (e) site:f multi-targeted'), 'a  b c   d  e  site f multi-targeted');
  assert.equal(plainWords('\u201cquoted\u201d --x'), ' quoted    x');
});

test('plain words: whatever the text, the parser finds words only', () => {
  const sign = fc.constantFrom(
    '"',
    '-',
    ':',
    '(',
    ')',
    ' ',
    'a',
    'OR',
    'site:x',
    '\u201c',
    '\uff1a',
    'é',
    '*',
  );
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 30 }), (signs) => {
      const { nodes } = parseQuery(plainWords(signs.join('')));
      assert.ok(nodes.every((node) => node.kind === 'word' && !node.negated));
    }),
  );
});
