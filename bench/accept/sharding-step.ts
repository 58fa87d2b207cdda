import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTops, type Tops } from '../../query/index.ts';
import { builtProgram, sharedPath } from '../paths.ts';
import { runSuccessfully } from '../program.ts';
import { ensureCrawled } from './crawl-step.ts';
import type { StepContext } from './verdicts.ts';

const QUERIES = 'trec-terabyte-2005-efficiency-sample.txt';
const MODES = ['auto', 'or', 'and'] as const;

const quarry = (words: readonly string[]): Promise<unknown> =>
  runSuccessfully(process.execPath, [builtProgram('quarry'), ...words]);

/** Ten hits of every query, over so many shards. */
const topsOver = async (context: StepContext, data: string, shards: number): Promise<Map<string, Tops>> => {
  context.say(`indexing into ${shards} shards`);
  await quarry(['index', '--rebuild', '--shards', String(shards), '--data', data, '--quiet']);
  const tops = new Map<string, Tops>();
  for (const mode of MODES) {
    const file = join(context.workFolder, `tops-${shards}-${mode}.tsv`);
    const wanted = ['--queries', sharedPath('queries', QUERIES), '--mode', mode, '-k', '10', '--rounds', '1'];
    await quarry(['bench', 'query', '--data', data, ...wanted, '--tops', file, '--quiet']);
    tops.set(mode, parseTops(await readFile(file, 'utf8'), file));
  }
  return tops;
};

const claimSame = (context: StepContext, mode: string, one: Tops, eight: Tops): void => {
  const queries = new Set([...one.keys(), ...eight.keys()]);
  const differing = [...queries].filter(
    (query) => JSON.stringify(one.get(query)) !== JSON.stringify(eight.get(query)),
  );
  const hits = [...one.values()].reduce((sum, results) => sum + results.length, 0);
  const ties = [...one.values()].filter(
    (results) => new Set(results.map(({ score }) => score)).size < results.length,
  );
  const figure = `${one.size} queries with hits, ${hits} hits, ${ties.length} queries with ties, ${differing.length} differ${differing[0] === undefined ? '' : `, such as "${differing[0]}"`}`;
  context.claim(
    `one shard and eight give the same ten hits and scores (${mode})`,
    one.size > 0 && differing.length === 0,
    figure,
  );
};

/** The same pages in one shard and in eight. */
export const shardingStep = async (context: StepContext): Promise<void> => {
  const crawled = await ensureCrawled(context);
  const data = join(context.workFolder, 'sharding');
  await rm(data, { recursive: true, force: true });
  await cp(crawled, data, { recursive: true });
  const one = await topsOver(context, data, 1);
  const eight = await topsOver(context, data, 8);
  for (const mode of MODES)
    claimSame(context, mode, one.get(mode) ?? new Map(), eight.get(mode) ?? new Map());
};
