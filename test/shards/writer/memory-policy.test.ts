import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullShards } from '../../../shards/writer/memory-policy.ts';

const MIB = 2 ** 20;
const held = {
  queueBytes: 0,
  shardBytes: [10 * MIB, 30 * MIB, 20 * MIB],
  streamBytes: 0,
  vocabularyBytes: 0,
};

test('the largest shard is written when what is held exceeds the budget', () => {
  assert.deepEqual(fullShards(held, 60 * MIB), []);
  assert.deepEqual(fullShards(held, 60 * MIB - 1), [1]);
  assert.deepEqual(fullShards({ ...held, queueBytes: 1 }, 60 * MIB), [1]);
});

test('the stream that cuts the texts counts, but leaves half of the budget to the documents', () => {
  const withStream = { ...held, streamBytes: 27 * MIB };
  assert.deepEqual(fullShards(withStream, 87 * MIB), []);
  assert.deepEqual(fullShards(withStream, 87 * MIB - 1), [1]);
  const small = { ...withStream, shardBytes: [MIB, MIB, 0] };
  assert.deepEqual(fullShards(small, 4 * MIB), []);
  assert.deepEqual(fullShards(small, 4 * MIB - 1), [0]);
});

test('all shards are written when the vocabulary takes a quarter of the budget, but not for little', () => {
  const taking = (mib: number) => ({ ...held, streamBytes: mib * MIB, vocabularyBytes: mib * MIB });
  assert.deepEqual(fullShards(taking(50), 200 * MIB), []);
  assert.deepEqual(fullShards(taking(51), 200 * MIB), [0, 1, 2]);
  const empty = { ...taking(8), shardBytes: [0, 0, 0] };
  assert.deepEqual(fullShards(empty, MIB), []);
});
