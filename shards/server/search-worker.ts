/** Thread that evaluates queries over memory that the opener shares. Started by worker-pool.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { createScorer } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import { WEIGHT_TABLES } from '../score/weights.ts';
import { attachGeneration, type OpenGeneration } from '../segment/generation.ts';
import { systemClock } from '../values/clock.ts';
import type { EpochNumber } from '../values/ids.ts';
import { CancelFlags } from './cancel-flags.ts';
import { searchSnapshot } from './search-snapshot.ts';
import { Snapshot } from './snapshot.ts';
import { type FromWorker, processMs, type ToWorker, type WorkerData } from './worker-messages.ts';

const KEPT_EPOCHS = 2;

const { scoring, cancelled: cancelMemory } = workerData as WorkerData;
const weights = WEIGHT_TABLES[scoring];
const cancelled = new CancelFlags(cancelMemory);
/** Snapshots by commit; of one that could not be attached the reason, until it is closed. */
const snapshots = new Map<number, Snapshot | string>();
const scorers = new Map<EpochNumber, Scorer>();

const addEpoch = ({ epoch, averageLengths }: Extract<ToWorker, { kind: 'epoch' }>): void => {
  scorers.set(epoch, createScorer({ averageLengths, weights }));
  for (const old of [...scorers.keys()].slice(0, -KEPT_EPOCHS)) scorers.delete(old);
};

/** The newest snapshot that is attached: the next one shares most of its segments. */
const newest = (): OpenGeneration | undefined =>
  [...snapshots.values()].findLast((snapshot) => snapshot instanceof Snapshot)?.generation;

/** What is wrong with one snapshot must not end the thread, which serves the others. */
const open = ({ generation, shards }: Extract<ToWorker, { kind: 'open' }>): void => {
  const { commit } = generation.info;
  try {
    snapshots.set(commit, new Snapshot(attachGeneration(generation, newest()), { shards }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    snapshots.set(commit, `commit ${commit} could not be attached: ${reason}`);
  }
};

const close = (commit: number): void => {
  const snapshot = snapshots.get(commit);
  if (snapshot instanceof Snapshot) snapshot.retire();
  snapshots.delete(commit);
};

const search = ({ id, commit, request, sentMs }: Extract<ToWorker, { kind: 'search' }>): FromWorker => {
  const { epoch } = request.plan;
  const snapshot = snapshots.get(commit) ?? `it has no commit ${commit}`;
  const scorer = scorers.get(epoch);
  if (typeof snapshot === 'string') return { id, unready: snapshot };
  if (scorer === undefined) return { id, unready: `it has no epoch ${epoch} of the statistics` };
  const startedMs = systemClock.monotonicMs();
  const deadlineMs = startedMs + request.budgetMs - (processMs() - sentMs);
  const isLate = (): boolean => cancelled.has(id) || systemClock.monotonicMs() > deadlineMs;
  const shards = searchSnapshot(snapshot, request, scorer, isLate);
  return { id, shards, searchMs: systemClock.monotonicMs() - startedMs };
};

const handle = (message: ToWorker): void => {
  switch (message.kind) {
    case 'open':
      open(message);
      return;
    case 'close':
      close(message.commit);
      return;
    case 'epoch':
      addEpoch(message);
      return;
    case 'search':
      parentPort?.postMessage(search(message));
  }
};

parentPort?.on('message', handle);
