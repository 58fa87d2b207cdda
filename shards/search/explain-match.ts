import { type ExplainedGroup, explainScore } from '../score/explain.ts';
import type { Scorer } from '../score/scorer.ts';
import type { Segment } from '../segment/segment.ts';
import type { ScoreExplanation } from '../server/shard-client.ts';
import { FIELD_NAMES } from '../values/fields.ts';
import { groupCursor } from './group-cursor.ts';
import type { QueryPlan, TermGroup } from './query-plan.ts';
import { bindQuery, holdsAllPhrases, isAdmitted, isOn } from './segment-query.ts';

const scoredGroups = (plan: QueryPlan): TermGroup[] => [
  ...plan.phrases.flatMap(({ words }) => words.map(({ group }) => group)),
  ...plan.required,
  ...plan.optional,
];

/** What the document lacks, undefined when it matches. */
const whyNot = (plan: QueryPlan, segment: Segment, scorer: Scorer, doc: number): string | undefined => {
  const query = bindQuery(plan, segment, scorer);
  if (query === undefined) return 'a required word stands in no document of its segment';
  if (!query.required.every(({ cursor }) => isOn(cursor, doc))) return 'it lacks a required word';
  const isFree = query.required.length > 0 || query.optional.length === 0;
  if (!isFree && !query.optional.some(({ cursor }) => isOn(cursor, doc))) return 'it holds none of the words';
  if (!isAdmitted(query, doc)) return 'a filter or an excluded word leaves it out, or it is deleted';
  return holdsAllPhrases(query) ? undefined : 'the words of a phrase do not stand side by side';
};

/** Explains the score of one document of a segment; value 0 with the reason when the plan does not match it. */
export const explainMatch = (
  plan: QueryPlan,
  segment: Segment,
  scorer: Scorer,
  doc: number,
): ScoreExplanation => {
  const reason = whyNot(plan, segment, scorer, doc);
  if (reason !== undefined) return { value: 0, what: `no match: ${reason}` };
  const groups: ExplainedGroup[] = [];
  for (const { terms, weight } of scoredGroups(plan)) {
    const cursor = groupCursor(segment, scorer, { terms, weight });
    if (cursor?.advance(doc) === doc) groups.push({ terms, weight, cursor });
  }
  const lengthCodes = FIELD_NAMES.map((field) => segment.lengthCodes(field)[doc] ?? 0);
  return explainScore({ groups, lengthCodes, staticScore: segment.staticScore(doc) }, scorer);
};
