import type { IndexStatistics } from '../../shards/index.ts';
import type { PlannedQuery } from '../language/planner.ts';
import type { QueryTree } from '../language/tree.ts';
import { warning } from '../language/warnings.ts';
import type { Answer } from './answer.ts';
import { composeAnswer, emptyAnswer } from './compose.ts';
import type { FrequencyDrift } from './frequency-drift.ts';
import type { Wanted } from './request.ts';
import { type Asked, type RoundContext, type Scan, scanShards, showWinners } from './round.ts';
import { termsOf, type UnknownTerms } from './unknown-terms.ts';

/** A query, where it runs, and what the broker remembers between queries. */
export interface QueryTask {
  readonly wanted: Wanted;
  readonly tree: QueryTree;
  readonly context: RoundContext;
  readonly plan: (statistics: IndexStatistics) => PlannedQuery;
  readonly unknownTerms: UnknownTerms;
  readonly drift: FrequencyDrift;
}

/** An answer, and what would be a reason to ask again. */
export interface RoundAnswer {
  readonly answer: Answer;
  /** Whether a page of a hit could not be had: a node may have swapped its generation between search and pages. */
  readonly lostPages: boolean;
}

/** Plans with the epoch and what is known beside it. */
const planNow = ({ plan, unknownTerms, context }: QueryTask): PlannedQuery =>
  plan(unknownTerms.over(context.statistics));

/** Books the frequencies that came with a scan; true if a term's was news, so that the query weighs otherwise now. */
const takeIn = (task: QueryTask, terms: readonly string[], { gathered }: Scan): boolean => {
  const { context, unknownTerms, drift } = task;
  const { statistics } = context;
  const counts = new Map(terms.map((term, index) => [term, gathered.frequencies[index] ?? 0]));
  const isKnown = (term: string): boolean => statistics.documentFrequency(term) > 0;
  const countsOf = (chosen: readonly string[]) => chosen.map((term) => counts.get(term) ?? 0);
  const known = terms.filter(isKnown);
  if (gathered.shards.ok === gathered.shards.total) drift.observe(statistics, known, countsOf(known));
  const unknown = terms.filter((term) => !isKnown(term));
  return unknownTerms.learn(statistics.epoch, unknown, countsOf(unknown));
};

/** Asks what `choose` takes of the plan; again when shards hold pages with words that the epoch does not know. */
const scan = async (
  task: QueryTask,
  choose: (planned: PlannedQuery) => Asked | undefined,
): Promise<Scan | undefined> => {
  const { wanted, context, drift } = task;
  const asked = choose(planNow(task));
  if (asked === undefined) return undefined;
  const isSample = drift.isDue();
  const terms = termsOf(asked.plan).filter(
    (term) => isSample || context.statistics.documentFrequency(term) === 0,
  );
  const first = await scanShards(asked, terms, wanted, context);
  if (!takeIn(task, terms, first)) return first;
  const again = choose(planNow(task));
  return again === undefined ? first : scanShards(again, [], wanted, context);
};

const strictly = ({ plan, marks }: PlannedQuery): Asked | undefined =>
  plan === undefined ? undefined : { plan, marks };
const loosely = ({ loosened }: PlannedQuery): Asked | undefined => loosened;

/**
 * Answers a query under one epoch. When a node does not know that epoch, `fallBack` answers instead; without it the node
 * counts as failed.
 */
export const answerQuery = async (
  task: QueryTask,
  fallBack?: () => Promise<RoundAnswer>,
): Promise<RoundAnswer> => {
  const { wanted, tree, context } = task;
  const { view, watch, statistics } = context;
  const warnings = [...tree.warnings, ...planNow(task).warnings];
  watch.lap('parse');
  const question = { query: wanted.q, tree, warnings, view, watch, epoch: statistics.epoch };
  const strict = await scan(task, strictly);
  if (strict === undefined) return { answer: emptyAnswer(question), lostPages: false };
  if (strict.gathered.unknownEpoch && fallBack !== undefined) return fallBack();
  const loose = strict.total.value === 0 ? await scan(task, loosely) : undefined;
  const round = await showWinners(loose ?? strict, wanted, context);
  if (loose !== undefined && round.total.value > 0) warnings.push(warning('loosened'));
  return { answer: composeAnswer(question, round), lostPages: round.lostPages };
};
