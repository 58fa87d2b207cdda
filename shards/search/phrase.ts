import type { PositionsCursor } from '../postings/posting-cursor.ts';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';

/** A word of a phrase at its distance from the phrase's first word. */
export interface PhraseWord {
  readonly cursor: PositionsCursor;
  readonly offset: number;
}

/** Keeps of `starts` (rising) those s for which `positions` (rising) holds s + offset; works in place, returns how many. */
const keepStarts = (starts: Float64Array, count: number, positions: Uint32Array, offset: number): number => {
  let kept = 0;
  let at = 0;
  for (let index = 0; index < count; index++) {
    const start = starts[index] ?? 0;
    while (at < positions.length && (positions[at] ?? 0) < start + offset) at++;
    if (at === positions.length) break;
    if (positions[at] === start + offset) starts[kept++] = start;
  }
  return kept;
};

/**
 * How often the words stand at their distances in a field of the document that all their cursors are on. Begins with the
 * word that occurs least often and intersects: linear in the occurrences.
 */
export const phraseFrequency = (words: readonly PhraseWord[], field: FieldName): number => {
  for (const { cursor } of words) if (cursor.frequency(field) === 0) return 0;
  const [first, ...others] = words.toSorted((a, b) => a.cursor.frequency(field) - b.cursor.frequency(field));
  if (first === undefined) return 0;
  // Doubles, since a word may stand nearer to the text's start than its distance in the phrase.
  const starts = Float64Array.from(first.cursor.positions(field), (position) => position - first.offset);
  let count = starts.length;
  for (const { cursor, offset } of others) {
    count = keepStarts(starts, count, cursor.positions(field), offset);
    if (count === 0) return 0;
  }
  return count;
};

/** Whether the words stand at their distances in one field of the document that all their cursors are on. */
export const phraseMatches = (words: readonly PhraseWord[]): boolean =>
  FIELD_NAMES.some((field) => phraseFrequency(words, field) > 0);
