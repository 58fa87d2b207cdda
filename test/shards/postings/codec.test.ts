import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../shards/bytes/byte-writer.ts';
import {
  BLOCK_LENGTH,
  bitWidth,
  packedWords,
  packLanes,
  unpackLanes,
} from '../../../shards/postings/bit-packing.ts';
import { OTHER_COUNT } from '../../../shards/postings/field-slots.ts';
import { encodeOthers, OtherFrequencies, OtherKind } from '../../../shards/postings/other-frequencies.ts';
import { encodePositions, PositionReader } from '../../../shards/postings/positions.ts';
import {
  encodeTail,
  newPostingRows,
  skipPosting,
  TailReader,
  TailRows,
} from '../../../shards/postings/tail-codec.ts';

const valuesOf = (width: number) =>
  fc
    .array(fc.integer({ min: 0, max: width === 0 ? 0 : 2 ** width - 1 }), {
      minLength: BLOCK_LENGTH,
      maxLength: BLOCK_LENGTH,
    })
    .map((values) => Uint32Array.from(values));

test('every width packs and unpacks', () => {
  for (let width = 0; width <= 32; width += 1) {
    fc.assert(
      fc.property(valuesOf(width), (values) => {
        const packed = packLanes(values, width);
        assert.equal(packed.length, packedWords(width));
        const back = new Uint32Array(BLOCK_LENGTH);
        unpackLanes(Uint32Array.of(7, ...packed), 1, width, back);
        assert.deepEqual(back, values);
        assert.ok(bitWidth(values, BLOCK_LENGTH) <= width);
      }),
      { numRuns: 5 },
    );
  }
});

test('lanes lie as FORMAT.md draws them', () => {
  const values = Uint32Array.from({ length: BLOCK_LENGTH }, (_, i) =>
    i === 1 || i === 6 || i === 127 ? 5 : 0,
  );
  const words = packLanes(values, 3);
  // Value 1: lane 1, row 0. Value 6: lane 2, row 1. Value 127: lane 3, row 31, bits 93..95, word 2.
  assert.equal(words[1], 5);
  assert.equal(words[2], 5 << 3);
  assert.equal(words[2 * 4 + 3], (5 << 29) >>> 0);
  assert.equal(words.filter((word) => word !== 0).length, 3);
});

test('a width is that of the largest of the counted values', () => {
  const values = Uint32Array.of(1, 8, 0xffffffff);
  assert.deepEqual(
    [0, 1, 2, 3].map((count) => bitWidth(values, count)),
    [0, 1, 4, 32],
  );
});

const rowOf = fc.oneof(
  { weight: 3, arbitrary: fc.constant(Array.from({ length: OTHER_COUNT }, () => 0)) },
  fc.array(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 0x7fffffff })), {
    minLength: OTHER_COUNT,
    maxLength: OTHER_COUNT,
  }),
);
const blockOfRows = fc
  .oneof(
    fc.array(rowOf, { minLength: BLOCK_LENGTH, maxLength: BLOCK_LENGTH }),
    fc.constant(Array.from({ length: BLOCK_LENGTH }, () => [1, 0, 0, 2, 0])),
    fc.constant(Array.from({ length: BLOCK_LENGTH }, () => [0, 0, 0, 0, 0])),
  )
  .map((rows) => Uint32Array.from(rows.flat()));

test('frequencies of the other fields come back one by one', () => {
  fc.assert(
    fc.property(blockOfRows, (rows) => {
      const { kind, words } = encodeOthers(rows);
      const present = Array.from({ length: BLOCK_LENGTH }, (_, i) =>
        rows.subarray(i * OTHER_COUNT, (i + 1) * OTHER_COUNT).some((f) => f > 0),
      );
      const count = present.filter(Boolean).length;
      const expectedKind = count === 0 ? OtherKind.none : OtherKind.masked;
      assert.equal(kind, count === BLOCK_LENGTH ? OtherKind.all : expectedKind);
      if (kind === OtherKind.none) return assert.equal(words.length, 0);
      const others = new OtherFrequencies(Uint32Array.of(1, 2, ...words));
      others.open(2, kind);
      present.forEach((has, i) => {
        assert.equal(others.has(i), has);
        const row = [...rows.subarray(i * OTHER_COUNT, (i + 1) * OTHER_COUNT)];
        if (has)
          assert.deepEqual(
            row.map((_, slot) => others.frequency(i, slot)),
            row,
          );
        assert.equal(
          others.total(i),
          row.reduce((sum, f) => sum + f, 0),
        );
      });
    }),
    { numRuns: 60 },
  );
});

test('a tail comes back, and each posting can be skipped', () => {
  const posting = fc.record({
    gap: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 1_000_000 })),
    body: fc.oneof(fc.constant(1), fc.nat({ max: 1000 })),
    others: fc.oneof(
      fc.constant([0, 0, 0, 0, 0]),
      fc.array(fc.nat({ max: 300 }), { minLength: 5, maxLength: 5 }),
    ),
  });
  fc.assert(
    fc.property(
      fc.array(posting, { minLength: 1, maxLength: 127 }),
      fc.integer({ min: -1, max: 1000 }),
      (postings, previousDoc) => {
        const rows = newPostingRows();
        let doc = previousDoc;
        postings.forEach(({ gap, body, others }, i) => {
          doc += gap + 1;
          rows.docs[i] = doc;
          rows.bodyFrequencies[i] = body;
          rows.otherFrequencies.set(others, i * OTHER_COUNT);
        });
        const target = new ByteWriter();
        target.u8(99);
        encodeTail(rows, postings.length, previousDoc, target);
        const source = new TailReader(target.view(), 1);
        const back = new TailRows(postings.length);
        back.decode(source, postings.length, previousDoc);
        assert.equal(source.offset, target.length);
        assert.deepEqual(back.docs, rows.docs.slice(0, postings.length));
        assert.deepEqual(back.bodyFrequencies, rows.bodyFrequencies.slice(0, postings.length));
        const others = back.otherFrequencies ?? new Uint32Array(postings.length * OTHER_COUNT);
        assert.deepEqual(others, rows.otherFrequencies.slice(0, postings.length * OTHER_COUNT));
        const skipper = new TailReader(target.view(), 1);
        for (let i = 0; i < postings.length; i += 1) skipPosting(skipper);
        assert.equal(skipper.offset, target.length);
      },
    ),
  );
});

test('positions have the bytes that FORMAT.md says', () => {
  const bytesOf = (deltas: readonly number[]) => {
    const target = new ByteWriter();
    encodePositions(Uint32Array.from(deltas), target);
    return [...target.view()];
  };
  assert.deepEqual(bytesOf([1, 300, 2]), [1, 0xac, 0x02, 2]);
  // Low bits 2, high bits 7; delta 3 is long: 300 = 75 x 4 + 0.
  assert.deepEqual(bytesOf([1, 2, 3, 300, 1, 1, 2, 3]), [0x72, 0b1000, 0b00111001, 0b11100101, 75]);
  // One width serves all: no bitmap.
  assert.deepEqual(bytesOf([3, 2, 3, 2, 3, 2, 3, 2]), [0x02, 0xbb, 0xbb]);
  assert.deepEqual(bytesOf([0, 0, 0, 0, 0, 0, 0, 0]), [0x00]);
  // 31 bits are more than 15 + 14, so that the high bits are 17.
  assert.equal(bytesOf([0, 0, 0, 0, 0, 0, 0, 2 ** 31 - 1])[0], 0xfe);
});

const deltas = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.nat({ max: 300 }) },
      fc.nat({ max: 70_000 }),
      fc.nat({ max: 0x7fffffff }),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((list) => Uint32Array.from(list));

test('a position reader finds every run, in any order', () => {
  const run = fc.record({ at: fc.nat({ max: 59 }), count: fc.nat({ max: 12 }), reuse: fc.boolean() });
  fc.assert(
    fc.property(deltas, fc.array(run, { maxLength: 12 }), (list, runs) => {
      const target = new ByteWriter();
      target.u8(1);
      encodePositions(list, target);
      const reader = new PositionReader(target.view());
      reader.open(1, list.length);
      const given: [Uint32Array, Uint32Array][] = [];
      for (const { at, count, reuse } of runs) {
        const first = Math.min(at, list.length);
        const end = Math.min(first + count, list.length);
        if (reuse) {
          reader.reuse();
          given.length = 0;
        }
        let position = 0;
        const expected = list.slice(first, end).map((delta) => (position += delta));
        given.push([reader.read(first, end - first), expected]);
        for (const [found, wanted] of given) assert.deepEqual(found, wanted);
      }
    }),
  );
});
