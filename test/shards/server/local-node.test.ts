import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { QueryPlan } from '../../../shards/search/query-plan.ts';
import { openNode } from '../../../shards/server/local-node.ts';
import type { SearchRequest, ShardClient, ShardHit } from '../../../shards/server/shard-client.ts';
import { urlKey } from '../../../shards/values/hash.ts';
import { epochNumber, trustNormalUrl } from '../../../shards/values/ids.ts';
import { type SmallIndex, type SmallPage, writeSmallIndex } from '../../helpers/small-index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { planOf, requestOf } from '../../helpers/word-plans.ts';

/** Hits of all shards merged as a broker does. */
const search = async (
  node: ShardClient,
  plan: QueryPlan,
  rest: Partial<SearchRequest> = {},
): Promise<ShardHit[]> => {
  const wanted = requestOf(plan, rest);
  const { shards } = await node.search(wanted);
  for (const { status, error } of shards) assert.equal(status, 'ok', error);
  const hits = shards.flatMap((answer) => answer.hits);
  return hits.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1)).slice(0, wanted.k);
};

const openTest = async (context: TestContext, index: SmallIndex) => {
  const node = await openNode({ ...index, pollMs: 0 });
  context.after(() => node.close());
  return node;
};

/** A small language with few words, so that lists are long and ties abound; `seed` makes a text. */
const WORDS = ['stone', 'quarry', 'rock', 'dust', 'hammer', 'granite', 'marble', 'slate'];
const pagesOf = (count: number): SmallPage[] =>
  Array.from({ length: count }, (_, index) => {
    const words: string[] = [];
    for (let at = 0; at <= index % 7; at++)
      words.push(WORDS[(index * 7 + at * at * 3 + (index >> 3)) % WORDS.length] ?? '');
    return {
      url: `http://${index % 3 === 0 ? 'www.' : ''}h${index % 5}.test/${index}`,
      title: WORDS[index % 11] ?? '',
      text: words.join(' '),
      staticScore: index % 13 === 0 ? 5000 : 0,
    };
  });

test('openNode - pruned equals exhaustive on stored segments, several a shard', async (context) => {
  const index = await writeSmallIndex(await tempFolder(context), pagesOf(900), {
    shardCount: 2,
    memoryBytes: 60_000,
  });
  const node = await openTest(context, index);
  const { shards } = await node.status();
  assert.ok(
    shards.every(({ segmentCount }) => segmentCount > 1),
    'the test wants several segments',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...WORDS, 'absent'), { minLength: 1, maxLength: 4 }),
      fc.constantFrom<'optional' | 'required'>('optional', 'required'),
      fc.constantFrom(1, 3, 10, 100),
      async (words, clause, k) => {
        const plan = await planOf(node, { [clause]: words });
        const pruned = await node.search(requestOf(plan, { k }));
        const exhaustive = await node.search(requestOf(plan, { k, evaluation: 'exhaustive' }));
        assert.deepEqual(pruned.shards, exhaustive.shards);
      },
    ),
    { numRuns: 150 },
  );
});

test('openNode - one, four and eight shards: the same hits, scores and order', async (context) => {
  const pages = pagesOf(400);
  const nodes = [];
  for (const shardCount of [1, 4, 8]) {
    const index = await writeSmallIndex(await tempFolder(context), pages, { shardCount });
    nodes.push(await openTest(context, index));
  }
  for (const words of [['stone'], ['stone', 'dust'], ['marble', 'slate', 'rock'], WORDS]) {
    for (const clause of ['optional', 'required'] as const) {
      const answers = [];
      for (const node of nodes) {
        const hits = await search(node, await planOf(node, { [clause]: words }), { k: 20 });
        answers.push(hits.map(({ key, score }) => ({ key, score })));
      }
      assert.ok(clause === 'required' || (answers[0]?.length ?? 0) > 0);
      assert.deepEqual(answers[1], answers[0]);
      assert.deepEqual(answers[2], answers[0]);
    }
  }
});

const PAGES: SmallPage[] = [
  {
    url: 'http://a.test/',
    title: 'Granite',
    text: 'Granite is a hard stone.\nIt splits well.',
    anchor: 'hard rock',
  },
  { url: 'http://a.test/b', title: 'Slate', text: 'Slate splits into plates.' },
  { url: 'http://b.test/', title: 'Marble', text: 'Marble takes a polish.', lang: 'de' },
];

test('openNode - fetch, page, explain, status', async (context) => {
  const node = await openTest(context, await writeSmallIndex(await tempFolder(context), PAGES));
  const plan = await planOf(node, { optional: ['stone', 'split', 'rock'] });
  const hits = await search(node, plan);
  const pages = await node.fetch({ hits, groups: [['stone'], ['split']], passageLength: 100 });
  assert.deepEqual(
    pages.map(({ url }) => url),
    ['http://a.test/', 'http://a.test/b'],
  );
  assert.deepEqual(pages[0]?.passage, [
    { text: 'Granite is a hard ', hit: false },
    { text: 'stone', hit: true },
    { text: '. It ', hit: false },
    { text: 'splits', hit: true },
    { text: ' well.', hit: false },
  ]);
  assert.equal(pages[1]?.title, 'Slate');
  const key = urlKey(trustNormalUrl('http://b.test/'));
  assert.equal((await node.page(key))?.lang, 'de');
  assert.equal(await node.page(urlKey(trustNormalUrl('http://nowhere.test/'))), undefined);
  for (const hit of hits) {
    const explanation = await node.explain(plan, hit.key);
    assert.equal(explanation?.value, hit.score);
    assert.equal(
      explanation?.parts?.reduce((sum, { value }) => sum + value, 0),
      hit.score,
    );
  }
  assert.equal((await node.explain(plan, key))?.value, 0);
  const { shards, generation, epoch } = await node.status();
  assert.deepEqual([generation, epoch], [1, 1]);
  assert.equal(
    shards.reduce((sum, { docCount }) => sum + docCount, 0),
    3,
  );
});

test('openNode - a new generation is served after reload; hits of the old one can still be fetched', async (context) => {
  const folder = await tempFolder(context);
  const index = await writeSmallIndex(folder, PAGES);
  const node = await openTest(context, index);
  assert.equal(await node.reload(), false);
  const oldPlan = await planOf(node, { optional: ['marbl', 'slate'] });
  const oldHits = await search(node, oldPlan);
  assert.equal(oldHits.length, 2);
  await writeSmallIndex(folder, [{ url: 'http://c.test/', title: 'New', text: 'Nothing but slate.' }]);
  assert.equal(await node.reload(), true);
  assert.deepEqual(
    (await node.fetch({ hits: oldHits, groups: [], passageLength: 0 })).map(({ title }) => title).sort(),
    ['Marble', 'Slate'],
  );
  assert.equal((await search(node, oldPlan)).length, 1, 'the epoch before is still known');
  assert.equal((await node.statistics()).docCount, 1);
  const { epoch } = await node.statistics();
  await writeSmallIndex(folder, PAGES);
  await node.reload();
  await assert.rejects(node.search(requestOf({ ...oldPlan, epoch: epochNumber(epoch - 1) })), {
    code: 'SHARDS_UNKNOWN_EPOCH',
  });
});

test('openNode - polls by itself', async (context) => {
  const folder = await tempFolder(context);
  const index = await writeSmallIndex(folder, PAGES);
  const node = await openNode({ ...index, pollMs: 10 });
  context.after(() => node.close());
  await writeSmallIndex(folder, PAGES.slice(1));
  while ((await node.status()).generation === 1) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await node.status()).generation, 2);
});

test('openNode - threads over shared memory answer like this thread, through reloads', async (context) => {
  const folder = await tempFolder(context);
  const index = await writeSmallIndex(folder, pagesOf(300), { shardCount: 3 });
  const here = await openTest(context, index);
  const threads = await openNode({ ...index, workers: 2, pollMs: 0 });
  context.after(() => threads.close());
  const compare = async () => {
    const plans = await Promise.all(WORDS.map((word) => planOf(here, { optional: [word, 'stone'] })));
    const answers = await Promise.all(plans.map((plan) => threads.search(requestOf(plan))));
    for (const [at, plan] of plans.entries()) {
      const { shards, queueMs, searchMs } = answers[at] ?? assert.fail();
      assert.deepEqual(shards, (await here.search(requestOf(plan))).shards);
      assert.ok(queueMs >= 0 && searchMs >= 0);
    }
  };
  await compare();
  await writeSmallIndex(folder, pagesOf(150), { shardCount: 2 });
  await Promise.all([here.reload(), threads.reload()]);
  await compare();
});

test('openNode - a budget of nothing gives truncated answers, none of which claims an exact total', async (context) => {
  const node = await openTest(context, await writeSmallIndex(await tempFolder(context), pagesOf(100)));
  const { shards } = await node.search(
    requestOf(await planOf(node, { optional: ['stone'] }), { budgetMs: -1 }),
  );
  for (const { status, total } of shards) {
    assert.equal(status, 'truncated');
    assert.equal(total.relation, 'gte');
  }
});

test('openNode - only the shards asked for', async (context) => {
  const index = await writeSmallIndex(await tempFolder(context), pagesOf(100), { shardCount: 4 });
  const node = await openNode({ ...index, shards: [1, 3], pollMs: 0 });
  context.after(() => node.close());
  assert.deepEqual(
    (await node.status()).shards.map(({ shard }) => shard),
    [1, 3],
  );
});

test('openNode - closed twice, then refuses', async (context) => {
  const node = await openTest(context, await writeSmallIndex(await tempFolder(context), PAGES));
  await node.close();
  await node.close();
  await assert.rejects(node.status(), { code: 'SHARDS_NODE_CLOSED' });
});

test('openNode - missing, torn and foreign files are errors with codes', async (context) => {
  const folder = await tempFolder(context);
  const paths = { shardsFolder: join(folder, 'shards'), statsFolder: join(folder, 'stats') };
  await assert.rejects(openNode(paths), { code: 'SHARDS_NO_INDEX' });
  const index = await writeSmallIndex(folder, PAGES, { shardCount: 1 });
  const names = (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
  const files = names.filter((name) => /CURRENT|manifest|\.idx|\.pos|\.bounds|\.epoch$/.test(name));
  assert.ok(files.length >= 5, files.join(' '));
  for (const file of files) {
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    const middle = flipped.length >> 1;
    flipped[middle] = (flipped[middle] ?? 0) ^ 1;
    const newer = Buffer.from(whole);
    newer.writeUInt16LE(999, 6);
    for (const bytes of [whole.subarray(0, whole.length - 5), flipped, newer, Buffer.alloc(0)]) {
      await writeFile(file, bytes);
      await assert.rejects(openNode(index), { name: 'QuarryError' }, file);
    }
    await writeFile(file, whole);
  }
  await rm(paths.statsFolder, { recursive: true });
  await assert.rejects(openNode(index), { code: 'SHARDS_NO_STATISTICS' });
});
