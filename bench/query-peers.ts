import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseQueries } from '../query/index.ts';
import { fail } from './errors.ts';
import { readOptions, wholeNumber } from './options.ts';
import { builtProgram, peersRoot, sharedPath } from './paths.ts';
import { jsonLines, runSuccessfully } from './program.ts';
import type { Measurement } from './report.ts';

const MODES = ['or', 'and', 'phrase'] as const;

interface QueryFigures {
  /** Microseconds. */
  readonly mean: number;
  readonly queries: number;
}

/** The same documents and queries in the forms that each program reads. */
interface Task {
  readonly corpus: string;
  readonly folder: string;
  readonly jsonlFile: string;
  readonly tsvFile: string;
  readonly queriesFile: string;
}

interface CollectionDocument {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

const oneLine = (text = ''): string => text.replace(/\s+/g, ' ').trim();

/** A judged collection as a corpus: only its documents and query texts are used here. */
const collectionTask = async (corpus: string, folder: string): Promise<Task> => {
  const packed = await readFile(sharedPath('collections', corpus, 'corpus.jsonl.gz'));
  const documents = jsonLines<CollectionDocument>(gunzipSync(packed).toString('utf8'));
  const queriesSource = sharedPath('collections', corpus, 'queries.jsonl');
  const queries = parseQueries(await readFile(queriesSource, 'utf8'), queriesSource);
  const rows = documents.map(({ id, title, text }) => ({
    id: String(id),
    title: oneLine(title),
    text: oneLine(text),
  }));
  const task = {
    corpus,
    folder,
    jsonlFile: join(folder, 'corpus.jsonl'),
    tsvFile: join(folder, 'corpus.tsv'),
    queriesFile: join(folder, 'queries.txt'),
  };
  await writeFile(task.jsonlFile, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(task.tsvFile, rows.map(({ id, title, text }) => `${id}\t${title}\t${text}\n`).join(''));
  // Signs of the query language would mean different things to the two programs.
  const plain = queries.map(({ text }) => oneLine(text.replace(/[^\p{L}\p{N}\s]/gu, ' ')));
  await writeFile(task.queriesFile, plain.map((text) => `${text}\n`).join(''));
  return task;
};

/** The large corpus that peers/install.sh lays out. @throws BENCH_PEER_MISSING */
const docsTask = (folder: string): Task => {
  const home = join(peersRoot, 'docs');
  if (!existsSync(join(home, 'corpus.tsv'))) {
    const remedy = `run: sh ${sharedPath('peers', 'install.sh')} corpus ${peersRoot}`;
    throw fail('BENCH_PEER_MISSING', { peer: 'the docs corpus', path: home, remedy });
  }
  return {
    corpus: 'docs',
    folder,
    jsonlFile: join(home, 'corpus.jsonl'),
    tsvFile: join(home, 'corpus.tsv'),
    queriesFile: sharedPath('queries', 'docs-corpus.txt'),
  };
};

/** Bytes of a folder's files by ending. */
const bytesByEnding = async (folder: string): Promise<Map<string, number>> => {
  const sizes = new Map<string, number>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const ending = extname(entry.name);
    const { size } = await stat(join(entry.parentPath, entry.name));
    sizes.set(ending, (sizes.get(ending) ?? 0) + size);
  }
  return sizes;
};

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** What `quarry import --json` prints. */
interface ImportRow {
  readonly index: { readonly documents: number };
}

/** An engine with the task's documents indexed. */
interface Engine {
  readonly name: string;
  readonly documents: number;
  /** Bytes by part of the index. */
  readonly bytes: ReadonlyMap<string, number>;
  readonly query: (mode: string, rounds: number) => Promise<QueryFigures>;
}

/** One thread on one core, so that neither a compiler's nor a collector's thread is counted as the engine's. */
const PINNED = ['-c', '1'];

/** What ours does by default, and what it does when it is asked to index and score as Lucene does. */
interface Variant {
  readonly name: string;
  readonly analyzer: string;
  readonly scoring: string;
}

const VARIANTS: readonly Variant[] = [
  { name: 'quarry', analyzer: 'default', scoring: 'default' },
  { name: 'quarry lucene-compat', analyzer: 'lucene-english', scoring: 'lucene-compat' },
];

const prepareOurs = async (task: Task, { name, analyzer, scoring }: Variant): Promise<Engine> => {
  const program = builtProgram('quarry');
  const data = join(task.folder, analyzer);
  const settings = ['--data', data, '--shards', '1', '--analyzer', analyzer];
  const made = await runSuccessfully(process.execPath, [
    program,
    'import',
    ...settings,
    '--json',
    '--quiet',
    task.jsonlFile,
  ]);
  return {
    name,
    documents: onlyRow<ImportRow>(made.stdout).index.documents,
    bytes: await bytesByEnding(join(data, 'shards')),
    query: async (mode, rounds) => {
      const wanted = ['--queries', task.queriesFile, '--mode', mode, '-k', '10', '--rounds', String(rounds)];
      const from = ['--data', data, '--scoring', scoring, '--json'];
      const words = [process.execPath, program, 'bench', 'query', ...from, ...wanted];
      return onlyRow((await runSuccessfully('taskset', [...PINNED, ...words])).stdout);
    },
  };
};

const prepareLucene = async (task: Task): Promise<Engine> => {
  const program = join(peersRoot, 'lucene-bench');
  if (!existsSync(program)) {
    const remedy = `run: sh ${sharedPath('peers', 'install.sh')} lucene ${peersRoot}`;
    throw fail('BENCH_PEER_MISSING', { peer: 'Lucene', path: program, remedy });
  }
  const index = join(task.folder, 'lucene');
  const { stdout } = await runSuccessfully(program, ['index', task.tsvFile, index, '1']);
  const made = onlyRow<{ readonly peer: string; readonly docs: number; readonly bytes: number }>(stdout);
  return {
    name: made.peer,
    documents: made.docs,
    bytes: new Map([['', made.bytes]]),
    query: async (mode, rounds) => {
      const words = [program, 'query', index, task.queriesFile, mode, String(rounds), '10'];
      return onlyRow((await runSuccessfully('taskset', [...PINNED, ...words])).stdout);
    },
  };
};

const onlyRow = <Row>(stdout: string): Row => {
  const [row] = jsonLines<Row>(stdout);
  if (row === undefined)
    throw fail('BENCH_PROGRAM_FAILED', { program: 'query', status: 0, reason: 'printed no figures' });
  return row;
};

const sizeMeasurements = ({ name, documents, bytes }: Engine, corpus: string): Measurement[] => {
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

/** Times each mode, engines alternating. */
const timeMeasurements = async (
  engines: readonly Engine[],
  settings: { readonly runs: number; readonly rounds: number; readonly corpus: string },
  say: (text: string) => void,
): Promise<Measurement[]> => {
  const measurements: Measurement[] = [];
  for (const mode of MODES) {
    const figures = new Map<Engine, QueryFigures[]>(engines.map((engine) => [engine, []]));
    for (let run = 0; run < settings.runs; run++) {
      for (const engine of run % 2 === 0 ? engines : engines.toReversed()) {
        const once = await engine.query(mode, settings.rounds);
        figures.get(engine)?.push(once);
        say(`${engine.name}, ${mode}: mean ${once.mean.toFixed(1)} µs over ${once.queries} queries`);
      }
    }
    for (const [{ name }, list] of figures) {
      const context = {
        corpus: settings.corpus,
        k: 10,
        queries: list[0]?.queries ?? 0,
        rounds: settings.rounds,
      };
      measurements.push({
        bench: 'query',
        subject: name,
        metric: `µs/query ${mode}, mean`,
        values: list.map(({ mean }) => mean),
        context,
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
    corpus: options.corpus,
  };
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  try {
    const task = options.corpus === 'docs' ? docsTask(folder) : await collectionTask(options.corpus, folder);
    const engines = [await prepareLucene(task)];
    for (const variant of VARIANTS) engines.unshift(await prepareOurs(task, variant));
    const sizes = engines.flatMap((engine) => sizeMeasurements(engine, options.corpus));
    return [...sizes, ...(await timeMeasurements(engines, settings, say))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
