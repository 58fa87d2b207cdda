import { CharClass, classAt } from './character-classes.ts';
import { unitsAt } from './class-table.ts';
import { fold, lowerCase } from './fold.ts';

/** A term found inside a run of text without spaces; `step` counts positions from the run's start. */
export interface RunTerm {
  readonly term: string;
  readonly step: number;
  readonly start: number;
  readonly end: number;
}

interface Character {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const HALF_WIDTH_VOICE = /^[\u{ff9e}\u{ff9f}]$/u;

/** Characters in full width and composed form, marks joined to what they modify, invisible ones left out. */
const charactersOf = (text: string, start: number, end: number): Character[] => {
  const characters: Character[] = [];
  for (let index = start; index < end; ) {
    const from = index;
    index += unitsAt(text, index);
    if (classAt(text, from) === CharClass.ignored) continue;
    while (index < end && isMark(text, index)) index += unitsAt(text, index);
    characters.push({ text: text.slice(from, index).normalize('NFKC'), start: from, end: index });
  }
  return characters;
};

const isMark = (text: string, index: number): boolean =>
  classAt(text, index) === CharClass.mark || HALF_WIDTH_VOICE.test(text.charAt(index));

/**
 * Overlapping bigrams of a CJK run and, for documents, single characters at the same positions, so that a query of one
 * character finds them. A query of several asks for the bigrams only.
 */
export const cutBigrams = (
  text: string,
  range: readonly [number, number],
  singles: boolean,
): { terms: RunTerm[]; width: number } => {
  const characters = charactersOf(text, range[0], range[1]);
  const terms: RunTerm[] = [];
  for (const [step, { text: character, start, end }] of characters.entries()) {
    if (singles || characters.length === 1) terms.push({ term: character, step, start, end });
    const next = characters[step + 1];
    if (next !== undefined) terms.push({ term: character + next.text, step, start, end: next.end });
  }
  return { terms, width: characters.length };
};

/** Intl.Segmenter is quadratic in the length of its input (0.04 MB/s at 100,000 characters), so it gets slices. */
const SLICE_UNITS = 256;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });

/** Words of Thai, Lao, Khmer and Myanmar by the dictionaries of ICU. */
export const cutDictionaryWords = (text: string, start: number, end: number): RunTerm[] => {
  const terms: RunTerm[] = [];
  for (let from = start; from < end; ) {
    const to = Math.min(end, from + SLICE_UNITS);
    const segments = [...segmenter.segment(text.slice(from, to))];
    // The slice's border may cut its last word: that one begins the next slice.
    if (to < end && segments.length > 1) segments.pop();
    for (const { segment, index } of segments) {
      const term = fold(lowerCase(segment));
      if (term !== '')
        terms.push({ term, step: terms.length, start: from + index, end: from + index + segment.length });
    }
    const last = segments.at(-1);
    from = last === undefined ? to : from + last.index + last.segment.length;
  }
  return terms;
};
