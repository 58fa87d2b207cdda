import type { FrequencyCursor } from '../postings/posting-cursor.ts';
import type { ScoreExplanation } from '../server/shard-client.ts';
import { FIELD_NAMES } from '../values/fields.ts';
import { decodeLength } from '../values/length-code.ts';
import { contribution } from './bm25f.ts';
import type { Scorer } from './scorer.ts';

/** One word of the query on a document. */
export interface ExplainedGroup {
  readonly terms: readonly string[];
  readonly weight: number;
  /** On the document. */
  readonly cursor: Pick<FrequencyCursor, 'frequency' | 'impact'>;
}

export interface ExplainedDocument {
  readonly groups: readonly ExplainedGroup[];
  /** Length code of each field, in the order of FIELD_NAMES. */
  readonly lengthCodes: readonly number[];
  readonly staticScore: number;
}

/** What each field would give if it alone held the word; the whole is less than the sum, since it saturates. */
const explainFields = (
  group: ExplainedGroup,
  lengthCodes: readonly number[],
  scorer: Scorer,
): ScoreExplanation[] =>
  FIELD_NAMES.flatMap((field, index) => {
    const frequency = group.cursor.frequency(field);
    if (frequency === 0) return [];
    const alone = FIELD_NAMES.map((_, other) => (other === index ? frequency : 0));
    const lengthTokens = decodeLength(lengthCodes[index] ?? 0);
    const what = `impact if ${field} alone held it: ${frequency} times in about ${lengthTokens} words`;
    return [{ value: scorer.impact(alone, lengthCodes), what }];
  });

const explainGroup = (
  group: ExplainedGroup,
  lengthCodes: readonly number[],
  scorer: Scorer,
): ScoreExplanation => {
  const impact = group.cursor.impact();
  return {
    value: contribution(group.weight, impact),
    what: `"${group.terms.join('" or "')}": weight x impact / 128`,
    parts: [
      { value: group.weight, what: 'weight: 2048 x idf x times asked for' },
      {
        value: impact,
        what: `impact 0..65535: saturated occurrences, weights "${scorer.table}"`,
        parts: explainFields(group, lengthCodes, scorer),
      },
    ],
  };
};

/** A score as a tree of named factors; the parts of the root add up to it. */
export const explainScore = (document: ExplainedDocument, scorer: Scorer): ScoreExplanation => {
  const words = document.groups.map((group) => explainGroup(group, document.lengthCodes, scorer));
  const parts = [...words, { value: document.staticScore, what: 'static score: links from other pages' }];
  return { value: parts.reduce((sum, { value }) => sum + value, 0), what: 'score', parts };
};
