import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_MORE_DOCS, type PositionsCursor } from '../../../shards/postings/posting-cursor.ts';
import { FIELD_NAMES } from '../../../shards/values/fields.ts';
import {
  documentSets,
  invertInMemory,
  invertSlowly,
  type OraclePosting,
  revealingScorer,
} from './postings-oracle.ts';

const checkPosting = (
  cursor: PositionsCursor,
  expected: OraclePosting,
  codeOf: (field: number) => number,
): void => {
  assert.equal(cursor.doc, expected.doc);
  const frequencies = FIELD_NAMES.map((field) => expected.positions.get(field)?.length ?? 0);
  assert.deepEqual(
    FIELD_NAMES.map((field) => cursor.frequency(field)),
    frequencies,
  );
  const codes = FIELD_NAMES.map((_, field) => codeOf(field));
  const onlyBody = frequencies.every((frequency, field) => frequency === 0 || FIELD_NAMES[field] === 'body');
  const impact = onlyBody
    ? revealingScorer.bodyImpact(frequencies[3] ?? 0, codes[3] ?? 0)
    : revealingScorer.impact(frequencies, codes);
  assert.equal(cursor.impact(), impact);
};

const checkPositions = (
  cursor: PositionsCursor,
  expected: OraclePosting,
  fields = FIELD_NAMES as readonly (typeof FIELD_NAMES)[number][],
): void => {
  for (const field of fields) {
    assert.deepEqual([...cursor.positions(field)], expected.positions.get(field) ?? []);
  }
};

const lengthCodesOf = (docCount: number) =>
  FIELD_NAMES.map((_, field) =>
    Uint8Array.from({ length: docCount }, (__, doc) => (doc * 5 + field * 3) % 256),
  );

test('a cursor gives every document, frequency, impact and position that the slow inversion has', () => {
  fc.assert(
    fc.property(documentSets, (documents) => {
      const oracle = invertSlowly(documents);
      const codes = lengthCodesOf(documents.length);
      const index = invertInMemory(documents, codes);
      assert.deepEqual([...index.terms.keys()].sort(), [...oracle.keys()].sort());
      for (const [term, postings] of oracle) {
        const cursor = index.cursor(term, revealingScorer);
        assert.equal(cursor.doc, -1);
        assert.equal(cursor.docCount, postings.length);
        for (const expected of postings) {
          assert.equal(cursor.next(), expected.doc);
          checkPosting(cursor, expected, (field) => codes[field]?.[expected.doc] ?? 0);
          checkPositions(cursor, expected);
        }
        assert.equal(cursor.next(), NO_MORE_DOCS);
        assert.equal(cursor.next(), NO_MORE_DOCS);
        assert.equal(cursor.doc, NO_MORE_DOCS);
      }
    }),
    { numRuns: 60 },
  );
});

test('positions may be asked for of some documents only, and of fields in any order', () => {
  fc.assert(
    fc.property(
      documentSets,
      fc.infiniteStream(fc.nat({ max: 3 })),
      fc.shuffledSubarray([...FIELD_NAMES]),
      (documents, skips, fields) => {
        const index = invertInMemory(documents);
        for (const [term, postings] of invertSlowly(documents)) {
          const cursor = index.cursor(term, revealingScorer);
          for (const expected of postings) {
            cursor.next();
            if (skips.next().value !== 0) continue;
            checkPositions(cursor, expected, fields);
            checkPositions(cursor, expected, [...fields].reverse());
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** advance as the contract defines it. */
const advanceSlowly = (cursor: PositionsCursor, target: number): number => {
  while (cursor.doc < target) cursor.next();
  return cursor.doc;
};

test('advance equals its reference loop, and looking at blocks moves nothing', () => {
  fc.assert(
    fc.property(
      documentSets,
      fc.array(fc.record({ step: fc.nat({ max: 200 }), look: fc.nat({ max: 300 }), next: fc.boolean() })),
      (documents, steps) => {
        const index = invertInMemory(documents);
        for (const [term, postings] of invertSlowly(documents)) {
          const fast = index.cursor(term, revealingScorer);
          const slow = index.cursor(term, revealingScorer);
          for (const { step, look, next } of steps) {
            fast.blockEnd(fast.doc + look);
            if (next) assert.equal(fast.next(), slow.next());
            const target = Math.min(Math.max(0, fast.doc + step), NO_MORE_DOCS);
            assert.equal(fast.advance(target), advanceSlowly(slow, target));
            if (fast.doc === NO_MORE_DOCS) break;
            const expected = postings.find(({ doc }) => doc === fast.doc);
            assert.ok(expected);
            checkPosting(fast, expected, () => 1);
            checkPositions(fast, expected);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('blockEnd names the last document of the block that holds the first document at or above the target', () => {
  const documents = Array.from({ length: 1000 }, (_, doc) => [
    { field: 'body' as const, text: doc % 3 === 0 ? 'x@0' : 'y@0' },
  ]);
  const cursor = invertInMemory(documents).cursor('x', revealingScorer);
  const ends = [127 * 3, 255 * 3, 999];
  for (const target of [0, 381, 382, 765, 766, 999, 5, 500]) {
    assert.equal(
      cursor.blockEnd(target),
      ends.find((end) => end >= target),
    );
  }
  assert.equal(cursor.blockEnd(1000), NO_MORE_DOCS);
  assert.equal(cursor.blockMaxImpact(1000), 0);
  assert.equal(cursor.doc, -1);
});
