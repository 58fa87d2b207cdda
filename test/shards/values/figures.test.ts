import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatBytes, formatCount, formatDuration, pluralOf } from '../../../shards/index.ts';

test('counts have commas and nouns their plural', () => {
  assert.equal(formatCount(1_234_567), '1,234,567');
  assert.deepEqual(
    [0, 1, 1200].map((count) => pluralOf(count, 'page')),
    ['0 pages', '1 page', '1,200 pages'],
  );
});

test('bytes have three digits and never a thousand of a unit', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1.00 KB'],
    [12_345_678, '12.3 MB'],
    [999_400, '999 KB'],
    [999_500, '1.00 MB'],
    [999_999_999, '1.00 GB'],
    [5e15, '5000 TB'],
  ];
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999e12 }), (bytes) => {
      assert.match(formatBytes(bytes), /^(\d{1,3} bytes|\d\.\d\d [KMGT]B|\d\d\.\d [KMGT]B|\d{3} [KMGT]B)$/);
    }),
  );
});

test('durations never show sixty of a unit', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0.0 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 0 s'],
    [119_700, '2 min 0 s'],
    [3_599_600, '1 h 0 min'],
    [7_620_000, '2 h 7 min'],
  ];
  for (const [durationMs, text] of cases) assert.equal(formatDuration(durationMs), text);
  fc.assert(
    fc.property(fc.nat(100_000_000), (durationMs) => {
      assert.doesNotMatch(formatDuration(durationMs), /\b60 /);
    }),
  );
});
