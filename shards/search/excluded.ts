import { NO_MORE_DOCS } from '../postings/posting-cursor.ts';
import type { Scorer } from '../score/scorer.ts';
import type { Segment } from '../segment/segment.ts';
import { DocSet } from './doc-set.ts';
import { allowedDocuments } from './filters.ts';
import { groupCursor } from './group-cursor.ts';
import { type PhraseWord, phraseMatches } from './phrase.ts';
import type { PhraseClause, QueryPlan, TermGroup } from './query-plan.ts';
import { isOn } from './segment-query.ts';

interface Source {
  readonly segment: Segment;
  readonly scorer: Scorer;
}

function* holdersOf({ segment, scorer }: Source, group: TermGroup): Generator<number> {
  const cursor = groupCursor(segment, scorer, group);
  while (cursor !== undefined && cursor.next() !== NO_MORE_DOCS) yield cursor.doc;
}

function* holdersOfPhrase({ segment, scorer }: Source, { words }: PhraseClause): Generator<number> {
  const bound: PhraseWord[] = [];
  for (const { group, offset } of words) {
    const cursor = groupCursor(segment, scorer, group);
    if (cursor === undefined) return;
    bound.push({ cursor, offset });
  }
  const [lead] = bound;
  while (lead !== undefined && lead.cursor.next() !== NO_MORE_DOCS) {
    const { doc } = lead.cursor;
    if (bound.every(({ cursor }) => isOn(cursor, doc)) && phraseMatches(bound)) yield doc;
  }
}

/**
 * Documents of the segment that filters, deletes and excluded words and phrases leave over, as a set: for evaluations
 * that do not look at documents in their order. undefined when that is all of them.
 */
export const admittedDocuments = (segment: Segment, plan: QueryPlan, scorer: Scorer): DocSet | undefined => {
  const allowed = allowedDocuments(segment, plan);
  if (plan.excluded.length + plan.excludedPhrases.length === 0) return allowed;
  const source: Source = { segment, scorer };
  const admitted = (allowed ?? DocSet.all(segment.docCount)).copy();
  for (const group of plan.excluded) for (const doc of holdersOf(source, group)) admitted.delete(doc);
  for (const phrase of plan.excludedPhrases) {
    for (const doc of holdersOfPhrase(source, phrase)) admitted.delete(doc);
  }
  return admitted;
};
