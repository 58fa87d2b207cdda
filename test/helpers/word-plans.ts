import { inverseDocumentFrequency, termWeight } from '../../shards/score/bm25f.ts';
import type { QueryPlan } from '../../shards/search/query-plan.ts';
import type { SearchRequest, ShardClient } from '../../shards/server/shard-client.ts';

export const EMPTY_CLAUSES = {
  optional: [],
  required: [],
  phrases: [],
  excluded: [],
  excludedPhrases: [],
  sites: [],
  excludedSites: [],
} as const;

/** A plan of plain words under the epoch in force. */
export const planOf = async (
  node: ShardClient,
  clauses: Partial<Record<'optional' | 'required' | 'excluded', readonly string[]>>,
): Promise<QueryPlan> => {
  const statistics = await node.statistics();
  const group = (term: string) => ({
    terms: [term],
    weight: termWeight(
      inverseDocumentFrequency(statistics.docCount, Math.max(1, statistics.documentFrequency(term))),
    ),
  });
  const { optional = [], required = [], excluded = [] } = clauses;
  return {
    epoch: statistics.epoch,
    ...EMPTY_CLAUSES,
    optional: optional.map(group),
    required: required.map(group),
    excluded: excluded.map(group),
  };
};

/** A request for the ten best, with time enough. */
export const requestOf = (plan: QueryPlan, rest: Partial<SearchRequest> = {}): SearchRequest => ({
  plan,
  k: 10,
  evaluation: 'pruned',
  budgetMs: 60_000,
  ...rest,
});
