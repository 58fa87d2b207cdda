import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type LocalNode, openNode } from '../../../shards/server/local-node.ts';
import type { ShardClient } from '../../../shards/server/shard-client.ts';
import { type RefresherOptions, StatisticsRefresher } from '../../../shards/server/statistics-refresher.ts';
import { listEpochs, readEpochBytes } from '../../../shards/statistics/epochs.ts';
import { publishStatistics } from '../../../shards/statistics/publish-statistics.ts';
import { epochNumber } from '../../../shards/values/ids.ts';
import { HandClock } from '../../helpers/hand-clock.ts';
import { type SmallPage, writeSmallIndex } from '../../helpers/small-index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const pagesOf = (count: number, word = 'stone'): SmallPage[] =>
  Array.from({ length: count }, (_, index) => ({ url: `http://h.test/${index}`, text: `${word} page` }));

/** Two shards, each on its own node; epochs lie apart from those that the index publishes by itself. */
const openPair = async (context: TestContext, pages: readonly SmallPage[], clock = new HandClock()) => {
  const folder = await tempFolder(context);
  const { shardsFolder } = await writeSmallIndex(folder, pages, { shardCount: 2 });
  const statsFolder = join(folder, 'own-stats');
  await publishStatistics({ shardsFolder, statsFolder, clock });
  const nodes: LocalNode[] = [];
  for (const shard of [0, 1]) {
    // Each node keeps what is staged on it in a folder of its own, as on two machines.
    const own = join(folder, `stats-${shard}`);
    await publishStatistics({ shardsFolder, statsFolder: own });
    const node = await openNode({ shardsFolder, statsFolder: own, shards: [shard], pollMs: 0, clock });
    context.after(() => node.close());
    nodes.push(node);
  }
  const update = async (next: readonly SmallPage[]): Promise<void> => {
    await writeSmallIndex(folder, next, { shardCount: 2 });
    for (const node of nodes) await node.reload();
  };
  return { nodes, statsFolder, update };
};

const refresherOver = (context: TestContext, options: RefresherOptions) => {
  const refresher = new StatisticsRefresher(options);
  context.after(() => refresher.close());
  return refresher;
};

/** A node that is told when to fail. */
const mortal = (node: LocalNode): ShardClient & { isDead: boolean } => {
  const down = () => Promise.reject(new Error('connection refused'));
  const client = {
    isDead: false,
    search: (...args: Parameters<LocalNode['search']>) => node.search(...args),
    fetch: (...args: Parameters<LocalNode['fetch']>) => node.fetch(...args),
    page: (...args: Parameters<LocalNode['page']>) => node.page(...args),
    explain: (...args: Parameters<LocalNode['explain']>) => node.explain(...args),
    expand: (...args: Parameters<LocalNode['expand']>) => node.expand(...args),
    statistics: (...args: Parameters<LocalNode['statistics']>) =>
      client.isDead ? down() : node.statistics(...args),
    contributions: (...args: Parameters<LocalNode['contributions']>) =>
      client.isDead ? down() : node.contributions(...args),
    stage: (...args: Parameters<LocalNode['stage']>) => (client.isDead ? down() : node.stage(...args)),
    status: () => (client.isDead ? down() : node.status()),
    close: () => node.close(),
  };
  return client;
};

test('refresh - publishes what has changed, stages it on all nodes, and is silent when nothing has', async (context) => {
  const { nodes, statsFolder, update } = await openPair(context, pagesOf(40));
  const refresher = refresherOver(context, { nodes, statsFolder });
  assert.equal(await refresher.refresh(), undefined);
  await update(pagesOf(50, 'slate'));
  assert.equal(await refresher.refresh(), 2);
  for (const node of nodes) {
    assert.deepEqual((await node.status()).epochs, [2, 1]);
    const statistics = await node.statistics();
    assert.equal(statistics.docCount, 50);
    assert.equal(statistics.documentFrequency('slate'), 50);
    assert.equal((await node.statistics(epochNumber(1))).documentFrequency('slate'), 0);
    assert.deepEqual(await node.epochBytes(), await readEpochBytes(statsFolder));
    await assert.rejects(node.statistics(epochNumber(3)), { code: 'SHARDS_UNKNOWN_EPOCH' });
  }
  assert.equal(await refresher.refresh(), undefined);
  assert.deepEqual(await listEpochs(statsFolder), [2, 1]);
});

test('refresh - unchanged shards send nothing', async (context) => {
  const { nodes } = await openPair(context, pagesOf(20));
  const [first] = await nodes[0]!.contributions([]);
  assert.ok(first?.bytes !== undefined);
  const [again] = await nodes[0]!.contributions([first]);
  assert.deepEqual(again, { ...first, bytes: undefined });
});

test('refresh - a dead shard stays in the sum, also after a restart, and its age is told', async (context) => {
  const clock = new HandClock();
  const { nodes, statsFolder, update } = await openPair(context, pagesOf(40), clock);
  const clients = nodes.map(mortal);
  const errors: unknown[] = [];
  const options = { nodes: clients, statsFolder, clock, onError: (error: unknown) => errors.push(error) };
  const first = refresherOver(context, options);
  await first.refresh();
  const [shard0, shard1] = await Promise.all(nodes.map((node) => node.status()));
  const counts = [shard0, shard1].map((status) => status?.shards[0]?.docCount ?? 0);
  clients[1]!.isDead = true;
  clock.advance(60_000);
  await update(pagesOf(80));
  assert.equal(await first.refresh(), 2);
  const live = (await nodes[0]!.status()).shards[0]?.docCount ?? 0;
  assert.ok(live > (counts[0] ?? 0));
  assert.equal((await nodes[0]!.statistics()).docCount, live + (counts[1] ?? 0));
  assert.deepEqual(first.status(), [
    { shard: 0, ageMs: 0, isLive: true },
    { shard: 1, ageMs: 60_000, isLive: false },
  ]);
  assert.ok(errors.length > 0);
  await first.close();

  const second = refresherOver(context, options);
  assert.equal(await second.refresh(), undefined);
  assert.deepEqual(second.status()[1], { shard: 1, ageMs: 60_000, isLive: false });
  clients[1]!.isDead = false;
  assert.equal(await second.refresh(), 3);
  assert.equal((await nodes[1]!.statistics()).docCount, 80);
});

test('refresh - forgets no node of which nothing is known', async (context) => {
  const { nodes } = await openPair(context, pagesOf(40));
  const statsFolder = await tempFolder(context);
  const clients = nodes.map(mortal);
  clients[1]!.isDead = true;
  const refresher = refresherOver(context, { nodes: clients, statsFolder });
  assert.equal(await refresher.refresh(), undefined);
  assert.deepEqual(await listEpochs(statsFolder), []);
});

test('refresh - two refreshers over the same nodes come to rest', async (context) => {
  const { nodes, statsFolder, update } = await openPair(context, pagesOf(20));
  const other = join(statsFolder, 'other');
  const [one, two] = [statsFolder, other].map((folder) =>
    refresherOver(context, { nodes, statsFolder: folder }),
  );
  await update(pagesOf(30));
  assert.equal(await one?.refresh(), 2);
  assert.equal(await two?.refresh(), undefined);
  await update(pagesOf(31));
  assert.equal(await two?.refresh(), 3);
  assert.equal(await one?.refresh(), undefined);
  assert.equal((await nodes[0]!.statistics()).docCount, 31);
});

/** Lets promises settle that a hand-turned clock does not wait for. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 500; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail('it never came to that');
};

test('start - refreshes by the interval, and at once when a shard has moved by more than 1 %', async (context) => {
  const { nodes, statsFolder, update } = await openPair(context, pagesOf(400));
  const clock = new HandClock();
  const refresher = refresherOver(context, { nodes, statsFolder, clock, intervalMs: 30_000, lookMs: 2000 });
  const newest = async () => (await listEpochs(statsFolder))[0];
  refresher.start();
  await until(async () => clock.sleeperCount === 1);
  await update(pagesOf(401));
  clock.advance(2000);
  await until(async () => clock.sleeperCount === 1);
  assert.equal(await newest(), 1);
  await update(pagesOf(420));
  clock.advance(2000);
  await until(async () => (await newest()) === 2);
  await until(async () => clock.sleeperCount === 1);
  await update(pagesOf(421));
  clock.advance(2000);
  await until(async () => clock.sleeperCount === 1);
  assert.equal(await newest(), 2);
  clock.advance(30_000);
  await until(async () => (await newest()) === 3);
  await refresher.close();
  await update(pagesOf(500));
  clock.advance(60_000);
  assert.equal(await newest(), 3);
  assert.equal((await nodes[0]!.statistics()).docCount, 421);
});

test('stage - refuses another epoch of a known number, and older ones; the same again is no matter', async (context) => {
  const { nodes, statsFolder, update } = await openPair(context, pagesOf(20));
  const refresher = refresherOver(context, { nodes, statsFolder });
  const first = await readEpochBytes(statsFolder);
  await update(pagesOf(30));
  await refresher.refresh();
  const node = nodes[0]!;
  await node.stage(await readEpochBytes(statsFolder));
  await assert.rejects(node.stage(first), { code: 'SHARDS_EPOCH_CONFLICT' });
  const folder = await tempFolder(context);
  const { statsFolder: foreign } = await writeSmallIndex(folder, pagesOf(7));
  await writeSmallIndex(folder, pagesOf(8));
  await assert.rejects(node.stage(await readEpochBytes(foreign, epochNumber(2))), {
    code: 'SHARDS_EPOCH_CONFLICT',
  });
  assert.equal((await node.statistics()).docCount, 30);
});

test('a node that hangs is given up while it counts, and the others are refreshed', async (context) => {
  const clock = new HandClock();
  const { nodes, statsFolder, update } = await openPair(context, pagesOf(200), clock);
  const [first, second] = nodes as [LocalNode, LocalNode];
  let isHung = false;
  const never = <Result>(): Promise<Result> => new Promise(() => undefined);
  const hanging: ShardClient = {
    ...mortal(second),
    contributions: (...args) => (isHung ? never() : second.contributions(...args)),
    status: () => (isHung ? never() : second.status()),
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const refresher = refresherOver(context, { nodes: [first, hanging], statsFolder, clock, onError });
  assert.equal(await refresher.refresh(), undefined, 'what is published already');
  const before = (await second.status()).shards[0]?.docCount ?? 0;
  await update(pagesOf(300));
  isHung = true;
  const startMs = clock.monotonicMs();
  let published: number | undefined;
  const refreshing = refresher.refresh().then((epoch) => {
    published = epoch;
  });
  await until(async () => {
    if (published === undefined && clock.sleeperCount > 0) clock.advance(100);
    return published !== undefined;
  });
  await refreshing;
  assert.equal(published, 2);
  assert.ok(clock.monotonicMs() - startMs < 60_000);
  assert.ok(errors.some((error) => (error as { code?: string }).code === 'SHARDS_NODE_LATE'));
  assert.deepEqual(
    refresher.status().map(({ isLive }) => isLive),
    [true, false],
  );
  const live = (await first.status()).shards[0]?.docCount ?? 0;
  assert.equal((await first.statistics()).docCount, live + before);
});
