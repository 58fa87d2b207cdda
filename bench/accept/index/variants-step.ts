import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../../alternate.ts';
import { docsTask } from '../../engines/corpus.ts';
import { JOINS, type Join } from '../../engines/engine.ts';
import { quarryEngine } from '../../engines/quarry.ts';
import { median } from '../../report.ts';
import type { Limits, StepContext } from '../verdicts.ts';
import { ensureIndex, type Subject } from './built-indexes.ts';
import { bareEngine, defaultEngine } from './engines.ts';

/** Two fifths of the corpus. */
const FILTER = 'site:rust-doc.test';
const WORN = { segments: 8, deleteEvery: 20 } as const;
const WORN_LIMITS: Limits = { goal: 1.3, minimum: 1.6, better: 'down' };
const DEFAULT_LIMITS: Limits = { goal: 1.6, minimum: 2, better: 'down' };

/** An index with the queries that it is asked. */
interface Variant {
  readonly name: string;
  readonly subject: Subject;
  readonly queriesFile: string;
}

const times = async (
  { effort, say }: StepContext,
  variants: readonly [Variant, Variant],
  mode: Join,
): Promise<readonly [number, number]> => {
  const runs = await alternate(variants, effort.runs, async ({ name, subject, queriesFile }) => {
    const { engine, folder } = subject;
    const { mean } = await engine.query(folder, { queriesFile, mode, k: 10, rounds: effort.rounds });
    say(`${name}, ${mode}: ${mean.toFixed(1)} µs`);
    return mean;
  });
  const [first, second] = variants;
  return [median(runs.get(first) ?? []), median(runs.get(second) ?? [])];
};

const measureAgainst = async (
  context: StepContext,
  variant: Variant,
  clean: Variant,
  limits: Limits,
): Promise<void> => {
  for (const mode of JOINS) {
    const [own, base] = await times(context, [variant, clean], mode);
    const figure = `${own.toFixed(1)} µs, ${clean.name} ${base.toFixed(1)} µs`;
    context.measure(`${variant.name} / ${clean.name} (${mode})`, own / base, limits, figure);
  }
};

/** What an index costs that is not clean, and what all fields cost: ours against ours. */
export const variantsStep = async (context: StepContext): Promise<void> => {
  const corpus = docsTask();
  const { queriesFile } = corpus;
  const clean = { name: 'clean', subject: await ensureIndex(context, bareEngine(), corpus), queriesFile };
  const wornEngine = quarryEngine({
    name: 'Quarry worn',
    analyzer: 'lucene-english',
    scoring: 'lucene-compat',
    way: 'bare',
    worn: WORN,
  });
  const filtered = join(context.workFolder, 'filtered.txt');
  const queries = (await readFile(queriesFile, 'utf8')).split('\n').filter((line) => line !== '');
  await writeFile(filtered, queries.map((query) => `${query} ${FILTER}\n`).join(''));
  const worn = {
    name: '5 % deleted, 8 segments, a filter',
    subject: await ensureIndex(context, wornEngine, corpus),
    queriesFile: filtered,
  };
  await measureAgainst(context, worn, clean, WORN_LIMITS);
  const all = {
    name: 'default scoring',
    subject: await ensureIndex(context, defaultEngine(), corpus),
    queriesFile,
  };
  await measureAgainst(context, all, { ...clean, name: 'lucene-compat' }, DEFAULT_LIMITS);
};
