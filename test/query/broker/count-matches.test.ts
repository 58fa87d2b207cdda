import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { countMatches } from '../../../query/broker/count-matches.ts';
import { createBroker } from '../../../query/index.ts';
import { openNode } from '../../../shards/index.ts';
import { MatchCounter } from '../../../shards/search/collector.ts';
import { connectTest, startShardServer } from '../../helpers/shard-servers.ts';
import { type SmallPage, writeSmallIndex } from '../../helpers/small-index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

/** What a shard with so many matches says. */
const counted = (matches: number) => {
  const counter = new MatchCounter();
  counter.add(matches);
  return counter.total();
};

test('countMatches - however matches are spread over shards, the total is that of one shard', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1200 }), { minLength: 1, maxLength: 8 }), (shards) => {
      const matches = shards.reduce((sum, each) => sum + each, 0);
      assert.deepEqual(countMatches(shards.map(counted), 0), counted(matches));
    }),
  );
});

test('countMatches - copies are taken off, but never what one shard holds alone', () => {
  assert.deepEqual(countMatches([counted(3), counted(2)], 1), { value: 4, relation: 'eq' });
  assert.deepEqual(countMatches([counted(1001), counted(2)], 2), { value: 1000, relation: 'gte' });
  assert.deepEqual(countMatches([counted(999), counted(3)], 2), { value: 1000, relation: 'eq' });
});

test('countMatches - a shard that is missing makes it a lower bound', () => {
  const totals = [counted(5), { value: 0, relation: 'gte' as const }];
  assert.deepEqual(countMatches(totals, 0), { value: 5, relation: 'gte' });
});

/** `stone` stands in all, `rock` in 1,000, `dust` in 999. */
const pages: readonly SmallPage[] = Array.from({ length: 1_100 }, (_, index) => ({
  url: `http://h${index % 3}.test/${index}`,
  text: `stone${index < 1_000 ? ' rock' : ''}${index < 999 ? ' dust' : ''}`,
}));

const totalsOver = async (context: TestContext, shardCount: number, isRemote: boolean) => {
  const index = await writeSmallIndex(await tempFolder(context), pages, { shardCount });
  const node = await openNode({ ...index, pollMs: 0 });
  context.after(() => node.close());
  const { port } = isRemote ? await startShardServer(context, { node }) : { port: 0 };
  const broker = createBroker({ nodes: [isRemote ? connectTest(context, port) : node] });
  const totals: unknown[] = [];
  for (const q of ['stone', 'rock', 'dust', 'stone dust', '"stone rock"', 'site:h1.test', 'absent']) {
    totals.push((await broker.search({ q, k: 1 })).total);
  }
  return totals;
};

test('broker - totals are the same over one shard and over eight, here and on another node', async (context) => {
  const one = await totalsOver(context, 1, false);
  assert.deepEqual(one.slice(0, 3), [
    { value: 1_000, relation: 'gte' },
    { value: 1_000, relation: 'eq' },
    { value: 999, relation: 'eq' },
  ]);
  assert.deepEqual(await totalsOver(context, 8, false), one);
  assert.deepEqual(await totalsOver(context, 8, true), one);
});
