import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../shards/bytes/byte-writer.ts';
import { BLOCK_LENGTH, packLanes, unpackLanes } from '../../../shards/postings/bit-packing.ts';
import { decodeBodyFrequencies, decodeDocs } from '../../../shards/postings/block-codec.ts';
import { OTHER_COUNT } from '../../../shards/postings/field-slots.ts';
import { encodeOthers, OtherFrequencies, OtherKind } from '../../../shards/postings/other-frequencies.ts';
import { encodeTail, newPostingRows, TailReader, TailRows } from '../../../shards/postings/tail-codec.ts';
import { kernelMemory } from './kernel-memory.ts';

interface Decoders {
  unpack(source: number, width: number, target: number): void;
  decodeDocs(source: number, width: number, previousDoc: number, target: number): void;
  decodeFrequencies(source: number, width: number, base: number, target: number): void;
  decodeTail(
    source: number,
    count: number,
    previousDoc: number,
    docs: number,
    frequencies: number,
    others: number,
  ): number;
  openOthers(source: number, kind: number, state: number): void;
  recordOf(state: number, index: number): number;
  readRecord(state: number, record: number, target: number): number;
}

const { exports, bytes, words } = kernelMemory<Decoders>(1);
/** Where the tests put things; sources are odd on purpose, for WebAssembly has no alignment. */
const SOURCE = 32_769;
const DOCS = 1024;
const FREQUENCIES = 2048;
const OTHERS = 4096;

const wordsAt = (address: number, count: number): Uint32Array =>
  words.slice(address / 4, address / 4 + count);
const put = (source: ArrayBufferView): void =>
  bytes.set(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), SOURCE);

const valuesOf = (width: number) =>
  fc
    .array(fc.integer({ min: 0, max: 2 ** width - 1 }), { minLength: BLOCK_LENGTH, maxLength: BLOCK_LENGTH })
    .map((values) => Uint32Array.from(values));

const eachWidth = (property: (width: number, values: Uint32Array) => void): void => {
  for (let width = 0; width < 32; width += 1) {
    fc.assert(
      fc.property(valuesOf(width), (values) => {
        put(packLanes(values, width));
        property(width, values);
      }),
      { numRuns: 5 },
    );
  }
};

test('blocks unpack as bit-packing.ts unpacks them', () => {
  eachWidth((width, values) => {
    exports.unpack(SOURCE, width, DOCS);
    assert.deepEqual(wordsAt(DOCS, BLOCK_LENGTH), values);
  });
});

test('a block at the very end of the memory is read without a trap', () => {
  for (let width = 1; width < 32; width += 1) {
    const packed = packLanes(new Uint32Array(BLOCK_LENGTH).fill(2 ** width - 1), width);
    const source = bytes.length - packed.byteLength;
    bytes.set(new Uint8Array(packed.buffer), source);
    exports.unpack(source, width, DOCS);
    const expected = new Uint32Array(BLOCK_LENGTH);
    unpackLanes(packed, 0, width, expected);
    assert.deepEqual(wordsAt(DOCS, BLOCK_LENGTH), expected);
  }
});

test('documents and body frequencies are those of block-codec.ts', () => {
  eachWidth((width, values) => {
    const packed = packLanes(values, width);
    for (const previousDoc of [-1, 0, 12_345]) {
      const expected = new Uint32Array(BLOCK_LENGTH);
      decodeDocs(packed, 0, { shape: width, previousDoc }, expected);
      exports.decodeDocs(SOURCE, width, previousDoc, DOCS);
      assert.deepEqual(wordsAt(DOCS, BLOCK_LENGTH), expected);
    }
    for (const base of [0, 1]) {
      const expected = new Uint32Array(BLOCK_LENGTH);
      decodeBodyFrequencies(packed, 0, (width << 5) | (base << 10), expected);
      exports.decodeFrequencies(SOURCE, width, base, FREQUENCIES);
      assert.deepEqual(wordsAt(FREQUENCIES, BLOCK_LENGTH), expected);
    }
  });
});

const frequency = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 0x3fffffff }));
const row = fc.oneof(
  { weight: 3, arbitrary: fc.constant(Array.from({ length: OTHER_COUNT }, () => 0)) },
  fc.array(frequency, { minLength: OTHER_COUNT, maxLength: OTHER_COUNT }),
);

test("each record of the other fields' frequencies is read as other-frequencies.ts reads it", () => {
  const rows = fc.oneof(
    fc.array(row, { minLength: BLOCK_LENGTH, maxLength: BLOCK_LENGTH }),
    fc.array(
      row.map((frequencies) => frequencies.with(0, 1)),
      { minLength: BLOCK_LENGTH, maxLength: BLOCK_LENGTH },
    ),
  );
  fc.assert(
    fc.property(rows, (values) => {
      const { kind, words: packed } = encodeOthers(Uint32Array.from(values.flat()));
      if (kind === OtherKind.none) return;
      put(packed);
      const oracle = new OtherFrequencies(packed);
      oracle.open(0, kind);
      exports.openOthers(SOURCE, kind, OTHERS);
      values.forEach((expected, index) => {
        if (!oracle.has(index)) return;
        const sum = exports.readRecord(OTHERS, exports.recordOf(OTHERS, index), DOCS);
        assert.deepEqual([...wordsAt(DOCS, OTHER_COUNT)], expected);
        assert.equal(sum >>> 0, oracle.total(index) % 2 ** 32);
      });
      const masks = wordsAt(OTHERS, 4);
      values.forEach((_, index) =>
        assert.equal((((masks[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1, oracle.has(index)),
      );
    }),
    { numRuns: 60 },
  );
});

test('a tail of any length, the one posting of a rare term included, decodes as tail-codec.ts decodes it', () => {
  const posting = fc.record({
    gap: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 1_000_000 })),
    body: fc.oneof(fc.constant(1), fc.nat({ max: 300 })),
    others: row,
  });
  const postings = fc.array(posting, { minLength: 1, maxLength: BLOCK_LENGTH - 1 });
  fc.assert(
    fc.property(postings, fc.integer({ min: -1, max: 1000 }), (tail, previousDoc) => {
      const rows = newPostingRows();
      let doc = previousDoc;
      tail.forEach(({ gap, body, others }, i) => {
        doc += gap + 1;
        rows.docs[i] = doc;
        rows.bodyFrequencies[i] = body;
        rows.otherFrequencies.set(others, i * OTHER_COUNT);
      });
      const writer = new ByteWriter(64);
      encodeTail(rows, tail.length, previousDoc, writer);
      put(writer.view());
      const expected = new TailRows(tail.length);
      expected.decode(new TailReader(writer.view(), 0), tail.length, previousDoc);

      const has = exports.decodeTail(SOURCE, tail.length, previousDoc, DOCS, FREQUENCIES, OTHERS);
      assert.deepEqual(wordsAt(DOCS, tail.length), expected.docs);
      assert.deepEqual(wordsAt(FREQUENCIES, tail.length), expected.bodyFrequencies);
      assert.equal(has === 1, expected.otherFrequencies !== undefined);
      const masks = wordsAt(OTHERS, 4);
      const otherRows = wordsAt(OTHERS + 16, tail.length * OTHER_COUNT);
      tail.forEach(({ others }, i) => {
        const isMarked = has === 1 && (((masks[i >>> 5] ?? 0) >>> (i & 31)) & 1) === 1;
        assert.equal(
          isMarked,
          others.some((value) => value > 0),
        );
        if (isMarked) assert.deepEqual([...otherRows.slice(i * OTHER_COUNT, (i + 1) * OTHER_COUNT)], others);
      });
    }),
    { numRuns: 100 },
  );
});
