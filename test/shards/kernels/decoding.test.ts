import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../shards/bytes/byte-writer.ts';
import { ROWS_DOCS, ROWS_FREQUENCIES, ROWS_OTHERS } from '../../../shards/kernels/search-layout.ts';
import { BLOCK_LENGTH, packLanes, unpackLanes } from '../../../shards/postings/bit-packing.ts';
import { decodeBodyFrequencies, decodeDocs } from '../../../shards/postings/block-codec.ts';
import { OTHER_COUNT } from '../../../shards/postings/field-slots.ts';
import { encodeOthers, OtherKind } from '../../../shards/postings/other-frequencies.ts';
import { encodeTail, newPostingRows, TailReader, TailRows } from '../../../shards/postings/tail-codec.ts';
import { kernelMemory } from './kernel-memory.ts';

interface Decoders {
  unpack(source: number, width: number, target: number): void;
  decodeDocs(source: number, width: number, previousDoc: number, target: number): void;
  decodeFrequencies(source: number, width: number, base: number, target: number): void;
  decodeOthers(stream: number, kind: number, others: number): void;
  decodeTail(source: number, count: number, previousDoc: number, rows: number): number;
}

const { exports, bytes, words } = kernelMemory<Decoders>(1);
/** Where the tests put things; sources are odd on purpose, for WebAssembly has no alignment. */
const SOURCE = 32_769;
const ROWS = 1024;
const DOCS = ROWS + ROWS_DOCS;
const FREQUENCIES = ROWS + ROWS_FREQUENCIES;

const wordsAt = (address: number, count: number): Uint32Array =>
  words.slice(address / 4, address / 4 + count);
/** The rows of the other fields, posting by posting. */
const otherRows = (count: number): number[][] => {
  const slots = wordsAt(ROWS + ROWS_OTHERS, OTHER_COUNT * BLOCK_LENGTH);
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: OTHER_COUNT }, (__, slot) => slots[slot * BLOCK_LENGTH + i] ?? 0),
  );
};
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

test('a block with 16 bytes behind it in the memory is read without a trap', () => {
  for (let width = 1; width < 32; width += 1) {
    const packed = packLanes(new Uint32Array(BLOCK_LENGTH).fill(2 ** width - 1), width);
    const source = bytes.length - packed.byteLength - 16;
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

test("the other fields' frequencies are those of other-frequencies.ts", () => {
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
      exports.decodeOthers(SOURCE, kind, ROWS + ROWS_OTHERS);
      assert.deepEqual(otherRows(BLOCK_LENGTH), values);
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

      const hasOthers = exports.decodeTail(SOURCE, tail.length, previousDoc, ROWS);
      assert.deepEqual(wordsAt(ROWS + ROWS_DOCS, tail.length), expected.docs);
      assert.deepEqual(wordsAt(ROWS + ROWS_FREQUENCIES, tail.length), expected.bodyFrequencies);
      assert.equal(hasOthers === 1, expected.otherFrequencies !== undefined);
      if (hasOthers === 1) {
        assert.deepEqual(
          otherRows(tail.length),
          tail.map(({ others }) => others),
        );
      }
    }),
    { numRuns: 100 },
  );
});

test('a tail longer than a block traps and writes nothing', () => {
  const before = words.slice(0, 4096);
  assert.throws(() => exports.decodeTail(SOURCE, BLOCK_LENGTH + 1, -1, ROWS), { name: 'RuntimeError' });
  assert.deepEqual(words.slice(0, 4096), before);
});
