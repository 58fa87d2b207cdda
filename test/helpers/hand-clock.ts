import type { Clock } from '../../shards/index.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock that stands still until `advance` turns it. */
export class HandClock implements Clock {
  #nowMs = 1_000_000;
  readonly #sleepers = new Set<Sleeper>();

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** How many are asleep. */
  get sleeperCount(): number {
    return this.#sleepers.size;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const sleeper = { dueMs: this.#nowMs + delayMs, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
    for (const sleeper of this.#sleepers) {
      if (sleeper.dueMs > this.#nowMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
