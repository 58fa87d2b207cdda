import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { docsTask } from '../../engines/corpus.ts';
import { sharedPath } from '../../paths.ts';
import { jsonLines } from '../../program.ts';
import { claimShardingsAgree } from '../shardings.ts';
import type { StepContext } from '../verdicts.ts';
import { ensureIndex } from './built-indexes.ts';
import { defaultEngine } from './engines.ts';

const LISTS = [
  'docs-corpus.txt',
  'docs-terms.txt',
  'trec-mq-2007.txt',
  'trec-terabyte-2005-efficiency-sample.txt',
] as const;
const BENCHMARK = 'benchmark-queries.jsonl';

/** Every query of the shared lists once. */
const allQueries = async (): Promise<string[]> => {
  const queries = new Set<string>();
  for (const list of LISTS) {
    for (const line of (await readFile(sharedPath('queries', list), 'utf8')).split('\n')) {
      if (line.trim() !== '') queries.add(line.trim());
    }
  }
  const benchmark = await readFile(sharedPath('queries', BENCHMARK), 'utf8');
  for (const { query } of jsonLines<{ readonly query: string }>(benchmark)) queries.add(query);
  return [...queries];
};

/** The docs corpus in one shard, in four and in sixteen: identical on every query of the shared lists. */
export const shardsStep = async (context: StepContext): Promise<void> => {
  const { folder } = await ensureIndex(context, defaultEngine(), docsTask());
  const data = join(context.workFolder, 'shards');
  await rm(data, { recursive: true, force: true });
  await cp(folder, data, { recursive: true });
  const queriesFile = join(context.workFolder, 'all-queries.txt');
  await writeFile(queriesFile, (await allQueries()).map((query) => `${query}\n`).join(''));
  await claimShardingsAgree(context, { data, shardCounts: [1, 4, 16], queriesFile });
};
