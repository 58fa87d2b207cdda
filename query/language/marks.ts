import type { IndexStatistics } from '../../shards/index.ts';
import type { Draft } from './draft.ts';
import type { Terms } from './weights.ts';

/** Share of the pages from which on a word is too common to be worth a mark. */
const COMMON_SHARE = 0.75;

/** Words to mark: all of phrases, and others unless they stand nearly everywhere (when any known word is rarer). */
export const marksOf = (draft: Draft, statistics: IndexStatistics): Terms[] => {
  const largestShare = (terms: Terms) =>
    Math.max(...terms.map((term) => statistics.documentFrequency(term))) / statistics.docCount;
  const inPhrases = draft.phrases.flat().map(({ terms }) => terms);
  const words = [...draft.required, ...draft.optional];
  const telling = words.filter((terms) => largestShare(terms) <= COMMON_SHARE);
  const isKnown = (terms: Terms) => largestShare(terms) > 0;
  return [...inPhrases, ...(inPhrases.length > 0 || telling.some(isKnown) ? telling : words)];
};
