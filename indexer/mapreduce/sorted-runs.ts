import { join } from 'node:path';
import { comparePairs, type Job, type Pair } from './job.ts';
import { RunWriter, readRun } from './run-file.ts';
import { packValue, unpackValue } from './value-codec.ts';

/** Memory that a pair takes besides its key and value: two objects and a slot, roughly. */
const PAIR_OVERHEAD_BYTES = 160;

/**
 * Collects pairs up to a memory budget, then sorts them, combines neighbours of one key and spills them as a run.
 * The sort is stable and runs are numbered in the order of emission, so that equal keys keep that order.
 */
export class SortedRuns<Value> {
  readonly #job: Job<never, Value, unknown>;
  readonly #folder: string;
  readonly #memoryBytes: number;
  #pairs: Pair[] = [];
  #pairBytes = 0;
  #runs: string[] = [];

  constructor(job: Job<never, Value, unknown>, folder: string, memoryBytes: number) {
    this.#job = job;
    this.#folder = folder;
    this.#memoryBytes = memoryBytes;
  }

  /** True when the budget is used up: spill before adding more. */
  get isFull(): boolean {
    return this.#pairBytes >= this.#memoryBytes;
  }

  add(partition: number, key: string, value: Value): void {
    const packed = packValue(value);
    this.#pairs.push({ partition, key, value: packed });
    this.#pairBytes += key.length * 2 + packed.length + PAIR_OVERHEAD_BYTES;
  }

  async spill(): Promise<void> {
    const path = join(this.#folder, `spill-${this.#runs.length}`);
    const writer = await RunWriter.open(path);
    try {
      for (const pair of this.#takeSorted()) await writer.write(pair);
    } finally {
      await writer.close();
    }
    this.#runs.push(path);
  }

  /** All runs in the order of emission; the last one, still in memory, is not written. */
  finish(): AsyncIterable<Pair>[] {
    const last = this.#takeSorted();
    return [...this.#runs.map((path) => readRun(path)), fromArray(last)];
  }

  #takeSorted(): Pair[] {
    const sorted = this.#pairs.sort(comparePairs);
    this.#pairs = [];
    this.#pairBytes = 0;
    return this.#combineNeighbours(sorted);
  }

  #combineNeighbours(sorted: Pair[]): Pair[] {
    if (this.#job.combine === undefined) return sorted;
    const combined: Pair[] = [];
    for (let start = 0; start < sorted.length; ) {
      const first = sorted[start] as Pair;
      let end = start + 1;
      while (end < sorted.length && comparePairs(first, sorted[end] as Pair) === 0) end += 1;
      combined.push(end === start + 1 ? first : this.#combineRange(sorted.slice(start, end)));
      start = end;
    }
    return combined;
  }

  #combineRange(pairs: readonly Pair[]): Pair {
    const { partition, key } = pairs[0] as Pair;
    const values = pairs.map((pair) => unpackValue<Value>(pair.value));
    const value = values.reduce((left, right) => this.#job.combine?.(key, left, right) ?? left);
    return { partition, key, value: packValue(value) };
  }
}

// oxlint-disable-next-line typescript/require-await -- an array as the async iterable that a run on disk is
async function* fromArray(pairs: readonly Pair[]): AsyncGenerator<Pair> {
  yield* pairs;
}
