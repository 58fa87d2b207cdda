import { join } from 'node:path';
import { comparePairs, type Pair } from './job.ts';
import { RunWriter, readRun } from './run-file.ts';

/** Runs that are merged at once: each holds a file and a block of memory. */
const FAN_IN = 64;

interface Head {
  readonly pair: Pair;
  readonly run: number;
}

/** Equal pairs come from earlier runs first, which keeps the order of emission. */
const before = (a: Head, b: Head): boolean => {
  const order = comparePairs(a.pair, b.pair);
  return order === 0 ? a.run < b.run : order < 0;
};

/**
 * Merges sorted runs into one (Knuth, The Art of Computer Programming 3, 5.4.1). With more than FAN_IN of them,
 * neighbours are first merged into longer runs in `folder`.
 */
export const mergeRuns = async function* (
  runs: readonly AsyncIterable<Pair>[],
  folder: string,
  pass = 0,
): AsyncGenerator<Pair> {
  if (runs.length <= FAN_IN) {
    yield* mergeAtOnce(runs);
    return;
  }
  const longer: AsyncIterable<Pair>[] = [];
  for (let start = 0; start < runs.length; start += FAN_IN) {
    const path = join(folder, `merge-${pass}-${longer.length}`);
    await writeRun(path, mergeAtOnce(runs.slice(start, start + FAN_IN)));
    longer.push(readRun(path));
  }
  yield* mergeRuns(longer, folder, pass + 1);
};

const writeRun = async (path: string, pairs: AsyncIterable<Pair>): Promise<void> => {
  const writer = await RunWriter.open(path);
  try {
    for await (const pair of pairs) await writer.write(pair);
  } finally {
    await writer.close();
  }
};

const mergeAtOnce = async function* (runs: readonly AsyncIterable<Pair>[]): AsyncGenerator<Pair> {
  const iterators = runs.map((run) => run[Symbol.asyncIterator]());
  try {
    const heads = new HeadHeap();
    for (const [run, iterator] of iterators.entries()) {
      const step = await iterator.next();
      if (step.done !== true) heads.push({ pair: step.value, run });
    }
    for (let head = heads.top; head !== undefined; head = heads.top) {
      yield head.pair;
      const step = await iterators[head.run]?.next();
      if (step === undefined || step.done === true) heads.dropTop();
      else heads.replaceTop({ pair: step.value, run: head.run });
    }
  } finally {
    for (const iterator of iterators) await iterator.return?.();
  }
};

/** A binary min-heap of the runs' first pairs. */
class HeadHeap {
  readonly #heads: Head[] = [];

  get top(): Head | undefined {
    return this.#heads[0];
  }

  push(head: Head): void {
    let at = this.#heads.push(head) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  replaceTop(head: Head): void {
    this.#heads[0] = head;
    this.#sink();
  }

  dropTop(): void {
    const last = this.#heads.pop();
    if (last === undefined || this.#heads.length === 0) return;
    this.#heads[0] = last;
    this.#sink();
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const right = left + 1;
      const [a, b] = [this.#heads[left], this.#heads[right]];
      if (a === undefined) return;
      const child = b !== undefined && before(b, a) ? right : left;
      if (!this.#swapIfBefore(child, at)) return;
      at = child;
    }
  }

  #swapIfBefore(child: number, parent: number): boolean {
    const [c, p] = [this.#heads[child], this.#heads[parent]];
    if (c === undefined || p === undefined || !before(c, p)) return false;
    this.#heads[child] = p;
    this.#heads[parent] = c;
    return true;
  }
}
