import type { PositionsCursor } from '../postings/posting-cursor.ts';
import { type ExplainedGroup, explainScore } from '../score/explain.ts';
import type { Scorer } from '../score/scorer.ts';
import type { Segment } from '../segment/segment.ts';
import type { ScoreExplanation } from '../server/shard-client.ts';
import { FIELD_NAMES } from '../values/fields.ts';
import { groupCursor } from './group-cursor.ts';
import { phraseOccurrences } from './phrase-score.ts';
import type { QueryPlan, TermGroup } from './query-plan.ts';
import { bindQuery, holdsAllPhrases, isAdmitted, isOn } from './segment-query.ts';

/** Words of the plan that the document holds, on it; those of phrases as their words or as the whole phrase. */
const groupsOn = (plan: QueryPlan, segment: Segment, scorer: Scorer, doc: number): ExplainedGroup[] => {
  const onDocument = ({ terms, weight }: TermGroup): (ExplainedGroup & { cursor: PositionsCursor })[] => {
    const cursor = groupCursor(segment, scorer, { terms, weight });
    return cursor?.advance(doc) === doc ? [{ terms, weight, cursor }] : [];
  };
  const phrases = plan.phrases.flatMap(({ words }) => {
    const placed = words.flatMap(({ group, offset }) =>
      onDocument(group).map((found) => ({ ...found, offset })),
    );
    if (!scorer.scoresPhrases) return placed;
    const cursor = phraseOccurrences(placed, segment, scorer);
    return placed.map(({ terms, weight }) => ({ terms, weight, cursor }));
  });
  return [...phrases, ...[...plan.required, ...plan.optional].flatMap(onDocument)];
};

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
  const groups = groupsOn(plan, segment, scorer, doc);
  const lengthCodes = FIELD_NAMES.map((field) => segment.lengthCodes(field)[doc] ?? 0);
  return explainScore({ groups, lengthCodes, staticScore: segment.staticScore(doc) }, scorer);
};
