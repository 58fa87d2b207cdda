import type { FrequencyCursor } from '../postings/posting-cursor.ts';
import { contribution } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import type { Segment } from '../segment/segment.ts';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import { type PhraseWord, phraseFrequency } from './phrase.ts';

/** A word of a phrase with its share of the phrase's weight. */
export interface WeighedPhraseWord extends PhraseWord {
  readonly weight: number;
}

/** How often the phrase stands in the document that its words' cursors are on, as if it were one term. */
export const phraseOccurrences = (
  words: readonly PhraseWord[],
  segment: Segment,
  scorer: Scorer,
): Pick<FrequencyCursor, 'frequency' | 'impact'> => {
  const lengthCodes = FIELD_NAMES.map((field) => segment.lengthCodes(field));
  const frequency = (field: FieldName): number => phraseFrequency(words, field);
  return {
    frequency,
    impact: () => {
      const doc = words[0]?.cursor.doc ?? 0;
      return scorer.impact(
        FIELD_NAMES.map(frequency),
        lengthCodes.map((codes) => codes[doc] ?? 0),
      );
    },
  };
};

/**
 * What the words of a phrase score too much, on the document that their cursors are on, where a phrase scores as one term
 * (Lucene's PhraseQuery): with its own occurrences and the sum of its words' weights. Never negative, since a phrase
 * occurs at most as often as each of its words: whatever bounds the words' scores bounds the phrase's.
 */
export const phraseExcess = (
  words: readonly WeighedPhraseWord[],
  segment: Segment,
  scorer: Scorer,
): number => {
  const impact = phraseOccurrences(words, segment, scorer).impact();
  return words.reduce(
    (sum, { cursor, weight }) => sum + contribution(weight, cursor.impact()) - contribution(weight, impact),
    0,
  );
};
