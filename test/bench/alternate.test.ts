import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternate } from '../../bench/alternate.ts';

test('subjects are measured forwards and backwards in turn', async () => {
  const order: string[] = [];
  const results = await alternate(['ours', 'peer', 'other'], 3, async (subject) => order.push(subject));
  assert.deepEqual(order, 'ours peer other other peer ours ours peer other'.split(' '));
  assert.deepEqual(Object.fromEntries(results), { ours: [1, 6, 7], peer: [2, 5, 8], other: [3, 4, 9] });
});
