import type { Clock } from '../../shards/index.ts';

/**
 * Wakes one waiting loop, by `notify` or by time. A call of `notify` while nobody waits is remembered. Timers are left to
 * run out instead of being aborted, which costs more than a look too many.
 */
export class Notifier {
  readonly #clock: Clock;
  #isSet = false;
  #wake: (() => void) | undefined;
  /** When the earliest timer that is running will wake the loop, monotonic. */
  #timerMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  notify(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Resolves at the next `notify` (at once after one that nobody saw), at the latest after `delayMs`. */
  async wait(delayMs: number): Promise<void> {
    if (!this.#isSet) {
      this.#startTimer(this.#clock.monotonicMs() + delayMs, delayMs);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#isSet = false;
  }

  #startTimer(atMs: number, delayMs: number): void {
    if (this.#timerMs <= atMs) return;
    this.#timerMs = atMs;
    void this.#clock.sleep(delayMs).then(() => {
      if (this.#timerMs === atMs) this.#timerMs = Number.POSITIVE_INFINITY;
      this.notify();
    });
  }
}
