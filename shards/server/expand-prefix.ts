import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Segment } from '../segment/segment.ts';
import type { OpenSegment } from '../segment/segment-reader.ts';
import { liveDocumentFrequency } from '../statistics/count-segment.ts';
import { MostFrequent } from '../statistics/most-frequent.ts';
import type { IndexStatistics } from '../statistics/statistics.ts';

type SegmentWithTerms = Segment & Pick<OpenSegment, 'termsFrom'>;

/** What a prefix is looked up in. */
export interface Vocabulary {
  readonly segments: readonly SegmentWithTerms[];
  /** The epoch that tells which terms are the most frequent ones. */
  readonly statistics: IndexStatistics;
}

/** Terms between two turns of the event loop: about a millisecond. */
const TERMS_PER_TURN = 2048;

/** All distinct terms that begin so, in no order. */
const termsWith = async (
  segments: readonly SegmentWithTerms[],
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<Set<string>> => {
  const terms = new Set<string>();
  let visited = 0;
  for (const segment of segments) {
    for (const term of segment.termsFrom(prefix)) {
      terms.add(term);
      if (++visited % TERMS_PER_TURN > 0) continue;
      await nextTurn();
      signal?.throwIfAborted();
    }
  }
  return terms;
};

/**
 * At most `limit` terms that begin with `prefix` and that a document holds, those of most documents in the epoch first.
 * Terms that the epoch does not know come last; one of deleted documents alone is left out, for it is gone when
 * segments are merged. Linear in the terms that begin so.
 */
export const expandPrefix = async (
  { segments, statistics }: Vocabulary,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
  signal?: AbortSignal,
): Promise<readonly string[]> => {
  const known = new MostFrequent(limit);
  const unknown: string[] = [];
  for (const term of await termsWith(segments, prefix, signal)) {
    const documentFrequency = statistics.documentFrequency(term);
    if (documentFrequency > 0) known.add(term, documentFrequency);
    else unknown.push(term);
  }
  const terms = known.terms();
  for (const term of unknown.sort((a, b) => (a < b ? -1 : 1))) {
    if (terms.length === limit) break;
    if (liveDocumentFrequency(segments, term) > 0) terms.push(term);
  }
  return terms;
};
