import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  chooseMerge,
  MERGE_LIMITS,
  mergedTier,
  type SegmentSize,
} from '../../../shards/writer/merge-policy.ts';

const MIB = 2 ** 20;
const limits = { ...MERGE_LIMITS, fanIn: 4, floorBytes: MIB, maxBytes: 100 * MIB };
const segment = (id: number, mib: number, deletedShare = 0): SegmentSize => ({
  id,
  docCount: 1000,
  liveCount: Math.round(1000 * (1 - deletedShare)),
  bytes: mib * MIB,
});
const chosen = (sizes: readonly SegmentSize[]) => chooseMerge(sizes, limits);

test('a level that is full is merged, the smallest level first', () => {
  assert.equal(chosen([segment(1, 0.1), segment(2, 0.5), segment(3, 1)]), undefined);
  assert.deepEqual(chosen([1, 2, 3, 4].map((id) => segment(id, id / 4))), [1, 2, 3, 4]);
  const large = [1, 2, 3, 4].map((id) => segment(id, 10));
  assert.deepEqual(chosen(large), [1, 2, 3, 4]);
  const small = [11, 12, 13, 14, 15].map((id) => segment(id, 0.5));
  assert.deepEqual(chosen([...large, ...small]), [11, 12, 13, 14]);
  // Sizes of two levels, none of them full.
  assert.equal(chosen([segment(1, 0.5), segment(2, 0.5), segment(3, 3), segment(4, 3)]), undefined);
});

test('no merge makes more than the largest segment allowed', () => {
  const sizes = [1, 2, 3, 4].map((id) => segment(id, 40));
  assert.deepEqual(chosen(sizes), [1, 2]);
  assert.equal(chosen([1, 2, 3, 4].map((id) => segment(id, 60))), undefined);
});

test('a segment with too many deleted documents is written anew, the worst first', () => {
  assert.equal(chosen([segment(1, 10, 0.15)]), undefined);
  assert.deepEqual(chosen([segment(1, 10, 0.16), segment(2, 10, 0.4), segment(3, 30, 0.2)]), [2]);
});

test('a segment whose bounds are made for other weights is written anew, when nothing else is due', () => {
  const stale = (id: number, mib: number, deletedShare = 0) => ({
    ...segment(id, mib, deletedShare),
    hasOtherBounds: true,
  });
  assert.deepEqual(chosen([segment(1, 1), stale(2, 30), stale(3, 5)]), [3]);
  assert.deepEqual(chosen([segment(1, 10, 0.4), stale(3, 5)]), [1]);
  assert.deepEqual(chosen([1, 2, 3, 4].map((id) => stale(id, 10))), [1, 2, 3, 4]);
  assert.equal(chosen([segment(1, 30), segment(2, 5)]), undefined);
});

test('high and low do not mix; fresh segments go with either', () => {
  const tiers = ['high', 'low', 'low', 'fresh', 'fresh', 'high'] as const;
  const sizes = tiers.map((tier, id) => ({ ...segment(id, 0.5), tier }));
  assert.deepEqual(chosen(sizes), [0, 3, 4, 5]);
  assert.equal(chosen(sizes.filter(({ tier }) => tier !== 'fresh')), undefined);
  assert.equal(mergedTier(['fresh', undefined, 'fresh']), 'high');
  assert.equal(mergedTier(['fresh', 'low']), 'low');
  assert.equal(mergedTier(['fresh', 'fresh']), 'fresh');
});

test('however segments come, few are left when no merge is due, and each byte is rewritten a few times', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 3 * MIB }), { minLength: 1, maxLength: 300, size: 'max' }),
      (flushes) => {
        let segments: SegmentSize[] = [];
        let rewrittenBytes = 0;
        let nextId = 1000;
        for (const [at, bytes] of flushes.entries()) {
          segments.push({ id: at, docCount: 10, liveCount: 10, bytes });
          for (let ids = chosen(segments); ids !== undefined; ids = chosen(segments)) {
            const inputs = segments.filter(({ id }) => ids?.includes(id));
            const sum = inputs.reduce((total, input) => total + input.bytes, 0);
            assert.ok(inputs.length > 1 && sum <= limits.maxBytes);
            rewrittenBytes += sum;
            segments = [
              ...segments.filter(({ id }) => !ids?.includes(id)),
              { ...segment(nextId++, 1), bytes: sum },
            ];
          }
        }
        const totalBytes = flushes.reduce((sum, bytes) => sum + bytes, 0);
        const levels = 2 + Math.ceil(Math.log(limits.maxBytes / limits.floorBytes) / Math.log(limits.fanIn));
        assert.ok(
          segments.length <= 3 * levels + (2 * totalBytes) / limits.maxBytes,
          String(segments.length),
        );
        assert.ok(rewrittenBytes <= levels * (totalBytes + 4 * MIB * limits.fanIn), String(rewrittenBytes));
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});
