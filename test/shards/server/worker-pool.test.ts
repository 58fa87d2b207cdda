import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGeneration } from '../../../shards/segment/generation.ts';
import type { SearchRequest } from '../../../shards/server/shard-client.ts';
import { Snapshot } from '../../../shards/server/snapshot.ts';
import { WorkerPool } from '../../../shards/server/worker-pool.ts';
import { readStatistics } from '../../../shards/statistics/epochs.ts';
import { writeSmallIndex } from '../../helpers/small-index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

test('WorkerPool - a thread that dies fails its request; the next request gets a new thread', async (context) => {
  const folder = await tempFolder(context);
  const index = await writeSmallIndex(folder, [{ url: 'http://a.test/', text: 'A stone.' }], {
    shardCount: 1,
  });
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
  pool.open(snapshot);
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
  const request: SearchRequest = { plan, k: 10, evaluation: 'pruned', budgetMs: 1000 };
  // What no caller with types can send: the thread reads a property of nothing and ends.
  const poison = { ...request, plan: undefined } as unknown as SearchRequest;
  const lost = pool.search(1, poison);
  const behind = pool.search(1, request);
  await assert.rejects(lost, { code: 'SHARDS_WORKER_LOST' });
  await assert.rejects(behind, { code: 'SHARDS_WORKER_LOST' });
  const { shards } = await pool.search(1, request);
  assert.equal(shards[0]?.hits.length, 1);
  await assert.rejects(
    pool.search(2, request),
    { code: 'SHARDS_WORKER_LOST' },
    'a generation that is not open',
  );
});
