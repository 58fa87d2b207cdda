import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shardOf, slotMapOf } from '../../../shards/partition/partitioner.ts';
import { SLOT_COUNT, trustUrlKey } from '../../../shards/values/hash.ts';

const sizesOf = (slots: Uint16Array): number[] => {
  const sizes = new Map<number, number>();
  for (const shard of slots) sizes.set(shard, (sizes.get(shard) ?? 0) + 1);
  return [...sizes.entries()].sort(([a], [b]) => a - b).map(([, size]) => size);
};

test('shards hold equally many slots, within one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (shardCount) => {
      const sizes = sizesOf(slotMapOf(shardCount));
      assert.equal(sizes.length, shardCount);
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        SLOT_COUNT,
      );
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, String(sizes));
    }),
  );
});

test('one shard more moves only the slots that it takes', () => {
  for (let shardCount = 1; shardCount < 40; shardCount += 1) {
    const before = slotMapOf(shardCount);
    const after = slotMapOf(shardCount + 1);
    const moved = after.filter((shard, slot) => shard !== before[slot]);
    assert.ok(moved.every((shard) => shard === shardCount));
    assert.equal(moved.length, Math.floor(SLOT_COUNT / (shardCount + 1)));
  }
});

test('the map of four shards never changes: stored indexes rely on it', () => {
  const slots = slotMapOf(4);
  // The second shard takes the upper half; what lies around the middle passes on to the third and fourth.
  assert.deepEqual([slots[0], slots[255], slots[511], slots[512], slots[1023]], [0, 0, 2, 2, 1]);
  assert.deepEqual(sizesOf(slots), [256, 256, 256, 256]);
});

test('a key goes to the shard of its ten high bits', () => {
  const slots = slotMapOf(3);
  for (const slot of [0, 1, 511, 1023]) {
    assert.equal(shardOf(slots, trustUrlKey((BigInt(slot) << 54n) | 77n)), slots[slot]);
  }
});

test('more shards than slots, or none, is refused', () => {
  for (const shardCount of [0, -1, 1.5, SLOT_COUNT + 1])
    assert.throws(() => slotMapOf(shardCount), RangeError);
  assert.equal(new Set(slotMapOf(SLOT_COUNT)).size, SLOT_COUNT);
});
