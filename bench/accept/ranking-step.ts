import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { builtProgram, sharedPath } from '../paths.ts';
import { runSuccessfully } from '../program.ts';
import { ensureCrawled } from './crawl-step.ts';
import { numberNamed, quarryRows } from './outputs.ts';
import type { StepContext } from './verdicts.ts';

const COLLECTIONS = ['npl', 'cacm', 'cranfield', 'med'] as const;
/** How far below a plain BM25 without any tuning one set of defaults may be. */
const ALLOWANCE = 0.02;
const INDEX_TERMS = 'localweb-index-terms';
/** The reference figure of that collection's README. */
const INDEX_TERMS_MRR10 = 0.669;
/** The manual's own index pages hold every term: the collection's README takes them out. */
const INDEX_PAGES = '/(bookindex|ch-concept_index|ch-option_index|ch-variable_index)\\.html$|/genindex[^/]*$';

const evaluateOn = async (
  data: string,
  collection: string,
  more: readonly string[] = [],
): Promise<unknown> => {
  const queries = sharedPath('collections', collection, 'queries.jsonl');
  const qrels = sharedPath('collections', collection, 'qrels.tsv');
  return quarryRows(['eval', '--data', data, '--queries', queries, '--qrels', qrels, ...more]);
};

/** nDCG@10 in the README's row for k1 0.9, b 0.4. */
const referenceOf = async (collection: string): Promise<number> => {
  const readme = await readFile(sharedPath('collections', collection, 'README.md'), 'utf8');
  return Number(/^\|\s*0\.9\s*\|\s*0\.4\s*\|\s*([\d.]+)\s*\|/m.exec(readme)?.[1]);
};

const shown = (value: number | undefined): string => (value === undefined ? 'no figure' : value.toFixed(4));

const claimCollection = async (context: StepContext, collection: string): Promise<void> => {
  const data = join(context.workFolder, collection);
  await rm(data, { recursive: true, force: true });
  const corpus = sharedPath('collections', collection, 'corpus.jsonl.gz');
  await runSuccessfully(process.execPath, [
    builtProgram('quarry'),
    'import',
    corpus,
    '--data',
    data,
    '--quiet',
  ]);
  const ndcg10 = numberNamed(await evaluateOn(data, collection), ['ndcg10']);
  const reference = await referenceOf(collection);
  const passed = ndcg10 !== undefined && ndcg10 >= reference - ALLOWANCE;
  context.claim(
    `${collection}: nDCG@10 with the defaults`,
    passed,
    `${shown(ndcg10)}, reference ${shown(reference)} - ${ALLOWANCE}`,
  );
};

const claimIndexTerms = async (context: StepContext): Promise<void> => {
  const data = await ensureCrawled(context);
  const mrr = async (more: readonly string[]): Promise<number | undefined> =>
    numberNamed(await evaluateOn(data, INDEX_TERMS, ['--exclude-url', INDEX_PAGES, ...more]), ['mrr10']);
  const onSite = await mrr(['--site', 'postgresql.test']);
  const open = await mrr([]);
  const passed = onSite !== undefined && onSite >= INDEX_TERMS_MRR10;
  context.claim(
    `${INDEX_TERMS}: MRR@10 on the manual's host`,
    passed,
    `${shown(onSite)}, reference ${INDEX_TERMS_MRR10}; all hosts searched ${shown(open)}`,
  );
};

/** Judged collections with one set of defaults for all. */
export const rankingStep = async (context: StepContext): Promise<void> => {
  for (const collection of COLLECTIONS) {
    context.say(`ranking ${collection}`);
    await claimCollection(context, collection);
  }
  context.say(`ranking ${INDEX_TERMS}`);
  await claimIndexTerms(context);
};
