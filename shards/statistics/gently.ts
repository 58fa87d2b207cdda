import type { Clock } from '../values/clock.ts';
import type { Steps } from './count-segment.ts';

/** Milliseconds of work between two rests, short beside a search, and of a rest. */
const WORK_MS = 2;
const REST_MS = 6;

/**
 * Takes the steps of a long calculation in a thread that serves queries: a little at a time, a quarter of the time at
 * most. Rejects with the signal's reason when aborted.
 */
export const gently = async <Result>(
  steps: Steps<Result>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Result> => {
  let untilMs = clock.monotonicMs() + WORK_MS;
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.monotonicMs() < untilMs) continue;
    await clock.sleep(REST_MS, signal);
    untilMs = clock.monotonicMs() + WORK_MS;
  }
};
