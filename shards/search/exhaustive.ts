import { holdsAllPhrases, isAdmitted, isOn, type SegmentQuery, scoreOf } from './segment-query.ts';

/** Called with every matching document in rising order; returning false ends the walk. */
export type MatchVisitor = (doc: number, score: number) => boolean;

const matches = (query: SegmentQuery, doc: number): boolean => {
  if (!query.required.every(({ cursor }) => isOn(cursor, doc))) return false;
  const holdsOptional = query.optional.filter(({ cursor }) => isOn(cursor, doc)).length > 0;
  if (query.required.length === 0 && query.optional.length > 0 && !holdsOptional) return false;
  return isAdmitted(query, doc) && holdsAllPhrases(query);
};

/**
 * The oracle: asks every document of the segment in turn whether it matches and adds up its score. Slow and obvious;
 * all other evaluations must give the same scores.
 */
export const exhaustive = (query: SegmentQuery, visit: MatchVisitor): void => {
  for (let doc = 0; doc < query.segment.docCount; doc++) {
    if (!matches(query, doc)) continue;
    let score = query.segment.staticScore(doc);
    for (const clause of [...query.required, ...query.optional]) {
      if (isOn(clause.cursor, doc)) score += scoreOf(clause);
    }
    if (!visit(doc, score - (query.phraseExcess?.() ?? 0))) return;
  }
};
