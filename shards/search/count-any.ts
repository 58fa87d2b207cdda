import { NO_MORE_DOCS } from '../postings/posting-cursor.ts';
import type { MatchCounter } from './collector.ts';
import { leastDocCount } from './group-cursor.ts';
import { isAdmitted, type SegmentQuery } from './segment-query.ts';

/**
 * Counts the documents that hold any of the words, as far as the counter wants to know. Where one list alone is long
 * enough nothing is read. The query's cursors are used up.
 */
export const countAny = (query: SegmentQuery, counter: MatchCounter): void => {
  const { optional, allowed, excluded, excludedPhrases } = query;
  const cursors = optional.map(({ cursor }) => cursor);
  const isFree = allowed === undefined && excluded.length === 0 && excludedPhrases.length === 0;
  if (isFree && cursors.some((cursor) => leastDocCount(cursor) >= counter.missing)) {
    counter.add(counter.missing);
    return;
  }
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
