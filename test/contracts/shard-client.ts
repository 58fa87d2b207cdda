import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { QueryPlan } from '../../shards/search/query-plan.ts';
import { openNode } from '../../shards/server/local-node.ts';
import type { ShardClient, ShardHit } from '../../shards/server/shard-client.ts';
import { decodeEpoch } from '../../shards/statistics/epoch-file.ts';
import { readEpochBytes } from '../../shards/statistics/epochs.ts';
import { urlKey } from '../../shards/values/hash.ts';
import { epochNumber, trustNormalUrl } from '../../shards/values/ids.ts';
import { type SmallIndex, type SmallPage, writeSmallIndex } from '../helpers/small-index.ts';
import { makeTempFolder, removeTempFolder, tempFolder } from '../helpers/temp-folder.ts';
import { planOf, requestOf } from '../helpers/word-plans.ts';

export interface ContractSubject {
  readonly client: ShardClient;
  /** Makes what stands behind the client look for a new generation or epoch. */
  readonly reload: () => Promise<unknown>;
}

/** Opens the implementation over an index; what it opens goes with the test, or the tests, that the context is of. */
export type OpenSubject = (
  context: Pick<TestContext, 'after'>,
  index: SmallIndex,
  shards?: readonly number[],
) => Promise<ContractSubject>;

const WORDS = ['stone', 'quarry', 'rock', 'dust', 'hammer', 'granite', 'marble'] as const;

/** Many ties, several segments a shard. */
const manyPages: readonly SmallPage[] = Array.from({ length: 240 }, (_, index) => ({
  url: `http://h${index % 5}.test/${index}`,
  title: WORDS[index % 11] ?? 'other',
  text: WORDS.filter((_word, at) => (index * 7 + at * 5) % 4 === 0)
    .join(' ')
    .repeat(1 + (index % 3)),
  staticScore: index % 13 === 0 ? 5000 : 0,
}));

const fewPages: readonly SmallPage[] = [
  { url: 'http://a.test/', title: 'Granite', text: 'Granite is a hard stone.\nIt splits well.' },
  { url: 'http://a.test/b', title: 'Слюда 😀', text: 'Mica splits into plates. '.repeat(40) },
  { url: 'id:marble%201', title: '', text: 'Marble takes a polish.', lang: 'de' },
];

const keyOf = (url: string) => urlKey(trustNormalUrl(url));

const hitsOf = async (client: ShardClient, plan: QueryPlan): Promise<ShardHit[]> => {
  const { shards } = await client.search(requestOf(plan));
  return shards.flatMap(({ hits }) => hits);
};

interface Opened extends ContractSubject {
  readonly index: SmallIndex;
}

/** Opens an index before the tests of a suite, for all that do not change it: threads take long to start. */
const openForAll = (open: OpenSubject, write: (folder: string) => Promise<SmallIndex>): (() => Opened) => {
  let opened: Opened | undefined;
  const closing: (() => unknown)[] = [];
  before(async () => {
    const folder = await makeTempFolder();
    closing.push(() => removeTempFolder(folder));
    const index = await write(folder);
    const context = { after: (close: () => unknown) => closing.unshift(close) };
    opened = { ...(await open(context as Pick<TestContext, 'after'>, index)), index };
  });
  after(async () => {
    for (const close of closing) await close();
  });
  return () => opened ?? assert.fail('before has run');
};

/** What every implementation of ShardClient must do; the node in this process is the reference. */
export const testShardClient = (name: string, open: OpenSubject): void => {
  describe(name, () => testAll(open));
};

const testAll = (open: OpenSubject): void => {
  const few = openForAll(open, (folder) => writeSmallIndex(folder, fewPages));
  // So little memory that each shard gets several segments.
  const many = openForAll(open, (folder) =>
    writeSmallIndex(folder, manyPages, { shardCount: 3, memoryBytes: 120_000 }),
  );

  it('answers as the node in this process: shards, ids, scores, totals', async (context) => {
    const { client, index } = many();
    const reference = await openNode({ ...index, pollMs: 0 });
    context.after(() => reference.close());
    const { shards } = await reference.status();
    assert.ok(shards.every(({ segmentCount }) => segmentCount > 1));
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          optional: fc.uniqueArray(fc.constantFrom(...WORDS, 'absent', 'é😀'), { maxLength: 4 }),
          required: fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 2 }),
          excluded: fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 1 }),
        }),
        fc.constantFrom(0, 1, 10, 1100),
        fc.constantFrom<'pruned' | 'exhaustive'>('pruned', 'exhaustive'),
        fc.constantFrom(0, 5, 1000),
        async (clauses, k, evaluation, countLimit) => {
          const plan = await planOf(client, clauses);
          const request = requestOf(plan, { k, evaluation, countLimit });
          const [answer, expected] = [await client.search(request), await reference.search(request)];
          assert.deepEqual(answer.shards, expected.shards);
          assert.ok(answer.queueMs >= 0 && answer.searchMs >= 0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('phrases and sites go with a plan', async () => {
    const { client } = few();
    const plan = await planOf(client, {});
    const group = (term: string) => ({ terms: [term], weight: 700 });
    const phrase = {
      words: [
        { group: group('hard'), offset: 0 },
        { group: group('stone'), offset: 1 },
      ],
    };
    const keys = async (parts: Partial<QueryPlan>) =>
      (await hitsOf(client, { ...plan, ...parts })).map(({ key }) => key);
    assert.deepEqual(await keys({ phrases: [phrase] }), [keyOf('http://a.test/')]);
    assert.deepEqual(await keys({ sites: [{ host: 'a.test', pathPrefix: '/b' }] }), [
      keyOf('http://a.test/b'),
    ]);
    const anyOf = { optional: [group('split'), group('polish')] };
    assert.deepEqual(await keys({ ...anyOf, excludedSites: [{ host: 'a.test', pathPrefix: '' }] }), [
      keyOf('id:marble%201'),
    ]);
  });

  it('many requests at once, each with its own answer', async () => {
    const { client } = many();
    const plans = await Promise.all(WORDS.map((word) => planOf(client, { optional: [word] })));
    const alone = [];
    for (const plan of plans) alone.push((await client.search(requestOf(plan))).shards);
    const asked = Array.from({ length: 60 }, (_, at) => at % plans.length);
    const together = await Promise.all(
      asked.map((at) => client.search(requestOf(plans[at] ?? assert.fail()))),
    );
    for (const [at, { shards }] of together.entries()) assert.deepEqual(shards, alone[asked[at] ?? 0]);
  });

  it('fetches pages in the order of the hits, with passages', async () => {
    const { client } = few();
    const plan = await planOf(client, { optional: ['split', 'polish'] });
    const hits = (await hitsOf(client, plan)).sort((a, b) => (a.key < b.key ? -1 : 1));
    assert.equal(hits.length, 3);
    const pages = await client.fetch({ hits, groups: [['split']], passageLength: 60 });
    assert.deepEqual(
      pages.map(({ url }) => keyOf(url)),
      hits.map(({ key }) => key),
    );
    const mica = pages.find(({ url }) => url === 'http://a.test/b') ?? assert.fail();
    assert.equal(mica.title, 'Слюда 😀');
    assert.ok(mica.passage.some(({ text, hit }) => hit && text === 'splits'));
    assert.deepEqual(await client.fetch({ hits: [], groups: [], passageLength: 0 }), []);
    const stray = { ...(hits[0] ?? assert.fail()), key: keyOf('http://gone.test/') };
    const gone = client.fetch({ hits: [stray], groups: [], passageLength: 0 });
    await assert.rejects(gone, { code: 'SHARDS_PAGE_GONE' });
  });

  it('names the terms with a prefix, by the frequencies of the epoch', async () => {
    const { client } = few();
    const { epoch } = await client.statistics();
    const expand = (prefixes: readonly string[], limit: number) => client.expand({ epoch, prefixes, limit });
    assert.deepEqual(await expand(['s', 'split', 'nothing', 'сл'], 10), [
      ['split', 'stone'],
      ['split'],
      [],
      ['слюда'],
    ]);
    assert.deepEqual(await expand(['s'], 1), [['split']]);
    assert.deepEqual(await expand([], 1), []);
    const unknown = client.expand({ epoch: epochNumber(epoch + 7), prefixes: ['s'], limit: 1 });
    await assert.rejects(unknown, { code: 'SHARDS_UNKNOWN_EPOCH' });
  });

  it('gives stored pages and explains scores', async () => {
    const { client } = few();
    assert.deepEqual(await client.page(keyOf('id:marble%201')), {
      url: 'id:marble%201',
      title: '',
      text: 'Marble takes a polish.',
      lang: 'de',
      type: 'text/html',
      fetchedAtMs: 1000,
    });
    assert.equal(await client.page(keyOf('http://nowhere.test/')), undefined);
    const plan = await planOf(client, { optional: ['split', 'granit'] });
    for (const hit of await hitsOf(client, plan)) {
      const explanation = await client.explain(plan, hit.key);
      assert.equal(explanation?.value, hit.score);
      assert.ok((explanation?.parts?.length ?? 0) > 0);
    }
    assert.equal(await client.explain(plan, keyOf('http://nowhere.test/')), undefined);
  });

  it('gives the epoch in force, follows new ones, keeps two', async (context) => {
    const folder = await tempFolder(context);
    const index = await writeSmallIndex(folder, fewPages);
    const { client, reload } = await open(context, index);
    const first = await client.statistics();
    assert.deepEqual([first.epoch, first.docCount, first.documentFrequency('split')], [1, 3, 2]);
    assert.equal((await client.statistics()).documentFrequency('absent'), 0);
    assert.deepEqual((await client.status()).epochs, [1]);
    await writeSmallIndex(folder, fewPages.slice(0, 2));
    await reload();
    const second = await client.statistics();
    assert.deepEqual([second.epoch, second.docCount], [2, 2]);
    assert.equal((await client.statistics(epochNumber(1))).docCount, 3);
    const status = await client.status();
    assert.deepEqual([status.generation, status.epoch, status.epochs], [2, 2, [2, 1]]);
    await writeSmallIndex(folder, fewPages);
    await reload();
    await assert.rejects(client.search(requestOf({ ...(await planOf(client, {})), epoch: epochNumber(1) })), {
      code: 'SHARDS_UNKNOWN_EPOCH',
    });
  });

  it('counts its shards and takes an epoch in', async () => {
    const { client, index } = few();
    const counted = await client.contributions([]);
    assert.deepEqual(
      counted.map(({ shard }) => shard),
      [0, 1],
    );
    assert.ok(counted.every(({ bytes }) => (bytes?.length ?? 0) > 0));
    const again = await client.contributions(counted.map(({ shard, version }) => ({ shard, version })));
    assert.deepEqual(
      again,
      counted.map(({ shard, version }) => ({ shard, version, bytes: undefined })),
    );
    const bytes = await readEpochBytes(index.statsFolder, epochNumber(1));
    await client.stage(bytes);
    assert.equal((await client.statistics()).epoch, decodeEpoch(bytes, 'it').epoch);
    await assert.rejects(client.stage(bytes.subarray(0, bytes.length - 1)), { code: 'SHARDS_FILE_CORRUPT' });
  });

  it('says what it serves: some shards only', async (context) => {
    const index = await writeSmallIndex(await tempFolder(context), manyPages, { shardCount: 4 });
    const { client } = await open(context, index, [1, 3]);
    const { shards, analyser } = await client.status();
    assert.equal(analyser, 'default');
    assert.deepEqual(
      shards.map(({ shard }) => shard),
      [1, 3],
    );
    assert.ok(
      shards.every(({ docCount, bytes, segmentCount }) => docCount > 0 && bytes > 0 && segmentCount > 0),
    );
    const { shards: answers } = await client.search(requestOf(await planOf(client, { optional: ['stone'] })));
    assert.deepEqual(
      answers.map(({ shard }) => shard),
      [1, 3],
    );
  });

  it('a budget of nothing gives truncated answers', async () => {
    const { client } = many();
    const plan = await planOf(client, { optional: ['stone'] });
    const { shards } = await client.search(requestOf(plan, { budgetMs: -1 }));
    assert.deepEqual(
      shards.map(({ status, total }) => [status, total.relation]),
      shards.map(() => ['truncated', 'gte']),
    );
  });

  it('a signal that is aborted, before or while it works', async () => {
    const { client } = many();
    const request = requestOf(await planOf(client, { optional: ['stone'] }));
    await assert.rejects(client.search(request, AbortSignal.abort(new Error('enough'))), /enough/);
    const controller = new AbortController();
    const outcome = client.search(request, controller.signal).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    controller.abort(new Error('changed my mind'));
    assert.ok(['answered', 'changed my mind'].includes(await outcome));
    assert.equal((await client.search(request)).shards.length, 3, 'it still works');
  });

  it('closed twice, then refuses', async (context) => {
    const index = await writeSmallIndex(await tempFolder(context), fewPages);
    const { client } = await open(context, index);
    await client.status();
    await client.close();
    await client.close();
    await assert.rejects(client.status(), { code: 'SHARDS_NODE_CLOSED' });
    await assert.rejects(client.page(keyOf('http://a.test/')), { code: 'SHARDS_NODE_CLOSED' });
  });
};
