import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Job } from '../../../indexer/mapreduce/job.ts';
import { runJob } from '../../../indexer/mapreduce/run-job.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

/** Joins the values of each word in the order of emission, so that a wrong order shows. */
const withoutCombine: Job<string, string, string> = {
  name: 'words',
  map: (line, emit) => {
    for (const [index, word] of line.split(' ').entries()) emit(word, `${line.length}.${index}`);
  },
  reduce: (key) => {
    const values: string[] = [];
    return { add: (value) => void values.push(value), end: (emit) => emit(`${key}: ${values.join(',')}`) };
  },
  partition: (key, count) => (key.codePointAt(0) ?? 0) % count,
};

const words: typeof withoutCombine = {
  ...withoutCombine,
  combine: (_key, left, right) => `${left},${right}`,
};

/** The definition of a job's output: everything in memory, nothing combined. */
const oracle = <Input, Value, Output>(
  job: Job<Input, Value, Output>,
  inputs: readonly Input[],
  partitionCount: number,
): Output[] => {
  const pairs: { partition: number; key: string; value: Value }[] = [];
  for (const input of inputs) {
    job.map(input, (key, value) => {
      pairs.push({ partition: job.partition?.(key, partitionCount) ?? 0, key, value });
    });
  }
  const outputs: Output[] = [];
  for (let partition = 0; partition < partitionCount; partition += 1) {
    const here = pairs.filter((pair) => pair.partition === partition);
    const keys = [...new Set(here.map(({ key }) => key))].sort((a, b) => (a < b ? -1 : 1));
    for (const key of keys) {
      const reducer = job.reduce(key);
      for (const pair of here) if (pair.key === key) reducer.add(pair.value);
      reducer.end((output) => outputs.push(output));
    }
  }
  return outputs;
};

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'ba', 'aa', '', 'é', '\u{1f600}', '\uffee') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
);
const lines = fc.array(
  fc.array(word, { maxLength: 8 }).map((list) => list.join(' ')),
  { maxLength: 40 },
);

test('the output is the oracle’s, whatever the budget, the partitions and with or without combine', async (context) => {
  const folder = await tempFolder(context);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.constantFrom(1, 400, 2000, 1 << 20),
      fc.constantFrom(1, 3),
      fc.constantFrom(words, withoutCombine),
      async (inputs, memoryBytes, partitionCount, job) => {
        run += 1;
        const scratchFolder = join(folder, String(run));
        const output = await collect(runJob(job, inputs, { scratchFolder, memoryBytes, partitionCount }));
        assert.deepEqual(output, oracle(words, inputs, partitionCount));
        assert.deepEqual(await readdir(folder), [], 'the scratch folder is gone');
      },
    ),
    { numRuns: 60 },
  );
});

test('more runs than are merged at once, and values larger than the read buffer', async (context) => {
  const scratchFolder = join(await tempFolder(context), 'scratch');
  const inputs = Array.from({ length: 150 }, (_, index) => index);
  const job: Job<number, Uint8Array, string> = {
    name: 'large',
    map: (index, emit) => emit(`key ${index % 7}`, new Uint8Array(index === 77 ? 200_000 : 100).fill(index)),
    reduce: (key) => {
      const seen: string[] = [];
      return {
        add: (value) => void seen.push(`${value[0]}x${value.length}`),
        end: (emit) => emit(`${key}: ${seen.join(' ')}`),
      };
    },
  };
  const output = await collect(runJob(job, inputs, { scratchFolder, memoryBytes: 1 }));
  assert.deepEqual(output, oracle(job, inputs, 1));
});

test('a failure anywhere, or leaving early, removes the scratch files', async (context) => {
  const folder = await tempFolder(context);
  const scratchFolder = join(folder, 'scratch');
  const inputs = ['b a', 'a b', 'c'];
  const boom = (): never => {
    throw new Error('boom');
  };
  const options = { scratchFolder, memoryBytes: 1 };
  await assert.rejects(collect(runJob({ ...words, map: boom }, inputs, options)), /boom/);
  await assert.rejects(collect(runJob({ ...words, reduce: boom }, inputs, options)), /boom/);
  for await (const output of runJob(words, inputs, options)) {
    assert.equal(output, 'a: 3.1,3.0');
    break;
  }
  assert.deepEqual(await readdir(folder), []);
});

test('progress is told per phase, and an abort stops with the reason', async (context) => {
  const scratchFolder = join(await tempFolder(context), 'scratch');
  const inputs = Array.from({ length: 600 }, (_, index) => `w${index % 5}`);
  const told: string[] = [];
  const options = { scratchFolder, memoryBytes: 1 << 20 };
  await collect(
    runJob(words, inputs, {
      ...options,
      onProgress: ({ job, phase, doneCount }) => told.push(`${job} ${phase} ${doneCount}`),
    }),
  );
  assert.deepEqual(told, ['words map 256', 'words map 512', 'words map 600', 'words reduce 5']);
  const abort = new AbortController();
  const aborted = collect(
    runJob(words, inputs, {
      ...options,
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('stop')),
    }),
  );
  await assert.rejects(aborted, /stop/);
});
