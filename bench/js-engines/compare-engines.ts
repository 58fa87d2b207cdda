import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseTops } from '../../query/index.ts';
import { docsTask } from '../engines/corpus.ts';
import { type Corpus, JOINS } from '../engines/engine.ts';
import { quarryEngine } from '../engines/quarry.ts';
import { onlyRow } from '../engines/run.ts';
import { fail } from '../errors.ts';
import { readOptions, wholeNumber } from '../options.ts';
import { projectRoot } from '../paths.ts';
import { type ProgramResult, runProgram } from '../program.ts';
import { type Measurement, thisMachine } from '../report.ts';
import { enginesPage } from './engines-page.ts';
import type { EngineRun, ModeRun } from './run-engine.ts';

const K = 10;

/** The engines as npm names them, by the name that run-engine.ts takes. */
const PEERS = {
  minisearch: 'MiniSearch 7.2.0',
  flexsearch: 'FlexSearch 0.8.212',
  orama: 'Orama 3.1.18',
  sqlite: 'SQLite FTS5 3.53.2',
} as const;
type PeerName = keyof typeof PEERS;

interface SampledTask extends Corpus {
  readonly queriesFile: string;
}

/** So many pages of the docs corpus, spread evenly over it, and the queries' plain words. */
const sampleTask = async (documents: number, folder: string): Promise<SampledTask> => {
  const { tsvFile, queriesFile } = docsTask();
  const rows: (readonly [id: string, title: string, text: string])[] = [];
  for await (const line of createInterface({ input: createReadStream(tsvFile), crlfDelay: Infinity })) {
    const [id = '', title = '', text = ''] = line.split('\t');
    rows.push([id, title, text]);
  }
  const step = Math.max(1, rows.length / documents);
  const sample = Array.from(
    { length: Math.min(documents, rows.length) },
    (_, index) => rows[Math.floor(index * step)] ?? (['', '', ''] as const),
  );
  const task = {
    name: 'docs sample',
    tsvFile: join(folder, 'corpus.tsv'),
    jsonlFile: join(folder, 'corpus.jsonl'),
    queriesFile: join(folder, 'queries.txt'),
  };
  await writeFile(task.tsvFile, sample.map((row) => `${row.join('\t')}\n`).join(''));
  const objects = sample.map(([url, title, text]) => `${JSON.stringify({ url, title, text })}\n`);
  await writeFile(task.jsonlFile, objects.join(''));
  const words = (await readFile(queriesFile, 'utf8')).split('\n').map((line) => {
    return line
      .replace(/[^\p{L}\p{N}\s]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  });
  await writeFile(task.queriesFile, `${[...new Set(words.filter((line) => line !== ''))].join('\n')}\n`);
  return task;
};

/** Ours as it is used, in the form of the others. */
const runOurs = async (task: SampledTask, folder: string, rounds: number): Promise<EngineRun> => {
  const engine = quarryEngine({ name: 'quarry', analyzer: 'default', scoring: 'default', way: 'import' });
  const home = join(folder, 'quarry');
  const { cpuMs, wallMs, documents } = await engine.index(task, home);
  const modes: Partial<Record<(typeof JOINS)[number], ModeRun>> = {};
  let indexBytes = 0;
  for (const mode of JOINS) {
    const topsFile = join(folder, `${mode}.tops`);
    const { queriesFile } = task;
    const { mean, peakBytes } = await engine.query(home, { queriesFile, mode, k: K, rounds, topsFile });
    indexBytes = Math.max(indexBytes, peakBytes);
    const tops = parseTops(await readFile(topsFile, 'utf8'), topsFile);
    modes[mode] = {
      mean,
      tops: Object.fromEntries([...tops].map(([query, hits]) => [query, hits.map(({ url }) => url)])),
    };
  }
  return { documents, cpuMs, wallMs, indexBytes, modes };
};

const MAX_HEAP_MB = 4096;
const TIME_LIMIT_MS = 600_000;
const ABORTED = 134;
const KILLED = 137;

/** Why a process that did not come to its end did not; undefined when it failed for other reasons than its size. */
const limitReached = ({ status, wallMs }: ProgramResult): string | undefined => {
  if (status === KILLED && wallMs >= TIME_LIMIT_MS) return `not done after ${TIME_LIMIT_MS / 60_000} minutes`;
  return status === ABORTED ? `out of memory at ${MAX_HEAP_MB / 1024} GB of heap` : undefined;
};

/** Figures, or in words why the engine cannot hold so much. @throws BENCH_PROGRAM_FAILED */
const runPeer = async (name: PeerName, task: SampledTask, rounds: number): Promise<EngineRun | string> => {
  const program = join(projectRoot, 'dist/bench/js-engines/run-engine.js');
  const options = ['--corpus', task.tsvFile, '--queries', task.queriesFile, '--rounds', String(rounds)];
  const words = ['--expose-gc', `--max-old-space-size=${MAX_HEAP_MB}`, program, name, ...options];
  const result = await runProgram(process.execPath, words, { timeoutMs: TIME_LIMIT_MS });
  const limit = limitReached(result);
  if (limit !== undefined) return limit;
  if (result.status !== 0) {
    const reason = result.stderr.trim().split('\n').slice(-3).join(' ');
    throw fail('BENCH_PROGRAM_FAILED', { program: name, status: result.status, reason });
  }
  return onlyRow<EngineRun>(name, result.stdout);
};

/** Mean share of our best ten that the other one has too, over queries that both answer. */
const overlap = (ours: ModeRun, theirs: ModeRun): number => {
  const shares = Object.entries(ours.tops).flatMap(([query, wanted]) => {
    const found = new Set(theirs.tops[query] ?? []);
    if (found.size === 0 || wanted.length === 0) return [];
    const common = wanted.filter((id) => found.has(id)).length;
    return [common / Math.min(K, Math.max(wanted.length, found.size))];
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
};

/** One engine's figures; a metric that says so of one that reached a limit. */
const measurementsOf = (subject: string, run: EngineRun | string, ours: EngineRun): Measurement[] => {
  if (typeof run === 'string') return [{ bench: 'js-engines', subject, metric: run, values: [Number.NaN] }];
  const of = (metric: string, value: number): Measurement => ({
    bench: 'js-engines',
    subject,
    metric,
    values: [value],
    context: { documents: run.documents },
  });
  const queries = JOINS.flatMap((mode) => {
    const found = run.modes[mode];
    const own = ours.modes[mode];
    if (found === undefined || own === undefined) return [];
    const same = run === ours ? [] : [of(`overlap with ours ${mode}`, overlap(own, found))];
    return [of(`µs/query ${mode}, mean`, found.mean), ...same];
  });
  return [
    of('build, CPU s', run.cpuMs / 1000),
    of('build, s', run.wallMs / 1000),
    of('memory to serve, MB', run.indexBytes / 1e6),
    ...queries,
  ];
};

/** Engines that run inside Node.js, each in a process of its own, on pages of the docs corpus. */
export const benchJsEngines = async (
  args: readonly string[],
  say: (text: string) => void,
): Promise<Measurement[]> => {
  const options = readOptions(args, {
    documents: '20000',
    rounds: '5',
    only: Object.keys(PEERS).join(','),
    page: '',
  });
  const rounds = wholeNumber('rounds', options.rounds);
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  try {
    const task = await sampleTask(wholeNumber('documents', options.documents), folder);
    say('quarry');
    const ours = await runOurs(task, folder, rounds);
    const measurements = measurementsOf('Quarry', ours, ours);
    for (const name of options.only.split(',').filter((each): each is PeerName => each in PEERS)) {
      say(PEERS[name]);
      measurements.push(...measurementsOf(PEERS[name], await runPeer(name, task, rounds), ours));
    }
    if (options.page !== '') await writeFile(options.page, enginesPage(measurements, thisMachine()));
    return measurements;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
