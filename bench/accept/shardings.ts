import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTops, type Tops } from '../../query/index.ts';
import { builtProgram } from '../paths.ts';
import { runSuccessfully } from '../program.ts';
import type { StepContext } from './verdicts.ts';

const MODES = ['auto', 'or', 'and'] as const;

interface ShardingTask {
  /** A data folder whose index may be made anew. */
  readonly data: string;
  /** The first one is what the others are compared with. */
  readonly shardCounts: readonly number[];
  /** One query a line. */
  readonly queriesFile: string;
}

const quarry = (words: readonly string[]): Promise<unknown> =>
  runSuccessfully(process.execPath, [builtProgram('quarry'), ...words]);

/** Ten hits of every query, over so many shards. */
const topsOver = async (
  context: StepContext,
  { data, queriesFile }: ShardingTask,
  shards: number,
): Promise<Map<string, Tops>> => {
  context.say(`indexing into ${shards} shards`);
  await quarry(['index', '--rebuild', '--shards', String(shards), '--data', data, '--quiet']);
  const tops = new Map<string, Tops>();
  for (const mode of MODES) {
    context.say(`asking ${shards} shards, ${mode}`);
    const file = join(context.workFolder, `tops-${shards}-${mode}.tsv`);
    const wanted = ['--queries', queriesFile, '--mode', mode, '-k', '10', '--rounds', '1'];
    await quarry(['bench', 'query', '--data', data, ...wanted, '--tops', file, '--quiet']);
    tops.set(mode, parseTops(await readFile(file, 'utf8'), file));
  }
  return tops;
};

const describe = (tops: Tops, differing: readonly string[]): string => {
  const hits = [...tops.values()].reduce((sum, results) => sum + results.length, 0);
  const ties = [...tops.values()].filter(
    (results) => new Set(results.map(({ score }) => score)).size < results.length,
  );
  const example = differing[0] === undefined ? '' : `, such as "${differing[0]}"`;
  return `${tops.size} queries with hits, ${hits} hits, ${ties.length} queries with ties, ${differing.length} differ${example}`;
};

const claimSame = (context: StepContext, claim: string, base: Tops, other: Tops): void => {
  const queries = new Set([...base.keys(), ...other.keys()]);
  const differing = [...queries].filter(
    (query) => JSON.stringify(base.get(query)) !== JSON.stringify(other.get(query)),
  );
  context.claim(claim, base.size > 0 && differing.length === 0, describe(base, differing));
};

/** The same pages in different numbers of shards, each with statistics of its own epoch: hits and scores are equal. */
export const claimShardingsAgree = async (context: StepContext, task: ShardingTask): Promise<void> => {
  const [first = 1, ...others] = task.shardCounts;
  const base = await topsOver(context, task, first);
  for (const shards of others) {
    const tops = await topsOver(context, task, shards);
    for (const mode of MODES) {
      const claim = `${first} and ${shards} shards give the same ten hits and scores (${mode})`;
      claimSame(context, claim, base.get(mode) ?? new Map(), tops.get(mode) ?? new Map());
    }
  }
};
