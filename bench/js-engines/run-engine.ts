/**
 * run-engine.js ENGINE --corpus CORPUS.tsv --queries QUERIES.txt [--k 10] [--rounds 5]
 *
 * Indexes a corpus of id, title and text in memory, then asks every query in every mode that the engine has. Prints an
 * EngineRun.
 */
import { readFile } from 'node:fs/promises';
import { JOINS, type Join } from '../engines/engine.ts';
import { fail } from '../errors.ts';
import { readOptions, wholeNumber } from '../options.ts';
import { createFlexSearch } from './flexsearch.ts';
import type { JsDocument, JsEngine } from './js-engine.ts';
import { createMiniSearch } from './minisearch.ts';
import { createOrama } from './orama.ts';
import { createSqlite } from './sqlite.ts';

export interface ModeRun {
  /** Microseconds: of each query the best round, then the mean. */
  readonly mean: number;
  /** Ids by query. */
  readonly tops: Readonly<Record<string, readonly string[]>>;
}

export interface EngineRun {
  readonly documents: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Memory when all is indexed and rubbish is collected, less what the process took with the texts alone. */
  readonly indexBytes: number;
  readonly modes: Readonly<Partial<Record<Join, ModeRun>>>;
}

const ENGINES: Readonly<Record<string, () => JsEngine>> = {
  minisearch: createMiniSearch,
  flexsearch: createFlexSearch,
  orama: createOrama,
  sqlite: createSqlite,
};

/** Nothing more is asked after so long: of slow engines the first queries count, asked once. */
const MODE_LIMIT_MS = 20_000;

const readLines = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');

const documentOf = (line: string): JsDocument => {
  const [id = '', title = '', text = ''] = line.split('\t');
  return { id, title, text };
};

/** Of the heap and of buffers, rubbish collected: a resident set does not shrink when texts are let go. */
const usedBytes = (): number => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const runMode = async (
  engine: JsEngine,
  mode: Join,
  queries: readonly string[],
  { k, rounds }: { readonly k: number; readonly rounds: number },
): Promise<ModeRun> => {
  const best = queries.map(() => Infinity);
  const tops: Record<string, readonly string[]> = {};
  const begun = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, query] of queries.entries()) {
      if (performance.now() - begun > MODE_LIMIT_MS) break;
      const started = performance.now();
      tops[query] = await engine.search(query, mode, k);
      best[index] = Math.min(best[index] ?? Infinity, performance.now() - started);
    }
  }
  const asked = best.filter(Number.isFinite);
  const sumMs = asked.reduce((sum, time) => sum + time, 0);
  return { mean: (sumMs * 1000) / asked.length, tops };
};

const [name = '', ...rest] = process.argv.slice(2);
const create = ENGINES[name];
if (create === undefined)
  throw fail('BENCH_UNKNOWN_NAME', { kind: 'engine', name, known: Object.keys(ENGINES).join(', ') });
const options = readOptions(rest, { corpus: '', queries: '', k: '10', rounds: '5' });
const effort = { k: wholeNumber('k', options.k), rounds: wholeNumber('rounds', options.rounds) };
const documents = (await readLines(options.corpus)).map(documentOf);
const queries = await readLines(options.queries);
const engine = create();
const bytesBefore = usedBytes();
const cpuBefore = process.cpuUsage();
const started = performance.now();
await engine.index(documents);
const wallMs = performance.now() - started;
const { user, system } = process.cpuUsage(cpuBefore);
const modes: Partial<Record<Join, ModeRun>> = {};
const indexBytes = usedBytes() - bytesBefore + (engine.nativeBytes?.() ?? 0);
for (const mode of JOINS) {
  if (engine.modes.includes(mode)) modes[mode] = await runMode(engine, mode, queries, effort);
}
const run: EngineRun = {
  documents: documents.length,
  cpuMs: (user + system) / 1000,
  wallMs,
  indexBytes,
  modes,
};
process.stdout.write(`${JSON.stringify(run)}\n`);
