import { setTimeout as wait } from 'node:timers/promises';

/** Time as a parameter, so that tests can turn it by hand. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  nowMs(): number;
  /** Monotonic milliseconds from an arbitrary start. Deadlines and delays use only this one. */
  monotonicMs(): number;
  /** Resolves after `delayMs`; rejects with the signal's reason when aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (delayMs, signal) => {
    await wait(delayMs, undefined, signal ? { signal } : {});
  },
};
