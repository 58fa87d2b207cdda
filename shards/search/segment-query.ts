import type { PositionsCursor } from '../postings/posting-cursor.ts';
import { contribution } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import type { Segment } from '../segment/segment.ts';
import type { DocSet } from './doc-set.ts';
import { allowedDocuments } from './filters.ts';
import { groupCursor } from './group-cursor.ts';
import { type PhraseWord, phraseMatches } from './phrase.ts';
import { phraseExcess, type WeighedPhraseWord } from './phrase-score.ts';
import type { PhraseClause, QueryPlan, TermGroup } from './query-plan.ts';

/** A word that adds to the score of the documents that hold it. */
export interface ScoredClause {
  readonly cursor: PositionsCursor;
  readonly weight: number;
  /** Most that the clause adds to any score in this segment. */
  readonly maxScore: number;
}

/** A plan bound to one segment. Its cursors move forward only: one evaluation, one query. */
export interface SegmentQuery {
  readonly segment: Segment;
  readonly optional: readonly ScoredClause[];
  /** All must be on a document, the words of phrases included. */
  readonly required: readonly ScoredClause[];
  readonly phrases: readonly (readonly WeighedPhraseWord[])[];
  readonly excluded: readonly PositionsCursor[];
  readonly excludedPhrases: readonly (readonly PhraseWord[])[];
  /** Where phrases score as one term, what their words score too much on the document that all of them stand on. */
  readonly phraseExcess: (() => number) | undefined;
  /** undefined: every document. */
  readonly allowed: DocSet | undefined;
}

const scored = (cursor: PositionsCursor, group: TermGroup): ScoredClause => ({
  cursor,
  weight: group.weight,
  maxScore: contribution(group.weight, cursor.maxImpact),
});

interface Binder {
  readonly segment: Segment;
  readonly scorer: Scorer;
}

const bindAll = ({ segment, scorer }: Binder, groups: readonly TermGroup[]): ScoredClause[] | undefined => {
  const clauses: ScoredClause[] = [];
  for (const group of groups) {
    const cursor = groupCursor(segment, scorer, group);
    if (cursor === undefined) return undefined;
    clauses.push(scored(cursor, group));
  }
  return clauses;
};

interface BoundPhrase {
  readonly words: readonly WeighedPhraseWord[];
  readonly clauses: readonly ScoredClause[];
}

const bindPhrase = (binder: Binder, { words }: PhraseClause): BoundPhrase | undefined => {
  const clauses = bindAll(
    binder,
    words.map(({ group }) => group),
  );
  if (clauses === undefined) return undefined;
  const placed = clauses.map(({ cursor, weight }, index) => ({
    cursor,
    weight,
    offset: words[index]?.offset ?? 0,
  }));
  return { words: placed, clauses };
};

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/** Opens the plan's cursors on a segment; undefined when no document of it can match. */
export const bindQuery = (plan: QueryPlan, segment: Segment, scorer: Scorer): SegmentQuery | undefined => {
  const binder: Binder = { segment, scorer };
  const required = bindAll(binder, plan.required);
  const phrases = plan.phrases.map((phrase) => bindPhrase(binder, phrase));
  if (required === undefined || !phrases.every(isDefined)) return undefined;
  const optional = plan.optional.flatMap((group) => bindAll(binder, [group]) ?? []);
  const needsOptional = plan.required.length + plan.phrases.length === 0;
  if (needsOptional && optional.length === 0 && (plan.optional.length > 0 || plan.sites.length === 0))
    return undefined;
  return {
    segment,
    optional,
    required: [...required, ...phrases.flatMap(({ clauses }) => clauses)],
    phrases: phrases.map(({ words }) => words),
    phraseExcess: scorer.scoresPhrases
      ? () => phrases.reduce((sum, { words }) => sum + phraseExcess(words, segment, scorer), 0)
      : undefined,
    excluded: plan.excluded.map((group) => groupCursor(segment, scorer, group)).filter(isDefined),
    excludedPhrases: plan.excludedPhrases
      .map((phrase) => bindPhrase(binder, phrase)?.words)
      .filter(isDefined),
    allowed: allowedDocuments(segment, plan),
  };
};

/** Moves a cursor that may already stand there or beyond; true when it stands on `doc`. */
export const isOn = (cursor: PositionsCursor, doc: number): boolean =>
  (cursor.doc < doc ? cursor.advance(doc) : cursor.doc) === doc;

const holdsPhrase = (words: readonly PhraseWord[], doc: number): boolean =>
  words.every(({ cursor }) => isOn(cursor, doc)) && phraseMatches(words);

/** Whether filters, deletes and excluded clauses leave the document in. Documents must be asked for in rising order. */
export const isAdmitted = (query: SegmentQuery, doc: number): boolean => {
  if (query.allowed !== undefined && !query.allowed.has(doc)) return false;
  for (const cursor of query.excluded) if (isOn(cursor, doc)) return false;
  for (const words of query.excludedPhrases) if (holdsPhrase(words, doc)) return false;
  return true;
};

/** Whether the document, which all required cursors stand on, holds the phrases. */
export const holdsAllPhrases = (query: SegmentQuery): boolean => query.phrases.every(phraseMatches);

/** What a clause adds to the score of the document that its cursor stands on. */
export const scoreOf = (clause: ScoredClause): number => contribution(clause.weight, clause.cursor.impact());
