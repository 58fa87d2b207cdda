import { NO_MORE_DOCS } from '../postings/posting-cursor.ts';
import type { MatchCounter } from './collector.ts';
import { leastDocCount } from './group-cursor.ts';
import { isAdmitted, type SegmentQuery } from './segment-query.ts';

/** Counts without reading a list, where one alone is long enough and nothing is left out; true if that was the case. */
export const countByLength = (
  { optional, allowed, excluded, excludedPhrases }: SegmentQuery,
  counter: MatchCounter,
): boolean => {
  if (allowed !== undefined || excluded.length > 0 || excludedPhrases.length > 0) return false;
  if (!optional.some(({ cursor }) => leastDocCount(cursor) >= counter.missing)) return false;
  counter.add(counter.missing);
  return true;
};

/**
 * Counts the documents that hold any of the words, as far as the counter wants to know. The query's cursors
 * are used up.
 */
export const countAny = (query: SegmentQuery, counter: MatchCounter): void => {
  const cursors = query.optional.map(({ cursor }) => cursor);
  let doc = Math.min(...cursors.map((cursor) => cursor.next()));
  while (doc < NO_MORE_DOCS && counter.isOpen) {
    if (isAdmitted(query, doc)) counter.add();
    let least = NO_MORE_DOCS;
    for (const cursor of cursors) {
      const here = cursor.doc === doc ? cursor.next() : cursor.doc;
      if (here < least) least = here;
    }
    doc = least;
  }
};
