import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader } from '../../../shards/index.ts';

const overrun = { code: 'SHARDS_READ_OVERRUN' };

test('every read past the end is refused and names file, offset, found and expected', () => {
  const reads: ((reader: ByteReader) => unknown)[] = [
    (r) => r.u8(),
    (r) => r.u16(),
    (r) => r.u32(),
    (r) => r.u64(),
    (r) => r.f32(),
    (r) => r.f64(),
    (r) => r.varint(),
    (r) => r.text(),
    (r) => r.bytes(1),
  ];
  for (const read of reads) assert.throws(() => read(new ByteReader(new Uint8Array(0), 'x.idx')), overrun);
  assert.throws(() => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3), 'x.idx');
    reader.u8();
    reader.u32();
  }, /^QuarryError: x\.idx is damaged: at byte 1 found 2 bytes to the end, expected 4 more$/);
});

test('impossible lengths and positions are refused', () => {
  const reader = new ByteReader(new Uint8Array(8), 'test');
  for (const count of [-1, 9, Number.NaN, 2 ** 40]) assert.throws(() => reader.bytes(count), overrun);
  for (const offset of [-1, 9, Number.NaN]) assert.throws(() => reader.seek(offset), overrun);
  reader.seek(8);
  assert.equal(reader.remaining, 0);
});

test('a varint of more than 53 bits and text that is not UTF-8 are refused', () => {
  assert.throws(() => new ByteReader(new Uint8Array(9).fill(0xff), 'test').varint(), overrun);
  assert.throws(
    () => new ByteReader(Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 127), 't').varint(),
    overrun,
  );
  assert.throws(() => new ByteReader(Uint8Array.of(2, 0xc3, 0x28), 'test').text(), overrun);
});

test('random bytes give a value or the typed error, never anything else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const reader = new ByteReader(bytes, 'test');
      try {
        while (reader.remaining > 0) {
          reader.varint();
          reader.text();
        }
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'SHARDS_READ_OVERRUN');
      }
    }),
  );
});
