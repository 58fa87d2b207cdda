import { mkdir, rm } from 'node:fs/promises';
import type { Job, Pair, Reducer } from './job.ts';
import { mergeRuns } from './merge-runs.ts';
import { SortedRuns } from './sorted-runs.ts';
import { unpackValue } from './value-codec.ts';

/** How far a job is. */
export interface JobProgress {
  readonly job: string;
  readonly phase: 'map' | 'reduce';
  /** Inputs mapped, or keys reduced. */
  readonly doneCount: number;
}

export interface RunJobOptions {
  /** Made by the run and removed at its end, also when it fails; must not exist. */
  readonly scratchFolder: string;
  /** Pairs held in memory before they are spilled. */
  readonly memoryBytes: number;
  readonly partitionCount?: number;
  readonly onProgress?: (progress: JobProgress) => void;
  readonly signal?: AbortSignal;
}

/** Progress is told, and an abort noticed, once in so many steps. */
const STEPS_BETWEEN_REPORTS = 256;

/**
 * Runs a job in this thread, one step after the other. Outputs come in the order (partition, key, order of reduce's
 * emissions) and are the same whatever the memory budget.
 */
export const runJob = async function* <Input, Value, Output>(
  job: Job<Input, Value, Output>,
  inputs: AsyncIterable<Input> | Iterable<Input>,
  options: RunJobOptions,
): AsyncGenerator<Output> {
  options.signal?.throwIfAborted();
  await mkdir(options.scratchFolder, { recursive: true });
  try {
    const runs = new SortedRuns<Value>(job, options.scratchFolder, options.memoryBytes);
    await mapAll(job, inputs, runs, options);
    yield* reduceAll(job, mergeRuns(runs.finish(), options.scratchFolder), options);
  } finally {
    await rm(options.scratchFolder, { recursive: true, force: true });
  }
};

const mapAll = async <Input, Value, Output>(
  job: Job<Input, Value, Output>,
  inputs: AsyncIterable<Input> | Iterable<Input>,
  runs: SortedRuns<Value>,
  options: RunJobOptions,
): Promise<void> => {
  const partitionCount = options.partitionCount ?? 1;
  const emit = (key: string, value: Value): void =>
    runs.add(job.partition?.(key, partitionCount) ?? 0, key, value);
  const report = reporter(job.name, 'map', options);
  for await (const input of inputs) {
    job.map(input, emit);
    if (runs.isFull) await runs.spill();
    report.step();
  }
  report.end();
};

async function* reduceAll<Input, Value, Output>(
  job: Job<Input, Value, Output>,
  pairs: AsyncIterable<Pair>,
  options: RunJobOptions,
): AsyncGenerator<Output> {
  const report = reporter(job.name, 'reduce', options);
  let outputs: Output[] = [];
  const emit = (output: Output): void => void outputs.push(output);
  let current: { readonly first: Pair; readonly reducer: Reducer<Value, Output> } | undefined;
  for await (const pair of pairs) {
    if (
      current === undefined ||
      current.first.key !== pair.key ||
      current.first.partition !== pair.partition
    ) {
      current?.reducer.end(emit);
      yield* outputs;
      outputs = [];
      report.step();
      current = { first: pair, reducer: job.reduce(pair.key) };
    }
    current.reducer.add(unpackValue<Value>(pair.value));
  }
  current?.reducer.end(emit);
  yield* outputs;
  report.end();
}

const reporter = (
  job: string,
  phase: JobProgress['phase'],
  { onProgress, signal }: RunJobOptions,
): { step(): void; end(): void } => {
  let doneCount = 0;
  const tell = (): void => {
    signal?.throwIfAborted();
    onProgress?.({ job, phase, doneCount });
  };
  return {
    step: () => {
      doneCount += 1;
      if (doneCount % STEPS_BETWEEN_REPORTS === 0) tell();
    },
    end: tell,
  };
};
