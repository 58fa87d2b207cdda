import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { type BrokerOptions, createBroker } from '../../../query/broker/broker.ts';
import type { SearchAnswer, ShardClient } from '../../../shards/index.ts';
import { FakeNode, type FakePage, plainAnalyser } from '../../helpers/fake-node.ts';
import { HandClock } from '../../helpers/hand-clock.ts';

const pages: FakePage[] = [
  { url: 'https://fruit.example/apple', title: 'Apples', text: 'red apples and green apples grow on trees' },
  { url: 'https://fruit.example/pear', title: 'Pears', text: 'pears grow on trees' },
  { url: 'https://www.fruit.example/pie', title: 'Apple pie', text: 'bake an apple pie' },
  { url: 'https://cars.example/red', title: 'Red cars', text: 'a red car' },
  { url: 'id:note%201', text: 'apples without a web page' },
];

const brokerOver = (nodes: readonly ShardClient[], more: Partial<BrokerOptions> = {}) =>
  createBroker({ nodes, analyser: plainAnalyser, ...more });
const urls = (answer: { readonly hits: readonly { readonly url: string }[] }) =>
  answer.hits.map(({ url }) => url);

/** A node whose search does as told. */
const nodeThat = (node: FakeNode, search: ShardClient['search']): ShardClient => ({
  search,
  fetch: (request) => node.fetch(request),
  page: (key) => node.page(key),
  explain: (plan, key) => node.explain(plan, key),
  expand: (request) => node.expand(request),
  statistics: () => node.statistics(),
  contributions: () => node.contributions(),
  stage: () => node.stage(),
  status: () => node.status(),
  close: () => node.close(),
});
const never = () => new Promise<SearchAnswer>(() => undefined);
const broken = () => Promise.reject(new Error('connection reset'));

describe('broker: an answer', () => {
  it('has every part of an answer, the readings and warnings too', async () => {
    const answer = await brokerOver([new FakeNode({ pages, shards: [0, 1] })]).search({
      q: 'site:fruit.example “apple pie',
    });
    assert.deepEqual(Object.keys(answer).sort(), [
      'coverage',
      'epoch',
      'hits',
      'interpreted',
      'missing',
      'partial',
      'query',
      'shards',
      'tiers',
      'took',
      'total',
      'warnings',
    ]);
    assert.equal(answer.query, 'site:fruit.example “apple pie');
    assert.equal(answer.interpreted, 'site:fruit.example "apple pie"');
    assert.deepEqual(
      answer.warnings.map(({ code }) => code),
      ['unbalanced_quote'],
    );
    assert.deepEqual(answer.total, { value: 1, relation: 'eq' });
    assert.deepEqual(answer.shards, { total: 2, ok: 2, truncated: 0, failed: 0, timedOut: 0 });
    assert.deepEqual(answer.coverage, { docs: 5, total: 5 });
    assert.equal(answer.partial, false);
    const [hit] = answer.hits;
    assert.ok(hit);
    assert.ok(Number.isInteger(hit.score) && hit.score > 0);
    assert.deepEqual(
      { ...hit, score: 0 },
      {
        url: 'https://www.fruit.example/pie',
        title: 'Apple pie',
        snippet: [
          { text: 'bake an ', hit: false },
          { text: 'apple', hit: true },
          { text: ' ', hit: false },
          { text: 'pie', hit: true },
          { text: '', hit: false },
        ],
        score: 0,
        site: 'www.fruit.example',
        lang: 'en',
        type: 'text/html',
        fetchedAt: '2026-01-02T03:04:05.000Z',
      },
    );
  });

  it('is the same from one node with one shard and from three nodes with many', async () => {
    const many = Array.from(
      { length: 60 },
      (_, index): FakePage => ({
        url: `https://h${index % 7}.example/${index}`,
        text: ['apple', 'pear apple', 'pear', 'fig pear apple apple'][index % 4] ?? '',
      }),
    );
    const one = brokerOver([new FakeNode({ pages: many })]);
    const parts = [0, 1, 2].map((part) => many.filter((_, index) => index % 3 === part));
    const three = brokerOver(
      parts.map(
        (part, index) => new FakeNode({ pages: part, allPages: many, shards: [2 * index, 2 * index + 1] }),
      ),
    );
    for (const q of ['apple', 'pear fig', '"pear apple"', 'pear -apple', 'site:h1.example']) {
      for (const from of [0, 7, 50]) {
        const [a, b] = await Promise.all([one.search({ q, from }), three.search({ q, from })]);
        assert.deepEqual(b.hits, a.hits);
        assert.deepEqual(b.total, a.total);
        assert.ok(a.hits.length <= 10);
      }
    }
  });

  it('pages without gaps or repeats', async () => {
    const same = Array.from(
      { length: 45 },
      (_, index): FakePage => ({ url: `https://a.example/${index}`, text: 'apple' }),
    );
    const broker = brokerOver([new FakeNode({ pages: same, shards: [0, 1, 2] })]);
    const all = urls(await broker.search({ q: 'apple', k: 45 }));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (k) => {
        const paged: string[] = [];
        for (let from = 0; from < 45; from += k)
          paged.push(...urls(await broker.search({ q: 'apple', k, from })));
        assert.deepEqual(paged, all);
      }),
      { numRuns: 10 },
    );
  });

  it('counts only with k 0, leaves passages out on request, explains on request', async () => {
    const node = new FakeNode({ pages });
    const broker = brokerOver([node]);
    const counted = await broker.search({ q: 'apples', k: 0 });
    assert.deepEqual([counted.hits.length, counted.total.value, node.fetchCount], [0, 3, 0]);
    const plain = await broker.search({ q: 'apples', snippet: false });
    assert.deepEqual(
      plain.hits.map(({ snippet }) => snippet),
      [[], [], []],
    );
    const explained = await broker.search({ q: 'apples', explain: true });
    for (const hit of explained.hits) assert.equal(hit.explanation?.value, hit.score);
  });

  it('stands without its score trees when a node cannot explain, and says that it is partial', async () => {
    const node = new FakeNode({ pages });
    const clock = new HandClock();
    for (const explain of [() => Promise.reject(new Error('connection reset')), async () => undefined]) {
      const broker = brokerOver([{ ...nodeThat(node, (request) => node.search(request)), explain }], {
        clock,
      });
      const answer = await broker.search({ q: 'apples', explain: true });
      assert.deepEqual([answer.hits.length, answer.partial], [3, true]);
      assert.ok(answer.hits.every(({ explanation }) => explanation === undefined));
    }
  });

  it('asks each node once for search and once for pages', async () => {
    const nodes = [0, 1].map((part) => {
      const own = pages.filter((_, index) => index % 2 === part);
      return new FakeNode({ pages: own, allPages: pages, shards: [part * 3, part * 3 + 1, part * 3 + 2] });
    });
    await brokerOver(nodes).search({ q: 'red apples' });
    assert.deepEqual(
      nodes.map(({ requests, fetchCount }) => [requests.length, fetchCount]),
      [
        [1, 1],
        [1, 1],
      ],
    );
  });

  it('loosens a cut word that no page holds as typed', async () => {
    const broker = brokerOver([new FakeNode({ pages })]);
    const exact = await broker.search({ q: 'apple-pie' });
    assert.deepEqual([urls(exact), exact.warnings], [['https://www.fruit.example/pie'], []]);
    const loose = await broker.search({ q: 'pie-apple' });
    assert.deepEqual(
      loose.warnings.map(({ code }) => code),
      ['loosened'],
    );
    assert.equal(loose.hits.length, 3);
    assert.deepEqual((await broker.search({ q: 'x-y' })).warnings, []);
  });

  it('answers a query without anything to find, and says why, without asking a shard', async () => {
    const node = new FakeNode({ pages });
    const answer = await brokerOver([node]).search({ q: '-apple' });
    assert.deepEqual(
      answer.warnings.map(({ code }) => code),
      ['only_exclusions'],
    );
    assert.deepEqual([answer.hits, answer.total, answer.partial], [[], { value: 0, relation: 'eq' }, false]);
    assert.equal(node.requests.length, 0);
  });

  it('refuses ranges outside the first 1,100 results', async () => {
    const broker = brokerOver([new FakeNode({ pages })]);
    for (const range of [{ k: -1 }, { from: -1 }, { k: 101, from: 1000 }, { k: 1.5 }]) {
      await assert.rejects(broker.search({ q: 'apple', ...range }), { code: 'QUERY_BAD_RANGE' });
    }
    assert.equal((await broker.search({ q: 'apple', k: 100, from: 1000 })).hits.length, 0);
  });

  it('shows one of two copies of a page', async () => {
    const nodes = [0, 1].map((shard) => new FakeNode({ pages, shards: [shard] }));
    const answer = await brokerOver(nodes).search({ q: 'red car', k: 1 });
    assert.deepEqual(urls(answer), ['https://cars.example/red']);
    const all = await brokerOver(nodes).search({ q: 'red car' });
    assert.deepEqual(urls(all), ['https://cars.example/red', 'https://fruit.example/apple']);
    assert.deepEqual(all.total, { value: 2, relation: 'eq' });
  });
});

describe('broker: shards that fail', () => {
  const half = (part: number) =>
    new FakeNode({
      pages: pages.filter((_, index) => index % 2 === part),
      allPages: pages,
      shards: [part * 2, part * 2 + 1],
    });

  it('marks an answer partial when a node fails, and says how much is missing', async () => {
    const answer = await brokerOver([half(0), nodeThat(half(1), broken)]).search({ q: 'apples' });
    assert.equal(answer.partial, true);
    assert.deepEqual(answer.shards, { total: 4, ok: 2, truncated: 0, failed: 2, timedOut: 0 });
    assert.deepEqual(answer.missing, [
      { shard: 2, status: 'failed' },
      { shard: 3, status: 'failed' },
    ]);
    assert.deepEqual(answer.coverage, { docs: 3, total: 5 });
    assert.deepEqual(answer.total, { value: 3, relation: 'gte' });
  });

  it('leaves a late node out after the deadline and aborts its request', async () => {
    const clock = new HandClock();
    let aborted = false;
    const late = nodeThat(half(1), (_, signal) => {
      signal?.addEventListener('abort', () => {
        aborted = true;
      });
      return never();
    });
    const asked = brokerOver([half(0), late], { clock, config: { timeoutMs: 500 } }).search({ q: 'apples' });
    while (clock.sleeperCount === 0) await nextTurn();
    await nextTurn();
    clock.advance(500);
    const answer = await asked;
    assert.deepEqual(answer.shards, { total: 4, ok: 2, truncated: 0, failed: 0, timedOut: 2 });
    assert.equal(answer.partial, true);
    assert.equal(answer.took.search, 500);
    assert.equal(aborted, true);
  });

  it('tells truncated shards apart', async () => {
    const node = half(0);
    const hurried = nodeThat(node, async (request) => {
      const answer = await node.search(request);
      return {
        ...answer,
        shards: answer.shards.map((shard) => ({ ...shard, status: 'truncated' as const })),
      };
    });
    const answer = await brokerOver([hurried]).search({ q: 'apples' });
    assert.deepEqual(answer.shards, { total: 2, ok: 0, truncated: 2, failed: 0, timedOut: 0 });
    assert.deepEqual([answer.partial, answer.total.relation, answer.hits.length], [true, 'gte', 3]);
  });

  it('throws when no shard answers, with the first reason', async () => {
    await assert.rejects(brokerOver([nodeThat(half(0), broken)]).search({ q: 'apples' }), {
      code: 'QUERY_NO_SHARD',
      message: /connection reset/,
    });
    await assert.rejects(brokerOver([]).search({ q: 'apples' }), { code: 'QUERY_NO_SHARD' });
  });

  it('misses a node that went down later with the shards last known of it', async () => {
    const node = half(1);
    let down = false;
    const flaky: ShardClient = {
      ...nodeThat(node, (request) => (down ? broken() : node.search(request))),
      status: () => (down ? Promise.reject(new Error('gone')) : node.status()),
    };
    const broker = brokerOver([half(0), flaky], { config: { viewMaxAgeMs: 0 } });
    assert.equal((await broker.search({ q: 'apples' })).partial, false);
    down = true;
    const answer = await broker.search({ q: 'apples' });
    assert.deepEqual([answer.partial, answer.shards.failed, answer.coverage.total], [true, 2, 5]);
  });

  it('asks again when a generation closed between search and pages', async () => {
    const node = new FakeNode({ pages });
    let fetches = 0;
    const moving: ShardClient = {
      ...nodeThat(node, (request) => node.search(request)),
      fetch: async (request) => {
        fetches += 1;
        if (fetches === 1) throw new Error('generation 1 is closed');
        return node.fetch(request);
      },
    };
    const answer = await brokerOver([moving]).search({ q: 'apples' });
    assert.deepEqual([fetches, answer.hits.length, answer.partial], [2, 3, false]);
  });

  it('is partial when pages stay away', async () => {
    const node = new FakeNode({ pages });
    const silent: ShardClient = {
      ...nodeThat(node, (request) => node.search(request)),
      fetch: () => Promise.reject(new Error('no pages')),
    };
    const answer = await brokerOver([silent]).search({ q: 'apples' });
    assert.deepEqual([answer.hits.length, answer.partial, answer.total.relation], [0, true, 'gte']);
  });

  it('stops when the caller gives up', async () => {
    const gone = new AbortController();
    const asked = brokerOver([nodeThat(half(0), never)]).search({ q: 'apples', signal: gone.signal });
    setTimeout(() => gone.abort(new Error('the person left')), 5);
    await assert.rejects(asked, /the person left/);
  });
});

describe('broker: cache', () => {
  it('repeats a complete answer until epoch, generation or commit change', async () => {
    const node = new FakeNode({ pages });
    const broker = brokerOver([node], { config: { viewMaxAgeMs: 0 } });
    const first = await broker.search({ q: 'apples' });
    const again = await broker.search({ q: ' apples ' });
    assert.equal(node.requests.length, 1);
    assert.deepEqual({ ...again, query: '', took: 0 }, { ...first, query: '', took: 0 });
    assert.equal(again.query, ' apples ');
    node.epoch = 2;
    assert.equal((await broker.search({ q: 'apples' })).epoch, 2);
    node.generation = 2;
    await broker.search({ q: 'apples' });
    await broker.search({ q: 'apples', k: 5 });
    await broker.search({ q: 'apples', from: 1 });
    assert.equal(node.requests.length, 5);
    node.commit = 2;
    await broker.search({ q: 'apples' });
    await broker.search({ q: 'apples' });
    assert.equal(node.requests.length, 6);
  });

  it('never keeps a partial answer', async () => {
    const node = new FakeNode({ pages });
    let calls = 0;
    const failing = nodeThat(new FakeNode({ pages, shards: [9] }), () => {
      calls += 1;
      return broken();
    });
    const broker = brokerOver([node, failing]);
    await broker.search({ q: 'apples' });
    await broker.search({ q: 'apples' });
    assert.equal(calls, 2);
  });

  it('forgets the least recently asked first', async () => {
    const node = new FakeNode({ pages });
    const broker = brokerOver([node], { config: { cacheEntries: 2 } });
    for (const q of ['red', 'car', 'red', 'pie', 'red', 'car']) await broker.search({ q });
    assert.equal(node.requests.length, 4);
  });
});

describe('broker: pages and overview', () => {
  it('finds the stored copy of a page under its URL, however a person writes it', async () => {
    const broker = brokerOver([new FakeNode({ pages: [] }), new FakeNode({ pages })]);
    assert.equal((await broker.page('HTTPS://Fruit.example/pear#top'))?.title, 'Pears');
    assert.equal((await broker.page('id:note%201'))?.text, 'apples without a web page');
    assert.equal(await broker.page('https://fruit.example/none'), undefined);
    assert.equal(await broker.page('not a url'), undefined);
  });

  it('tells what the index holds, and closes the nodes with itself', async () => {
    const nodes = [new FakeNode({ pages, shards: [0, 1] })];
    const broker = brokerOver(nodes);
    const overview = await broker.overview();
    assert.deepEqual(
      [overview.epoch, overview.docCount, overview.languages],
      [1, 5, [{ lang: 'en', docCount: 5 }]],
    );
    assert.deepEqual(
      overview.nodes.map(({ shards }) => shards.length),
      [2],
    );
    await broker.close();
    assert.equal(nodes[0]?.closed, true);
  });
});
