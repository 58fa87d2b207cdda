import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BrokerOptions, createBroker } from '../../../query/index.ts';
import { failShards } from '../../../shards/errors.ts';
import {
  type EpochNumber,
  epochNumber,
  type IndexStatistics,
  type SearchRequest,
  type ShardAnswer,
  type ShardClient,
  type ShardHit,
  trustUrlKey,
} from '../../../shards/index.ts';
import { FakeNode, type FakePage, plainAnalyser } from '../../helpers/fake-node.ts';

const pages: FakePage[] = Array.from({ length: 12 }, (_, index) => ({
  url: `https://fruit.example/${index}`,
  text: index < 4 ? 'fresh apple' : 'apple',
}));

const brokerOver = (nodes: readonly ShardClient[], config: BrokerOptions['config'] = {}) =>
  createBroker({ nodes, analyser: plainAnalyser, config: { cacheEntries: 0, viewMaxAgeMs: 0, ...config } });

/** A node that keeps the epochs given, newest first, and refuses queries under others. */
class EpochNode extends FakeNode {
  epochs: EpochNumber[];
  statisticsCount = 0;
  /** Words that epochs do not know, whatever its pages hold. */
  unknownWords: readonly string[] = [];

  constructor(epochs: readonly number[], own: readonly FakePage[] = pages) {
    super({ pages: own, allPages: pages });
    this.epochs = epochs.map(epochNumber);
  }

  override async statistics(epoch?: EpochNumber): Promise<IndexStatistics> {
    this.statisticsCount += 1;
    const statistics = await super.statistics();
    return {
      ...statistics,
      epoch: epoch ?? (this.epochs[0] as EpochNumber),
      documentFrequency: (term) =>
        this.unknownWords.includes(term) ? 0 : statistics.documentFrequency(term),
    };
  }

  override async search(request: SearchRequest) {
    const { epoch } = request.plan;
    if (!this.epochs.includes(epoch)) throw failShards('SHARDS_UNKNOWN_EPOCH', { folder: 'x', epoch });
    const answer = await super.search(request);
    const { frequenciesOf = [] } = request;
    const statistics = await super.statistics();
    const frequencies = frequenciesOf.map((term) => statistics.documentFrequency(term));
    return { ...answer, shards: answer.shards.map((shard) => ({ ...shard, frequencies })) };
  }

  override async status() {
    return { ...(await super.status()), epoch: this.epochs[0] as EpochNumber, epochs: this.epochs };
  }
}

test('an epoch is taken up once every node that answers has it', async () => {
  const nodes = [new EpochNode([3, 2]), new EpochNode([2, 1])];
  const broker = brokerOver(nodes);
  assert.equal((await broker.search({ q: 'apple' })).epoch, 2);
  assert.deepEqual(
    nodes.map(({ requests }) => requests.at(-1)?.plan.epoch),
    [2, 2],
  );
  nodes[1]!.epochs = [epochNumber(3), epochNumber(2)];
  assert.equal((await broker.search({ q: 'apple' })).epoch, 3);
});

test('an epoch is asked for once, however many nodes and looks there are', async () => {
  const nodes = [new EpochNode([2, 1]), new EpochNode([2, 1])];
  const broker = brokerOver(nodes);
  for (let times = 0; times < 5; times++) await broker.search({ q: 'apple' });
  assert.equal(nodes[0]!.statisticsCount + nodes[1]!.statisticsCount, 2);
});

test('a node that does not know the epoch after all: all are asked again under the one before', async () => {
  const nodes = [new EpochNode([3, 2]), new EpochNode([3, 2])];
  const broker = brokerOver(nodes, { viewMaxAgeMs: 60_000, cacheEntries: 10 });
  await broker.overview();
  nodes[1]!.epochs = [epochNumber(2)];
  const answer = await broker.search({ q: 'apple' });
  assert.equal(answer.epoch, 2);
  assert.equal(answer.partial, false);
  assert.deepEqual(
    nodes.map(({ requests }) => requests.map(({ plan }) => plan.epoch)),
    [[3, 2], [2]],
  );
  nodes[1]!.epochs = [epochNumber(1)];
  const lame = await broker.search({ q: 'apple' });
  assert.equal(lame.partial, true);
  assert.deepEqual(lame.shards, { total: 2, ok: 1, truncated: 0, failed: 1, timedOut: 0 });
});

test('a word that the epoch does not know weighs by what the shards hold, as if the epoch knew it', async () => {
  const split = [pages.slice(0, 3), pages.slice(3)].map((own) => new EpochNode([1], own));
  for (const node of split) node.unknownWords = ['fresh'];
  // Each FakeNode counts over all pages: halve what two of them say by letting one say nothing.
  split[1]!.search = async (request) => {
    const answer = await FakeNode.prototype.search.call(split[1], request);
    return { ...answer, shards: answer.shards.map((shard) => ({ ...shard, frequencies: [0] })) };
  };
  const broker = brokerOver(split);
  const known = brokerOver([new EpochNode([1])]);
  const shown = ({ hits }: { readonly hits: readonly { url: string; score: number }[] }) =>
    hits.map(({ url, score }) => ({ url, score }));
  const expected = shown(await known.search({ q: 'fresh apple' }));
  assert.deepEqual(shown(await broker.search({ q: 'fresh apple' })), expected);
  assert.equal(split[0]!.requests.length, 2);
  await broker.search({ q: 'fresh apple' });
  assert.equal(split[0]!.requests.length, 3, 'it is remembered');
});

test('overview - tells how far the words searched for have moved', async () => {
  const node = new EpochNode([1]);
  const broker = brokerOver([node]);
  assert.equal((await broker.overview()).drift.frequencies, undefined);
  await broker.search({ q: 'apple' });
  assert.equal((await broker.overview()).drift.frequencies, 0);
});

/** A shard with matches in two tiers, by number. */
const tieredNode = (shard: number, counts: { readonly high: number; readonly low: number }): ShardClient => {
  const node = new FakeNode({ pages, shards: [shard] });
  const hitsOf = (tier: 'high' | 'low'): ShardHit[] =>
    Array.from({ length: counts[tier] }, (_, doc) => ({
      key: trustUrlKey(BigInt(1000 * shard + doc + (tier === 'low' ? 500 : 0))),
      score: (tier === 'high' ? 1000 : 400) - doc,
      shard,
      segment: 0,
      doc,
    }));
  node.search = async (request) => {
    node.requests.push(request);
    const { tiers = 'guaranteed', k } = request;
    const hits = [...(tiers === 'low' ? [] : hitsOf('high')), ...(tiers === 'upper' ? [] : hitsOf('low'))];
    const answer: ShardAnswer = {
      shard,
      status: 'ok',
      hits: hits.slice(0, k),
      total: { value: hits.length, relation: 'eq' },
      docCount: 12,
      lowTier: tiers === 'upper' ? 'skipped' : 'searched',
    };
    return { shards: [answer], queueMs: 0, searchMs: 0 };
  };
  return node;
};
const askedOf = (node: ShardClient) => (node as FakeNode).requests.map(({ tiers }) => tiers);

test('tier=count - the low tiers are asked only when the others have too few over all shards', async () => {
  const nodes = [tieredNode(0, { high: 2, low: 3 }), tieredNode(1, { high: 3, low: 1 })];
  const broker = brokerOver(nodes);
  const enough = await broker.search({ q: 'apple', k: 5, tier: 'count' });
  assert.deepEqual(enough.tiers, { high: 'searched', low: 'skipped', exact: false });
  assert.deepEqual(enough.total, { value: 5, relation: 'gte' });
  assert.deepEqual(nodes.map(askedOf), [['upper'], ['upper']]);
  const tooFew = await broker.search({ q: 'apple', k: 6, tier: 'count' });
  assert.deepEqual(nodes.map(askedOf), [
    ['upper', 'upper', 'low'],
    ['upper', 'upper', 'low'],
  ]);
  assert.deepEqual(tooFew.tiers, { high: 'searched', low: 'searched', exact: true });
  assert.deepEqual(tooFew.total, { value: 9, relation: 'eq' });
  assert.deepEqual(
    tooFew.hits.map(({ score }) => score),
    [1000, 1000, 999, 999, 998, 400],
  );
  const all = await broker.search({ q: 'apple', k: 6 });
  assert.deepEqual(all.hits, tooFew.hits);
  assert.deepEqual(all.tiers, { high: 'searched', low: 'searched', exact: true });
});

test('tier=high - never asks the low tier; tier=all always', async () => {
  const node = tieredNode(0, { high: 1, low: 5 });
  const broker = brokerOver([node]);
  const high = await broker.search({ q: 'apple', tier: 'high' });
  assert.deepEqual([high.hits.length, high.tiers.low, high.tiers.exact], [1, 'skipped', false]);
  await broker.search({ q: 'apple', tier: 'all' });
  assert.deepEqual(askedOf(node), ['upper', 'all']);
});

test('tier=count - a shard that fails in the second round makes the answer partial', async () => {
  const node = tieredNode(0, { high: 1, low: 5 });
  const upper = node.search.bind(node);
  node.search = async (request) => {
    if (request.tiers === 'low') throw new Error('connection reset');
    return upper(request);
  };
  const answer = await brokerOver([node, tieredNode(1, { high: 1, low: 1 })]).search({
    q: 'apple',
    tier: 'count',
  });
  assert.equal(answer.partial, true);
  assert.equal(answer.shards.failed, 1);
});
