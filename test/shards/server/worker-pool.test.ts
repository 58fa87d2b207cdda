import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { openGeneration } from '../../../shards/segment/generation.ts';
import type { SearchAnswer, SearchRequest } from '../../../shards/server/shard-client.ts';
import { Snapshot } from '../../../shards/server/snapshot.ts';
import { WorkerPool } from '../../../shards/server/worker-pool.ts';
import { readStatistics } from '../../../shards/statistics/epochs.ts';
import { QuarryError } from '../../../shards/values/errors.ts';
import { epochNumber } from '../../../shards/values/ids.ts';
import { writeSmallIndex } from '../../helpers/small-index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

/** A pool of one thread that has been told of an index of one page and its epoch, 1. */
const poolOverOnePage = async (context: TestContext) => {
  const folder = await tempFolder(context);
  const pages = [{ url: 'http://a.test/', text: 'A stone.' }];
  const index = await writeSmallIndex(folder, pages, { shardCount: 1 });
  const pool = new WorkerPool({
    workers: 1,
    scoring: 'default',
    shards: undefined,
    nowMs: () => performance.now(),
  });
  context.after(() => pool.close());
  const snapshot = new Snapshot(await openGeneration(index.shardsFolder));
  context.after(() => snapshot.retire());
  const statistics = await readStatistics(index.statsFolder);
  pool.addEpoch(statistics);
  const plan = {
    epoch: statistics.epoch,
    optional: [{ terms: ['stone'], weight: 1000 }],
    required: [],
    phrases: [],
    excluded: [],
    excludedPhrases: [],
    sites: [],
    excludedSites: [],
  };
  const request: SearchRequest = { plan, k: 10, evaluation: 'pruned', budgetMs: 60_000 };
  return { index, pool, snapshot, request };
};

const refusal = ({ reason }: PromiseRejectedResult): string =>
  reason instanceof QuarryError ? `${reason.code}: ${reason.message}` : String(reason);

const hitCount = ({ shards }: SearchAnswer) => shards.reduce((sum, { hits }) => sum + hits.length, 0);

/** The generation under another number, with memory that is no segment. */
const brokenCopy = ({ generation }: Snapshot, number: number): Snapshot => {
  const { info, shards } = generation.share();
  const broken = shards.map((segments) =>
    segments.map((segment) => ({
      ...segment,
      memory: new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }),
    })),
  );
  const shared = { info: { ...info, commit: number }, shards: broken };
  return new Snapshot({ ...generation, commit: number, share: () => shared });
};

test('WorkerPool - a thread that dies fails its request; the next request gets a new thread', async (context) => {
  const { pool, snapshot, request } = await poolOverOnePage(context);
  pool.open(snapshot);
  // What no caller with types can send: the thread reads a property of nothing and ends.
  const poison = { ...request, plan: undefined } as unknown as SearchRequest;
  const lost = pool.search(1, poison);
  const behind = pool.search(1, request);
  await assert.rejects(lost, { code: 'SHARDS_WORKER_LOST' });
  await assert.rejects(behind, { code: 'SHARDS_WORKER_LOST' });
  assert.equal(hitCount(await pool.search(1, request)), 1);
});

test('WorkerPool - a generation or an epoch that is not open fails the request, not the thread', async (context) => {
  const { pool, snapshot, request } = await poolOverOnePage(context);
  pool.open(snapshot);
  const otherEpoch = { ...request, plan: { ...request.plan, epoch: epochNumber(9) } };
  const answers = await Promise.allSettled([
    pool.search(2, request),
    pool.search(1, otherEpoch),
    pool.search(1, request),
  ]);
  const [noGeneration, noEpoch, good] = answers.map((answer) =>
    answer.status === 'fulfilled' ? hitCount(answer.value) : refusal(answer),
  );
  assert.match(String(noGeneration), /SHARDS_WORKER_UNREADY.*no commit 2/);
  assert.match(String(noEpoch), /SHARDS_WORKER_UNREADY.*no epoch 9/);
  assert.equal(good, 1, 'the thread had died');
});

test('WorkerPool - a generation that cannot be attached fails what asks for it, and no thread', async (context) => {
  const { pool, snapshot, request } = await poolOverOnePage(context);
  pool.open(brokenCopy(snapshot, 7));
  pool.open(snapshot);
  const [broken, good] = await Promise.allSettled([pool.search(7, request), pool.search(1, request)]);
  assert.ok(broken.status === 'rejected');
  assert.match(refusal(broken), /SHARDS_WORKER_UNREADY.*commit 7 could not be attached/);
  assert.ok(good.status === 'fulfilled', 'the thread had died');
  assert.equal(hitCount(good.value), 1);
  pool.drop(7);
  await assert.rejects(pool.search(7, request), /no commit 7/);
});

test('WorkerPool - a thread attaches a generation whose files are gone', async (context) => {
  const { index, pool, snapshot, request } = await poolOverOnePage(context);
  await rm(index.shardsFolder, { recursive: true });
  pool.open(snapshot);
  assert.equal(hitCount(await pool.search(1, request)), 1);
});

test('WorkerPool - a request that is given up fails at once; the thread goes on with the next', async (context) => {
  const { pool, snapshot, request } = await poolOverOnePage(context);
  pool.open(snapshot);
  const controller = new AbortController();
  const given = pool.search(1, request, controller.signal);
  const next = pool.search(1, request, new AbortController().signal);
  controller.abort(new Error('enough'));
  await assert.rejects(given, /enough/);
  assert.equal(hitCount(await next), 1);
});

test('WorkerPool - a budget that is used up leaves the answer truncated', async (context) => {
  const { pool, snapshot, request } = await poolOverOnePage(context);
  pool.open(snapshot);
  const { shards } = await pool.search(1, { ...request, budgetMs: 0 });
  assert.deepEqual(
    shards.map(({ status }) => status),
    ['truncated'],
  );
});
