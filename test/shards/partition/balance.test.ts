import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxOverMean, slotCounts } from '../../../shards/partition/balance.ts';
import { slotMapOf } from '../../../shards/partition/partitioner.ts';

test('slotCounts - the slots of each shard, also of one without', () => {
  assert.deepEqual(slotCounts(slotMapOf(3), 3), [341, 342, 341]);
  assert.deepEqual(slotCounts(slotMapOf(1), 2), [1024, 0]);
});

test('maxOverMean - 1 when all are alike or nothing is there', () => {
  assert.equal(maxOverMean([4, 4, 4]), 1);
  assert.equal(maxOverMean([6, 2, 1]), 2);
  assert.equal(maxOverMean([0, 0]), 1);
  assert.equal(maxOverMean([]), 1);
});
