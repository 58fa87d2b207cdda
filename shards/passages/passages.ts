import type { PassagePiece } from '../server/shard-client.ts';
import type { Analyser } from '../text/token.ts';
import type { StoredPage } from '../values/stored-page.ts';
import { createMarker, type Mark } from './marks.ts';

export interface PassageRequest {
  /** Terms to look for and mark, by word of the query. */
  readonly groups: readonly (readonly string[])[];
  /** Longest passage in UTF-16 units, ellipses apart. */
  readonly maxLength: number;
}

const ELLIPSIS = '…';
/** How far a cut may move to meet the border of a sentence or a word. */
const SENTENCE_REACH = 80;
const WORD_REACH = 24;
const SENTENCE_END = /[.!?。！？]["')\]]*\s|\n/g;

interface Window {
  readonly start: number;
  readonly end: number;
}

/**
 * A window's worth: distinct words of the query first, then words side by side, then how often they occur. Sums are
 * small integers, so that equal windows tie and the earliest wins.
 */
const worth = (counts: ReadonlyMap<number, number>, adjacentCount: number): number => {
  let repeats = 0;
  for (const count of counts.values()) repeats += Math.min(count, 3) - 1;
  return 100 * counts.size + 20 * Math.min(adjacentCount, 4) + repeats;
};

const isAdjacent = (text: string, left: Mark | undefined, right: Mark | undefined): boolean =>
  left !== undefined &&
  right !== undefined &&
  !/[^\s'"\u2019.,:;()-]/.test(text.slice(left.end, right.start).slice(0, 4)) &&
  right.start - left.end <= 3;

/** Index range of the marks of the best window of `maxLength`: two pointers over the marks, each enters and leaves once. */
const bestMarks = (text: string, marks: readonly Mark[], maxLength: number): { from: number; to: number } => {
  const counts = new Map<number, number>();
  let best = { from: 0, to: 1, worth: -1 };
  let adjacentCount = 0;
  let from = 0;
  for (const [to, mark] of marks.entries()) {
    counts.set(mark.group, (counts.get(mark.group) ?? 0) + 1);
    if (to > from && isAdjacent(text, marks[to - 1], mark)) adjacentCount++;
    for (
      let first = marks[from];
      from < to && first && mark.end - first.start > maxLength;
      first = marks[from]
    ) {
      const left = (counts.get(first.group) ?? 1) - 1;
      if (left === 0) counts.delete(first.group);
      else counts.set(first.group, left);
      if (isAdjacent(text, first, marks[from + 1])) adjacentCount--;
      from++;
    }
    const value = worth(counts, adjacentCount);
    if (value > best.worth) best = { from, to: to + 1, worth: value };
  }
  return best;
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** The segmenter is slow on long texts, so it sees the surroundings of a cut only. */
const SURROUNDINGS_UNITS = 48;

/** A cut at `index`, moved off the inside of what a reader takes for one character, back or forth. */
const safeCut = (text: string, index: number, step: 1 | -1): number => {
  const base = Math.max(0, index - SURROUNDINGS_UNITS);
  const around = graphemes.segment(text.slice(base, index + SURROUNDINGS_UNITS));
  const character = around.containing(index - base);
  if (character === undefined || base + character.index === index) return index;
  return base + character.index + (step > 0 ? character.segment.length : 0);
};

/** First word at or after `index`, when one begins near; else `index` moved off the inside of a character. */
const wordStart = (text: string, index: number, limit: number): number => {
  if (index <= 0) return 0;
  const gap = text.slice(index - 1, Math.min(limit, index + WORD_REACH)).search(/\s\S/);
  return gap < 0 ? safeCut(text, index, 1) : index + gap;
};

const wordEnd = (text: string, index: number, limit: number): number => {
  if (index >= text.length) return text.length;
  const tail = text.slice(Math.max(limit, index - WORD_REACH), index + 1);
  const gap = tail.search(/\s\S*$/);
  return gap < 0 ? safeCut(text, index, -1) : index + 1 - tail.length + gap;
};

/** Past the last sentence end (or block border) in a stretch of text, or -1. */
const sentenceStart = (text: string, from: number, to: number): number => {
  let found = -1;
  for (const match of text.slice(from, to).matchAll(SENTENCE_END))
    found = from + match.index + match[0].length;
  return found;
};

/** Widens the marks' range to the passage: begins with their sentence if it fits, else shares what room is left. */
const widen = (text: string, marks: Window, maxLength: number): Window => {
  const room = Math.max(0, maxLength - (marks.end - marks.start));
  const sentence = sentenceStart(
    text,
    Math.max(0, marks.start - Math.min(SENTENCE_REACH, room)),
    marks.start,
  );
  const wanted = sentence >= 0 ? sentence : Math.max(0, marks.start - Math.min(room >> 1, SENTENCE_REACH));
  const latestStart = Math.min(wanted, Math.max(0, text.length - maxLength));
  const earliest = Math.max(latestStart, marks.end - maxLength);
  const start = sentence >= 0 && earliest === sentence ? sentence : wordStart(text, earliest, marks.start);
  const end = wordEnd(text, Math.min(text.length, start + maxLength), Math.min(marks.end, start + maxLength));
  return { start, end };
};

/** White space of the page's layout as single spaces. */
const tidy = (text: string): string => text.replace(/\s+/g, ' ');

/** Marks that touch but for a space become one piece, so that a phrase shows as one. */
const piecesOf = (text: string, window: Window, marks: readonly Mark[]): PassagePiece[] => {
  const pieces: PassagePiece[] = [];
  const add = (start: number, end: number, hit: boolean): void => {
    if (start < end) pieces.push({ text: tidy(text.slice(start, end)), hit });
  };
  let at = window.start;
  for (let index = 0; index < marks.length; index++) {
    const { start, end: firstEnd } = marks[index] as Mark;
    if (start < at || firstEnd > window.end) continue;
    let end = firstEnd;
    for (let next = marks[index + 1]; next !== undefined && next.end <= window.end; next = marks[index + 1]) {
      if (!/^\s?$/.test(text.slice(end, Math.max(end, next.start)))) break;
      end = Math.max(end, next.end);
      index++;
    }
    add(at, start, false);
    add(start, end, true);
    at = end;
  }
  add(at, window.end, false);
  return pieces;
};

const withEllipses = (pieces: PassagePiece[], startsInside: boolean, endsInside: boolean): PassagePiece[] => {
  const first = pieces[0];
  if (first !== undefined && !first.hit) pieces[0] = { ...first, text: first.text.trimStart() };
  const last = pieces.at(-1);
  if (last !== undefined && !last.hit) pieces[pieces.length - 1] = { ...last, text: last.text.trimEnd() };
  const shown = pieces.filter(({ text }) => text !== '');
  if (startsInside && shown.length > 0) shown.unshift({ text: `${ELLIPSIS} `, hit: false });
  if (endsInside && shown.length > 0) shown.push({ text: ` ${ELLIPSIS}`, hit: false });
  return joinPlain(shown);
};

const joinPlain = (pieces: readonly PassagePiece[]): PassagePiece[] => {
  const joined: PassagePiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && last.hit === piece.hit)
      joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
};

/** Where nothing matches: the page's beginning. */
const beginning = (text: string, maxLength: number): PassagePiece[] => {
  const begin = text.search(/\S/);
  if (begin < 0) return [];
  const end = wordEnd(text, Math.min(text.length, begin + maxLength), begin);
  return withEllipses(piecesOf(text, { start: begin, end }, []), false, /\S/.test(text.slice(end)));
};

const bestStretch = (text: string, marks: readonly Mark[], maxLength: number): PassagePiece[] => {
  const { from, to } = bestMarks(text, marks, maxLength);
  const range = { start: marks[from]?.start ?? 0, end: marks[to - 1]?.end ?? 0 };
  const window = widen(text, range, maxLength);
  const startsInside = /\S/.test(text.slice(0, window.start));
  const endsInside = /\S/.test(text.slice(window.end, window.end + 100));
  return withEllipses(piecesOf(text, window, marks), startsInside, endsInside);
};

/** Shows why a stored page answers a query (createPassageMaker). */
export type PassageMaker = (page: Pick<StoredPage, 'text' | 'lang'>) => PassagePiece[];

/**
 * A passage is the stretch of a stored page that shows best why it answers a query: most different words, then words
 * side by side, then the earliest. Plain text in pieces; what matched, as it is written in the page, is a `hit` piece.
 * Where nothing matches (the word stood in a link to the page) the page's beginning. Never parts a character. Empty
 * for a page without text or `maxLength` 0. The maker serves all pages that answer the query.
 */
export const createPassageMaker = (
  { groups, maxLength }: PassageRequest,
  analyser: Analyser,
): PassageMaker => {
  const mark = createMarker(groups, analyser);
  return ({ text, lang }) => {
    if (maxLength <= 0 || text === '') return [];
    const marks = mark(text, lang);
    return marks.length === 0 ? beginning(text, maxLength) : bestStretch(text, marks, maxLength);
  };
};

/** The passage of one page (createPassageMaker). */
export const makePassage = (page: StoredPage, request: PassageRequest, analyser: Analyser): PassagePiece[] =>
  createPassageMaker(request, analyser)(page);
