import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TOKENS, WIDE_GAP, WIDE_ID } from '../../../shards/kernels/inversion-layout.ts';
import { type EncodedLists, invertTokens } from '../../../shards/postings/inversion.ts';
import { InversionMemory } from '../../../shards/postings/inversion-memory.ts';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { TermDictionary } from '../../../shards/segment/term-dictionary.ts';
import type { TermStream } from '../../../shards/text/term-stream.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';

const BODY = FIELD_NAMES.indexOf('body');
const { tables } = createScorer({
  averageLengths: Object.fromEntries(FIELD_NAMES.map((name) => [name, 1])) as Record<FieldName, number>,
});

/** A stream that has cut its texts already. */
const streamOf = (keys: readonly Uint8Array[]): TermStream => ({
  cut: () => assert.fail('nothing is cut'),
  termCount: keys.length,
  termBytes: (id) => keys[id] ?? assert.fail(`no term ${id}`),
  memoryBytes: 0,
});

/** Inverts one document whose body has those words of tokens. */
const invert = (keys: readonly Uint8Array[], words: readonly number[]) => {
  assert.ok(tables);
  const memory = new InversionMemory();
  memory.take(words.length * 4);
  memory.words.set(words, TOKENS / 4);
  const inversion = invertTokens(memory, streamOf(keys), {
    order: Uint32Array.of(0),
    runEnds: Uint32Array.from(FIELD_NAMES, (_, field) => (field < BODY ? 0 : words.length)),
    lengthCodes: new Uint8Array(FIELD_NAMES.length),
    scorer: tables,
    commonWords: new Set(),
  });
  const positions: number[] = [];
  let step = inversion.next();
  for (; !step.done; step = inversion.next()) positions.push(...step.value.positions);
  return { lists: step.value, positions };
};

const termsOf = ({ dictionary, termCount }: EncodedLists): string[] =>
  [...new TermDictionary(dictionary, termCount).entries()].map(({ text }) => text);

test('terms stand in the order of their UTF-8 bytes, however long they are alike', () => {
  const term = fc.oneof(
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((value) => Buffer.from(value).toString() === value),
    fc.string({ unit: fc.constantFrom('a', 'b', '\u0000'), minLength: 1, maxLength: 40 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(term, { minLength: 1, maxLength: 200, size: 'max' }), (terms) => {
      const keys = terms.map((value) => Buffer.from(value));
      const { lists } = invert(
        keys,
        terms.map((_, id) => id << 8),
      );
      assert.deepEqual(
        termsOf(lists),
        [...keys].sort((a, b) => Buffer.compare(a, b)).map((key) => key.toString()),
      );
      const dictionary = new TermDictionary(lists.dictionary, lists.termCount);
      for (const value of terms) assert.equal(dictionary.find(value)?.docCount, 1);
    }),
    { numRuns: 60 },
  );
});

test('an id or a gap in a word of its own is the same token', () => {
  const keys = ['a', 'b', 'c'].map((name) => Buffer.from(name));
  const narrow = invert(keys, [(0 << 8) | 3, (1 << 8) | 1, (0 << 8) | 200, (2 << 8) | 0]);
  const wide = invert(keys, [
    (WIDE_ID << 8) | 3,
    0,
    (1 << 8) | WIDE_GAP,
    1,
    (WIDE_ID << 8) | WIDE_GAP,
    0,
    200,
    (2 << 8) | 0,
  ]);
  assert.deepEqual(wide.lists.dictionary.terms, narrow.lists.dictionary.terms);
  assert.deepEqual(wide.positions, narrow.positions);
  // "a" at 3 and 204, "b" at 4, "c" at 204.
  assert.deepEqual(narrow.positions, [3, 201, 1, 4, 204, 1]);
});

test('the same term twice at one position is one occurrence', () => {
  const { positions } = invert([Buffer.from('a')], [5, 0, 0, 2]);
  assert.deepEqual(positions, [5, 2]);
});
