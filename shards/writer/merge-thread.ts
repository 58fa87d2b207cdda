/** Thread that runs one merge. Started by start-merge.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { QuarryError } from '../values/errors.ts';
import { type MergeJob, type MergeOutcome, runMergeJob } from './merge-job.ts';

const work = async (job: MergeJob): Promise<MergeOutcome> => {
  try {
    return { kind: 'merged', entries: await runMergeJob(job) };
  } catch (error) {
    if (error instanceof QuarryError) return { kind: 'failed', reason: error.message };
    throw error;
  }
};

parentPort?.postMessage(await work(workerData as MergeJob));
