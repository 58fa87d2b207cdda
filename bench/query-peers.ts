import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate } from './alternate.ts';
import { collectionTask, docsTask, type Task } from './engines/corpus.ts';
import { type BuiltIndex, type Engine, JOINS, type QueryFigures } from './engines/engine.ts';
import { luceneEngine } from './engines/lucene.ts';
import { quarryEngine } from './engines/quarry.ts';
import { readOptions, wholeNumber } from './options.ts';
import type { Measurement } from './report.ts';

/** What ours does by default, and what it does when it is asked to index and score as Lucene does. */
const ENGINES = (): readonly Engine[] => [
  quarryEngine({ name: 'quarry', analyzer: 'default', scoring: 'default', way: 'import' }),
  quarryEngine({
    name: 'quarry lucene-compat',
    analyzer: 'lucene-english',
    scoring: 'lucene-compat',
    way: 'import',
  }),
  luceneEngine(),
];

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

const sizeMeasurements = (name: string, { documents, bytes }: BuiltIndex, corpus: string): Measurement[] => {
  const all = sum(bytes.values());
  const withoutPages = all - (bytes.get('.pages') ?? 0);
  const of = (metric: string, value: number): Measurement => ({
    bench: 'query',
    subject: name,
    metric,
    values: [value / documents],
    context: { corpus, documents },
  });
  const parts = withoutPages === all ? [] : [of('index bytes/document', all)];
  return [...parts, of('… without stored pages', withoutPages)];
};

interface Settings {
  readonly runs: number;
  readonly rounds: number;
}

/** Times each mode, engines alternating. */
const timeMeasurements = async (
  task: Task,
  folders: ReadonlyMap<Engine, string>,
  { runs, rounds }: Settings,
  say: (text: string) => void,
): Promise<Measurement[]> => {
  const measurements: Measurement[] = [];
  for (const mode of JOINS) {
    const figures = await alternate<Engine, QueryFigures>([...folders.keys()], runs, async (engine) => {
      const { queriesFile } = task;
      const once = await engine.query(folders.get(engine) ?? '', { queriesFile, mode, k: 10, rounds });
      say(`${engine.name}, ${mode}: mean ${once.mean.toFixed(1)} µs over ${once.queries} queries`);
      return once;
    });
    for (const [{ name }, list] of figures) {
      measurements.push({
        bench: 'query',
        subject: name,
        metric: `µs/query ${mode}, mean`,
        values: list.map(({ mean }) => mean),
        context: { corpus: task.name, k: 10, queries: list[0]?.queries ?? 0, rounds },
      });
    }
  }
  return measurements;
};

/** Index size and query times beside Lucene, on a judged collection's documents or on the docs corpus. */
export const benchQuery = async (
  args: readonly string[],
  say: (text: string) => void,
): Promise<Measurement[]> => {
  const options = readOptions(args, { runs: '3', rounds: '60', corpus: 'npl' });
  const settings = {
    runs: wholeNumber('runs', options.runs),
    rounds: wholeNumber('rounds', options.rounds),
  };
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  try {
    const task = options.corpus === 'docs' ? docsTask() : await collectionTask(options.corpus, folder);
    const folders = new Map(ENGINES().map((engine, index) => [engine, join(folder, String(index))]));
    const sizes: Measurement[] = [];
    for (const [engine, home] of folders) {
      sizes.push(...sizeMeasurements(engine.name, await engine.index(task, home), task.name));
    }
    return [...sizes, ...(await timeMeasurements(task, folders, settings, say))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
