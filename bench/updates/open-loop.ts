import { setTimeout as sleep } from 'node:timers/promises';

export interface OpenLoop {
  readonly perSecond: number;
  readonly durationMs: number;
}

/**
 * Begins `work` at evenly spaced moments, whether or not earlier calls have ended.
 * @returns Milliseconds of each call from its planned beginning, so that a late start counts.
 */
export const openLoop = async (
  { perSecond, durationMs }: OpenLoop,
  work: (index: number) => Promise<void>,
): Promise<number[]> => {
  const count = Math.round((perSecond * durationMs) / 1000);
  const startedMs = performance.now();
  const running: Promise<number>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueMs = startedMs + (index * 1000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    running.push(work(index).then(() => performance.now() - dueMs));
  }
  return Promise.all(running);
};
