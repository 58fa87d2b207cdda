import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../shards/bytes/byte-writer.ts';
import { encodePositions, PositionReader } from '../../../shards/postings/positions.ts';
import { kernelMemory } from './kernel-memory.ts';

interface Decoder {
  decodePositions(
    source: number,
    total: number,
    first: number,
    count: number,
    before: number,
    target: number,
  ): void;
}

const { exports, bytes, words } = kernelMemory<Decoder>(2);
const SOURCE = 65_537;
const TARGET = 2048;
const NOTHING = 0xffffffff;

const position = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 200 }) },
  { weight: 2, arbitrary: fc.nat({ max: 5000 }) },
  fc.nat({ max: 2 ** 26 }),
);
const uniform = fc
  .tuple(fc.nat({ max: 20 }), fc.nat({ max: 300 }))
  .chain(([width, length]) =>
    fc.array(fc.nat({ max: 2 ** width - 1 }), { minLength: 1, maxLength: length + 1 }),
  );
const blocks = fc.oneof(uniform, fc.array(position, { minLength: 1, maxLength: 300 }));

test('any run of positions is decoded as positions.ts reads it, and ends with a mark', () => {
  fc.assert(
    fc.property(blocks, fc.nat(), fc.nat({ max: 80 }), (deltas, from, length) => {
      const first = from % deltas.length;
      const count = Math.min(length, deltas.length - first);
      const writer = new ByteWriter(64);
      encodePositions(Uint32Array.from(deltas), writer);
      bytes.set(writer.view(), SOURCE);
      const reader = new PositionReader(writer.view());
      reader.open(0, deltas.length);
      exports.decodePositions(SOURCE, deltas.length, first, count, 0, TARGET);
      const found = words.slice(TARGET / 4, TARGET / 4 + count + 4);
      assert.deepEqual([...found], [...reader.read(first, count), NOTHING, NOTHING, NOTHING, NOTHING]);
    }),
    { numRuns: 600 },
  );
});

test('31 bits take the widest form', () => {
  const deltas = [0, 2 ** 31 - 1, 0, 0, 0, 0, 0, 0, 0];
  const writer = new ByteWriter(64);
  encodePositions(Uint32Array.from(deltas), writer);
  bytes.set(writer.view(), SOURCE);
  exports.decodePositions(SOURCE, deltas.length, 1, 2, 0, TARGET);
  assert.deepEqual(words.slice(TARGET / 4, TARGET / 4 + 2), Uint32Array.of(2 ** 31 - 1, 2 ** 31 - 1));
});
