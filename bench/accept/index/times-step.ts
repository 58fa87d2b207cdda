import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../../alternate.ts';
import { docsTask } from '../../engines/corpus.ts';
import type { Join, QueryFigures } from '../../engines/engine.ts';
import { luceneEngine } from '../../engines/lucene.ts';
import { tantivyEngine } from '../../engines/tantivy.ts';
import { sharedPath } from '../../paths.ts';
import { median } from '../../report.ts';
import type { Limits, StepContext } from '../verdicts.ts';
import { ensureIndex, type Subject } from './built-indexes.ts';
import { bareEngine } from './engines.ts';
import { queriesReadAlike } from './token-stream.ts';

/** A row of the table: how many times as long as ours the better peer takes. */
interface Row {
  readonly name: string;
  readonly queries: string;
  readonly mode: Join;
  readonly k: number;
  readonly limits: Limits;
}

const CORPUS_QUERIES = 'docs-corpus.txt';

const ROWS: readonly Row[] = [
  { name: 'OR top-10', queries: CORPUS_QUERIES, mode: 'or', k: 10, limits: { goal: 2.5, minimum: 1.6 } },
  { name: 'AND top-10', queries: CORPUS_QUERIES, mode: 'and', k: 10, limits: { goal: 1.5, minimum: 1 } },
  {
    name: 'PHRASE top-10',
    queries: CORPUS_QUERIES,
    mode: 'phrase',
    k: 10,
    limits: { goal: 2, minimum: 1.25 },
  },
  { name: 'OR top-100', queries: CORPUS_QUERIES, mode: 'or', k: 100, limits: { goal: 2, minimum: 1.3 } },
  {
    name: 'single words top-10',
    queries: 'docs-terms.txt',
    mode: 'or',
    k: 10,
    limits: { goal: 2, minimum: 1 },
  },
];

const describe = (name: string, runs: readonly QueryFigures[]): string => {
  const means = runs.map(({ mean }) => mean);
  const spread = `${Math.min(...means).toFixed(1)} to ${Math.max(...means).toFixed(1)}`;
  return `${name} ${median(means).toFixed(1)} µs (${spread}, ${runs[0]?.queries ?? 0} queries)`;
};

/** Phrases that every engine reads alike: peers leave out those of one word, and close the gap of a stop word. */
const queriesOf = async ({ workFolder }: StepContext, { queries, mode }: Row): Promise<string> => {
  const file = sharedPath('queries', queries);
  if (mode !== 'phrase') return file;
  const { phrases } = await queriesReadAlike(file, 'lucene-english');
  const phrasesFile = join(workFolder, 'phrases.txt');
  await writeFile(phrasesFile, phrases.map((query) => `${query}\n`).join(''));
  return phrasesFile;
};

const timeRow = async (context: StepContext, subjects: readonly Subject[], row: Row): Promise<void> => {
  const { effort, say } = context;
  const queriesFile = await queriesOf(context, row);
  const { mode, k } = row;
  const runs = await alternate(subjects, effort.runs, async ({ engine, folder }) => {
    const figures = await engine.query(folder, { queriesFile, mode, k, rounds: effort.rounds });
    say(`${row.name}: ${engine.name} ${figures.mean.toFixed(1)} µs`);
    return figures;
  });
  const mean = (subject: Subject): number => median((runs.get(subject) ?? []).map((each) => each.mean));
  const [ours, ...peers] = subjects as readonly [Subject, ...Subject[]];
  const better = Math.min(...peers.map(mean));
  const figure = [...runs].map(([{ engine }, list]) => describe(engine.name, list)).join(', ');
  context.measure(`${row.name}, better peer / ours`, better / mean(ours), row.limits, figure);
};

/** Query times beside Lucene and Tantivy: one segment, one field, one thread on one core, alternating. */
export const timesStep = async (context: StepContext): Promise<void> => {
  const corpus = docsTask();
  const subjects: Subject[] = [];
  for (const engine of [bareEngine(), luceneEngine(), tantivyEngine()]) {
    subjects.push(await ensureIndex(context, engine, corpus));
  }
  for (const row of ROWS) await timeRow(context, subjects, row);
};
