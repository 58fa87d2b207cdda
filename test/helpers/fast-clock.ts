import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../shards/index.ts';

/** A clock that runs `factor` times as fast as the real one, so that minutes of waiting pass in a moment. */
export const fastClock = (factor: number): Clock => {
  const startedAtMs = performance.now();
  const startedWallMs = Date.now();
  const elapsedMs = (): number => (performance.now() - startedAtMs) * factor;
  return {
    nowMs: () => startedWallMs + elapsedMs(),
    monotonicMs: elapsedMs,
    sleep: async (delayMs, signal) => {
      await wait(delayMs / factor, undefined, signal ? { signal } : {});
    },
  };
};
