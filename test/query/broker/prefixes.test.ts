import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type BrokerOptions, createBroker, type QueryMode } from '../../../query/index.ts';
import {
  createAnalyser,
  inverseDocumentFrequency,
  openNode,
  type QueryPlan,
  type ShardClient,
  termWeight,
  urlKey,
} from '../../../shards/index.ts';
import { trustNormalUrl } from '../../../shards/values/ids.ts';
import { FakeNode, plainAnalyser } from '../../helpers/fake-node.ts';
import { connectTest, startShardServer } from '../../helpers/shard-servers.ts';
import { type SmallPage, writeSmallIndex } from '../../helpers/small-index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { requestOf } from '../../helpers/word-plans.ts';

const WORDS = [
  'in',
  'index',
  'indexes',
  'inn',
  'inner',
  'Österreich',
  'osterhase',
  'pg_file',
  'pg_find',
  'rock',
];

/** Words in uneven numbers; several segments of a shard. */
const pages: readonly SmallPage[] = Array.from({ length: 150 }, (_, index) => ({
  url: `http://h${index % 4}.test/${index}`,
  title: WORDS[(index * 3) % 7] ?? '',
  text: WORDS.filter((_word, at) => (index * 7 + at * 5) % (at + 2) === 0)
    .join(' ')
    .repeat(1 + (index % 2)),
}));

const openShards = async (context: TestContext, shardCount: number): Promise<ShardClient> => {
  const index = await writeSmallIndex(await tempFolder(context), pages, { shardCount, memoryBytes: 60_000 });
  const node = await openNode({ ...index, pollMs: 0 });
  context.after(() => node.close());
  return node;
};

const hitsOf = async (
  node: ShardClient,
  q: string,
  mode: QueryMode = 'auto',
  more: BrokerOptions['config'] = {},
) => {
  const broker = createBroker({ nodes: [node], config: more });
  const { hits, total, warnings, partial } = await broker.search({ q, k: 100, mode, snippet: false });
  return {
    hits: hits.map(({ url, score }) => ({ url, score })),
    total,
    codes: warnings.map(({ code }) => code),
    partial,
  };
};

const analyser = createAnalyser('default');
const termsOfPage = ({ title = '', text }: SmallPage): Set<string> =>
  new Set([title, text].flatMap((part) => analyser.analyse(part, 'en').map(({ term }) => term)));
const pageTerms = pages.map(termsOfPage);

/** What a prefix stands for by looking at every page: its own terms, then those of most pages that begin so. */
const expandSlowly = (text: string, limit: number): string[] => {
  const prefix = analyser.prefixOf(text);
  const frequency = (term: string): number => pageTerms.filter((terms) => terms.has(term)).length;
  const all = [...new Set(pageTerms.flatMap((terms) => [...terms]))].filter((term) =>
    term.startsWith(prefix),
  );
  all.sort((a, b) => frequency(b) - frequency(a) || (a < b ? -1 : 1));
  const words = analyser.analyseQuery(text, ['en']);
  const own = words.filter(({ start, end }) => end - start === text.length).flatMap(({ terms }) => terms);
  return [...new Set([...own, ...all.slice(0, limit)])];
};

/** The plan of one prefix alone, evaluated without any skipping. */
const searchSlowly = async (node: ShardClient, text: string, limit: number) => {
  const statistics = await node.statistics();
  const terms = expandSlowly(text, limit);
  const sum = terms.reduce((all, term) => all + statistics.documentFrequency(term), 0);
  const idf = inverseDocumentFrequency(pages.length, Math.min(pages.length, Math.max(1, sum)));
  const nothing = {
    required: [],
    phrases: [],
    excluded: [],
    excludedPhrases: [],
    sites: [],
    excludedSites: [],
  };
  const plan: QueryPlan = {
    epoch: statistics.epoch,
    ...nothing,
    optional: [{ terms, weight: termWeight(idf, 1) }],
  };
  const { shards } = await node.search(requestOf(plan, { k: 100, evaluation: 'exhaustive' }));
  const urls = new Map(pages.map(({ url }) => [urlKey(trustNormalUrl(url)), url]));
  return shards
    .flatMap(({ hits }) => hits)
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .map(({ key, score }) => ({ url: urls.get(key) ?? '', score }));
};

test('a prefix finds over 1, 4 and 16 shards what looking at every page finds, score for score', async (context) => {
  const nodes = await Promise.all([1, 4, 16].map((shardCount) => openShards(context, shardCount)));
  const [one = assert.fail()] = nodes;
  const prefix = fc.constantFrom(
    'in',
    'ind',
    'index',
    'indexes',
    'inne',
    'ost',
    'Öst',
    'pg_',
    'pg_fi',
    'absent',
  );
  await fc.assert(
    fc.asyncProperty(prefix, fc.constantFrom(1, 2, 3, 64), async (text, maxPrefixTerms) => {
      const expected = await searchSlowly(one, text, maxPrefixTerms);
      for (const node of nodes) {
        const { hits, codes, partial } = await hitsOf(node, `${text}*`, 'auto', { maxPrefixTerms });
        assert.deepEqual(hits, expected);
        assert.equal(
          codes.includes('prefix_cut'),
          expandSlowly(text, 99).length > expandSlowly(text, maxPrefixTerms).length,
        );
        assert.equal(partial, false);
      }
    }),
    { numRuns: 30 },
  );
});

test('prefixes beside words, phrases and exclusions give the same over any number of shards, here and elsewhere', async (context) => {
  const [one, four] = await Promise.all([openShards(context, 1), openShards(context, 4)]);
  const index = await writeSmallIndex(await tempFolder(context), pages, { shardCount: 8 });
  const served = await openNode({ ...index, pollMs: 0 });
  context.after(() => served.close());
  const { port } = await startShardServer(context, { node: served });
  const remote = connectTest(context, port);
  const queries = [
    'rock ind*',
    'ind* -inn*',
    '"index rock" os*',
    'in* pg_* site:h1.test',
    '-in*',
    '東京*',
    'i*',
  ];
  for (const q of queries) {
    for (const mode of ['auto', 'or', 'and', 'phrase'] as const) {
      const expected = await hitsOf(one, q, mode);
      assert.deepEqual(await hitsOf(four, q, mode), expected, q);
      assert.deepEqual(await hitsOf(remote, q, mode), expected, q);
    }
  }
  assert.deepEqual((await hitsOf(one, 'e-zz* site:h1.test')).hits, []);
  assert.ok((await hitsOf(one, 'ind* -inn*')).hits.length > 0);
});

test('a node that names no terms makes the answer partial, and the others are searched for theirs', async () => {
  const fruit = ['apple', 'apricot'].map((text) => ({ url: `https://fruit.example/${text}`, text }));
  const good = new FakeNode({ pages: fruit });
  const dumb = new FakeNode({
    pages: [{ url: 'https://fruit.example/avocado', text: 'apple avocado' }],
    shards: [1],
  });
  dumb.expand = () => Promise.reject(new Error('connection reset'));
  const broker = createBroker({ nodes: [good, dumb], analyser: plainAnalyser });
  const answer = await broker.search({ q: 'ap*' });
  assert.deepEqual([answer.hits.length, answer.partial, answer.total.relation], [3, true, 'gte']);
  dumb.expand = async () => [['avocado']];
  assert.equal((await broker.search({ q: 'ap*' })).partial, false);
});
