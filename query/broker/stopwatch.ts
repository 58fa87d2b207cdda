import type { Clock } from '../../shards/index.ts';
import type { AnswerTimes } from './answer.ts';

type Stage = Exclude<keyof AnswerTimes, 'total'>;

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Adds up how long each stage of one query took; a stage may come more than once. */
export class Stopwatch {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #spentMs: Record<Stage, number> = { parse: 0, queue: 0, search: 0, merge: 0, fetch: 0 };
  #lapStartMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.monotonicMs();
    this.#lapStartMs = this.#startMs;
  }

  /** Books the time since the last lap on `stage`. */
  lap(stage: Stage): void {
    const nowMs = this.#clock.monotonicMs();
    this.#spentMs[stage] += nowMs - this.#lapStartMs;
    this.#lapStartMs = nowMs;
  }

  /** Like lap('search'), with the part that was spent waiting booked on `queue`. */
  lapSearch(queueMs: number): void {
    this.lap('search');
    const waitedMs = Math.min(queueMs, this.#spentMs.search);
    this.#spentMs.search -= waitedMs;
    this.#spentMs.queue += waitedMs;
  }

  times(): AnswerTimes {
    const { parse, queue, search, merge, fetch } = this.#spentMs;
    return {
      parse: rounded(parse),
      queue: rounded(queue),
      search: rounded(search),
      merge: rounded(merge),
      fetch: rounded(fetch),
      total: rounded(this.#clock.monotonicMs() - this.#startMs),
    };
  }
}
