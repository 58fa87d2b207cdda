import type { Clock } from '../../shards/index.ts';

/** What withDeadline returns in place of a result that came too late. */
export const LATE = Symbol('late');

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** The caller's: when it aborts, the work does, and the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` until it settles or `timeoutMs` have passed, whatever comes first. The signal that `work` gets is aborted
 * in the second case; work that does not listen is left behind.
 */
export const withDeadline = async <Result>(
  { timeoutMs, clock, signal }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | typeof LATE> => {
  signal?.throwIfAborted();
  const outer = signal === undefined ? [] : [signal];
  const done = new AbortController();
  const timer = clock
    .sleep(timeoutMs, AbortSignal.any([...outer, done.signal]))
    .then((): typeof LATE => LATE);
  try {
    return await Promise.race([work(AbortSignal.any([...outer, done.signal])), timer]);
  } finally {
    done.abort();
    timer.catch(() => undefined);
  }
};
