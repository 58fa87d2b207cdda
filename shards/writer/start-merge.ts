import { Worker } from 'node:worker_threads';
import { failShards } from '../errors.ts';
import type { SegmentEntry } from '../segment/manifest.ts';
import type { MergeJob, MergeOutcome } from './merge-job.ts';

/** A merge on its way. */
export interface RunningMerge {
  /** The new segments, none when nothing was left of the old ones. Rejects with SHARDS_MERGE_FAILED. */
  readonly done: Promise<readonly SegmentEntry[]>;
  /** Ends it; its files stay for whoever clears the folder. Idempotent. */
  stop(): Promise<void>;
}

/** Runs merges: in a thread (startMerge), or as a test likes. */
export type StartMerge = (job: MergeJob) => RunningMerge;

/** Merges in a thread of its own, so that neither the writer nor a reader waits for it. */
export const startMerge: StartMerge = (job) => {
  const worker = new Worker(new URL('./merge-thread.js', import.meta.url), { workerData: job });
  const done = outcomeOf(worker).then((outcome) => {
    if (outcome.kind === 'merged') return outcome.entries;
    throw failShards('SHARDS_MERGE_FAILED', { folder: job.folder, reason: outcome.reason });
  });
  // Whoever awaits it hears of a failure; until then it must not count as unhandled.
  done.catch(() => undefined);
  return {
    done,
    stop: async () => {
      await worker.terminate();
    },
  };
};

const outcomeOf = (worker: Worker): Promise<MergeOutcome> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => resolve({ kind: 'failed', reason: 'its thread was ended' }));
  });
