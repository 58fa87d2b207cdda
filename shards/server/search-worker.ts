/** Thread that evaluates queries over memory that the opener shares. Started by worker-pool.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { createScorer } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import { WEIGHT_TABLES } from '../score/weights.ts';
import { attachGeneration } from '../segment/generation.ts';
import { systemClock } from '../values/clock.ts';
import type { EpochNumber } from '../values/ids.ts';
import { searchSnapshot } from './search-snapshot.ts';
import { Snapshot } from './snapshot.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts';

const KEPT_EPOCHS = 2;

const weights = WEIGHT_TABLES[(workerData as WorkerSettings).scoring];
const snapshots = new Map<number, Snapshot>();
const scorers = new Map<EpochNumber, Scorer>();

const addEpoch = ({ epoch, averageLengths }: Extract<ToWorker, { kind: 'epoch' }>): void => {
  scorers.set(epoch, createScorer({ averageLengths, weights }));
  for (const old of [...scorers.keys()].slice(0, -KEPT_EPOCHS)) scorers.delete(old);
};

const search = ({ id, generation, request }: Extract<ToWorker, { kind: 'search' }>): FromWorker => {
  const snapshot = snapshots.get(generation);
  const scorer = scorers.get(request.plan.epoch);
  if (snapshot === undefined || scorer === undefined) {
    return { id, error: `the worker has no generation ${generation} or no epoch ${request.plan.epoch}` };
  }
  const startedMs = systemClock.monotonicMs();
  const shards = searchSnapshot(snapshot, request, scorer, systemClock);
  return { id, shards, searchMs: systemClock.monotonicMs() - startedMs };
};

const handle = (message: ToWorker): void => {
  switch (message.kind) {
    case 'open': {
      const generation = attachGeneration(message.generation);
      snapshots.set(generation.generation, new Snapshot(generation, { shards: message.shards }));
      return;
    }
    case 'close':
      snapshots.get(message.generation)?.retire();
      snapshots.delete(message.generation);
      return;
    case 'epoch':
      addEpoch(message);
      return;
    case 'search':
      parentPort?.postMessage(search(message));
  }
};

parentPort?.on('message', handle);
