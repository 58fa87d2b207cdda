import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader, ByteWriter, MAX_VARINT_BYTES, putVarint } from '../../../shards/index.ts';

type Step = { readonly write: (writer: ByteWriter) => void; readonly check: (reader: ByteReader) => void };

const step = <T>(
  value: T,
  write: (writer: ByteWriter, value: T) => void,
  read: (reader: ByteReader) => T,
): Step => ({
  write: (writer) => write(writer, value),
  check: (reader) => assert.deepEqual(read(reader), value),
});

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.integer({ min: 0, max: 255 }).map((v) =>
    step(
      v,
      (w, x) => w.u8(x),
      (r) => r.u8(),
    ),
  ),
  fc.integer({ min: 0, max: 0xffff }).map((v) =>
    step(
      v,
      (w, x) => w.u16(x),
      (r) => r.u16(),
    ),
  ),
  fc.integer({ min: 0, max: 0xffffffff }).map((v) =>
    step(
      v,
      (w, x) => w.u32(x),
      (r) => r.u32(),
    ),
  ),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((v) =>
    step(
      v,
      (w, x) => w.u64(x),
      (r) => r.u64(),
    ),
  ),
  fc.float({ noNaN: true }).map((v) =>
    step(
      v,
      (w, x) => w.f32(x),
      (r) => r.f32(),
    ),
  ),
  fc.double({ noNaN: true }).map((v) =>
    step(
      v,
      (w, x) => w.f64(x),
      (r) => r.f64(),
    ),
  ),
  fc.maxSafeNat().map((v) =>
    step(
      v,
      (w, x) => w.varint(x),
      (r) => r.varint(),
    ),
  ),
  fc.string({ unit: 'binary' }).map((v) =>
    step(
      v,
      (w, x) => w.text(x),
      (r) => r.text(),
    ),
  ),
  fc.uint8Array({ maxLength: 300 }).map((v: Uint8Array) =>
    step(
      v,
      (w, x) => w.bytes(x),
      (r) => r.bytes(v.length),
    ),
  ),
);

test('any sequence of values is read back equal, to the last byte', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), (sequence) => {
      const writer = new ByteWriter(16);
      for (const { write } of sequence) write(writer);
      const reader = new ByteReader(writer.toBytes(), 'test');
      for (const { check } of sequence) check(reader);
      assert.equal(reader.remaining, 0);
    }),
  );
});

test('a writer that was cleared begins anew', () => {
  const writer = new ByteWriter(16);
  writer.bytes(new Uint8Array(40).fill(0xff));
  writer.clear();
  writer.u8(1);
  assert.deepEqual([...writer.view()], [1]);
});

test('patchU32 overwrites inside what was written only', () => {
  const writer = new ByteWriter();
  writer.u32(0);
  writer.u8(9);
  writer.patchU32(0, 0x01020304);
  assert.deepEqual([...writer.view()], [4, 3, 2, 1, 9]);
  assert.throws(() => writer.patchU32(2, 0), RangeError);
});

test('lone surrogates become U+FFFD', () => {
  const writer = new ByteWriter();
  writer.text('a\ud800b');
  assert.equal(new ByteReader(writer.view(), 'test').text(), 'a\ufffdb');
});

test('a varint takes a byte for each seven bits of its value', () => {
  const bytes = new Uint8Array(MAX_VARINT_BYTES);
  for (let exponent = 0; exponent < 53; exponent += 1) {
    for (const value of [2 ** exponent - 1, 2 ** exponent]) {
      const bitCount = value.toString(2).length;
      assert.equal(putVarint(bytes, 0, value), Math.ceil(bitCount / 7), String(value));
      assert.equal(new ByteReader(bytes, 'test').varint(), value);
    }
  }
});
