import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBroker } from '../../../query/broker/broker.ts';
import type { ShardClient } from '../../../shards/index.ts';
import { FakeNode, plainAnalyser } from '../../helpers/fake-node.ts';

const pages = Array.from({ length: 12 }, (_, at) => ({ url: `http://a.test/${at}`, text: 'apple' }));
const down = (): Promise<never> => Promise.reject(new Error('connection refused'));
const brokerOver = (nodes: readonly ShardClient[]) => createBroker({ nodes, analyser: plainAnalyser });

test('a shard that no node serves makes answers partial, and they say so', async () => {
  const nodes = [new FakeNode({ pages: pages.slice(0, 6), allPages: pages, shards: [0, 3] })];
  const answer = await brokerOver(nodes).search({ q: 'apple' });
  assert.deepEqual(answer.shards, { total: 4, ok: 2, truncated: 0, failed: 2, timedOut: 0 });
  assert.equal(answer.partial, true);
  assert.equal(answer.total.relation, 'gte');
});

test('a node that has never answered is missed with the shards that only it can have', async () => {
  const silent = new FakeNode({ pages: [], shards: [1] });
  silent.status = down;
  silent.search = down;
  const some = new FakeNode({ pages, shards: [0, 2] });
  const answer = await brokerOver([some, silent]).search({ q: 'apple' });
  assert.deepEqual(answer.shards, { total: 3, ok: 2, truncated: 0, failed: 1, timedOut: 0 });
  const all = new FakeNode({ pages, shards: [0, 1, 2] });
  const whole = await brokerOver([all, silent]).search({ q: 'apple' });
  assert.deepEqual([whole.partial, whole.shards.total], [false, 3]);
});
