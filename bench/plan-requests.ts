import { readFile } from 'node:fs/promises';
import { parseQuery, plainWords, planQuery, queryConfig, queryLanguages } from '../query/index.ts';
import { createAnalyser, type SearchRequest, type ShardClient } from '../shards/index.ts';

const K = 10;
const BUDGET_MS = 60_000;

/** Searches for the best ten of each query of a file, one a line, planned as a broker does under the node's epoch. */
export const planRequests = async (node: ShardClient, file: string): Promise<SearchRequest[]> => {
  const statistics = await node.statistics();
  const context = {
    statistics,
    analyser: createAnalyser((await node.status()).analyser),
    languages: queryLanguages(statistics, queryConfig.parse()),
    mode: 'auto' as const,
  };
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line) => {
    const { plan } = planQuery(parseQuery(plainWords(line)), context);
    return plan === undefined ? [] : [{ plan, k: K, evaluation: 'pruned', budgetMs: BUDGET_MS } as const];
  });
};
