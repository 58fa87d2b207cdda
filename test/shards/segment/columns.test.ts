import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import { encodeFieldLengths, FieldLengths } from '../../../shards/segment/field-lengths.ts';
import { KeyColumn, sortKeys } from '../../../shards/segment/key-column.ts';
import { asBytes } from '../../../shards/segment/section-file-writer.ts';
import { encodeStringColumn, StringColumn } from '../../../shards/segment/string-column.ts';
import { trustUrlKey } from '../../../shards/values/hash.ts';
import { lengthCode } from '../../../shards/values/length-code.ts';

test('keys are found among keys that share a half', () => {
  const half = fc.constantFrom(0n, 1n, 0x7fffffffn, 0x80000000n, 0xffffffffn);
  const key = fc.oneof(
    fc.tuple(half, half).map(([high, low]) => (high << 32n) | low),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(key), fc.array(key), (present, others) => {
      const keys = BigUint64Array.from(present);
      const column = new KeyColumn(new Uint32Array(keys.buffer), sortKeys(keys));
      present.forEach((value, doc) => {
        assert.equal(column.key(doc), value);
        assert.equal(column.find(trustUrlKey(value)), doc);
      });
      for (const value of others) assert.equal(column.find(trustUrlKey(value)), present.indexOf(value));
    }),
  );
});

test('a column of strings is as wide as its values need', () => {
  for (const [count, bytesPerCode] of [
    [1, 1],
    [256, 1],
    [257, 2],
    [65_536, 2],
    [65_537, 4],
  ] as const) {
    const column = Array.from({ length: count + 3 }, (_, i) => `v${i % count}`);
    const { values, codes } = encodeStringColumn(column);
    assert.equal(values.length, count);
    assert.equal(codes.BYTES_PER_ELEMENT, bytesPerCode);
    const back = new StringColumn(values, asBytes(codes));
    for (const doc of [0, count - 1, count, count + 2]) assert.equal(back.value(doc), column[doc]);
  }
});

test('totals are those of live documents', () => {
  const lengths = fc.array(fc.array(fc.nat({ max: 100_000 }), { minLength: 6, maxLength: 6 }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(lengths, fc.array(fc.nat({ max: 29 })), (rows, picks) => {
      const deleted = picks.filter((doc) => doc < rows.length);
      const { totals, ...sections } = encodeFieldLengths(
        rows.length,
        (doc, field) => rows[doc]?.[field] ?? 0,
      );
      const bitmap = deleted.length > 0 ? new RoaringBitmap32(deleted) : undefined;
      const back = new FieldLengths(sections, rows.length, totals, bitmap);
      for (let field = 0; field < 6; field += 1) {
        const live = rows.filter((_, doc) => !deleted.includes(doc));
        assert.equal(
          back.totals[field],
          live.reduce((sum, row) => sum + (row[field] ?? 0), 0),
        );
        assert.deepEqual(
          [...(back.codes[field] ?? [])],
          rows.map((row) => lengthCode(row[field] ?? 0)),
        );
      }
    }),
  );
});
