import {
  QUERY,
  QUERY_TERM_COUNT,
  ROLE_BIWORD,
  ROLE_COVERED,
  ROLE_EXCLUDED,
  ROLE_OPTIONAL,
  ROLE_REQUIRED,
  SCORER,
  SCORER_OTHERS_WEIGH,
  SCORER_SCORES_PHRASES,
  TERM_BYTES,
  TERM_DOC_COUNT,
  TERM_DOCS,
  TERM_FIRST_RECORD,
  TERM_GROUP,
  TERM_OFFSET,
  TERM_PHRASE,
  TERM_POSITIONS,
  TERM_RECORD_COUNT,
  TERM_ROLE,
  TERM_WEIGHT,
  TERMS,
} from '../../search-layout.ts';
import {
  CURSOR_BYTES,
  CURSORS,
  MAX_CURSORS,
  MAX_SHORT_RECORDS,
  PHRASE_WORDS,
  SHORT_DOCS,
  SHORT_DOCS_BYTES,
  SHORT_DOCS_LISTS,
  WORD_BYTES,
  WORD_ORDER,
  WORDS,
} from './conjunction-layout.ts';
import { Cursor, openCursor, openShort } from './list-cursor.ts';
import { setWord, wordOf } from './words.ts';

/** A word of the query: one list, or several whose terms count as one word. */
// @ts-ignore: decorator
@unmanaged
export class Word {
  /** Address of its first cursor, behind which its others stand: the longest list comes last. */
  cursors: u32;
  cursorCount: u32;
  /** What an impact is multiplied with, and W; the same unless words are compared by their impacts. */
  weight: u32;
  termWeight: u32;
  /** Documents that hold it, at most. */
  docCount: u32;
  /** Number of the phrase in which its positions count, from 1; 0 for none. Its distance from the phrase's first word. */
  phrase: u32;
  offset: u32;
  /**
   * What rounding may take from the sum of its lists' parts; 0 with one list. Frequencies of a word's lists are added before
   * saturation, and I(x + y) <= I(x) + I(y) in real numbers.
   */
  slack: u32;
  /** Where it leads: most that its lists behind the leading one add in the present window. */
  companions: u32;
  /** Most that the words behind this one and the static score add in the present window. */
  rest: u32;
}

/** With this weight a word adds its impact. */
const IMPACT_WEIGHT: u32 = 128;

/**
 * Words in the order in which they are asked: required ones, rarest first, covered ones, which are not asked, then excluded,
 * then optional ones.
 */
let required: u32 = 0;
let covered: u32 = 0;
let excluded: u32 = 0;
let words: u32 = 0;
let lists: u32 = 0;
let phrases: u32 = 0;
let phrasesScore = false;
let onePhrase = false;

// @ts-ignore: decorator
@inline
export function requiredCount(): u32 {
  return required;
}

/** Index of the first excluded word. */
// @ts-ignore: decorator
@inline
export function excludedStart(): u32 {
  return covered;
}

/** Whether a list says all of the one phrase: where it stands, and how often. */
// @ts-ignore: decorator
@inline
export function isPhraseCovered(): bool {
  return covered > required;
}

/** Index behind the last excluded word. */
// @ts-ignore: decorator
@inline
export function excludedEnd(): u32 {
  return excluded;
}

// @ts-ignore: decorator
@inline
export function wordCount(): u32 {
  return words;
}

// @ts-ignore: decorator
@inline
export function phraseCount(): u32 {
  return phrases;
}

/** Whether a phrase scores as one term, by its own occurrences. */
// @ts-ignore: decorator
@inline
export function scoresPhrases(): bool {
  return phrasesScore;
}

/**
 * Whether the query is one phrase that scores as one term: then its impact is at most that of each of its words, so that the
 * least one bounds it, and words are compared by their impacts.
 */
// @ts-ignore: decorator
@inline
export function isOnePhrase(): bool {
  return onePhrase;
}

// @ts-ignore: decorator
@inline
export function wordAt(base: usize, index: u32): Word {
  return changetype<Word>(wordOf(base + WORD_ORDER, index));
}

// @ts-ignore: decorator
@inline
export function cursorOf(word: Word, index: u32): Cursor {
  return changetype<Cursor>(word.cursors + index * CURSOR_BYTES);
}

/** Words of phrase `phrase` as bits of the order of words. */
// @ts-ignore: decorator
@inline
export function wordsOfPhrase(base: usize, phrase: u32): u64 {
  return load<u64>(base + PHRASE_WORDS + ((phrase - 1) << 3));
}

function openList(base: usize, word: Word, term: usize): void {
  const cursor = changetype<Cursor>(base + CURSORS + lists * CURSOR_BYTES);
  cursor.weight = word.weight;
  cursor.docCount = wordOf(term, TERM_DOC_COUNT);
  cursor.postings = wordOf(term, TERM_DOCS);
  cursor.positions = wordOf(term, TERM_POSITIONS);
  cursor.recordCount = wordOf(term, TERM_RECORD_COUNT);
  cursor.firstRecord = wordOf(term, TERM_FIRST_RECORD);
  const inPhrase = wordOf(term, TERM_PHRASE) !== 0;
  cursor.needsOthers = <u32>(inPhrase || load<u32>(base + SCORER + SCORER_OTHERS_WEIGH) !== 0);
  cursor.index = lists++;
  openCursor(base, cursor);
  word.docCount += cursor.docCount;
  word.cursorCount++;
}

/** The word of the group that begins at `term`, still without lists. */
function startWord(base: usize, term: usize): Word {
  const word = changetype<Word>(base + WORDS + words * WORD_BYTES);
  word.cursors = <u32>(base + CURSORS + lists * CURSOR_BYTES);
  word.cursorCount = 0;
  word.termWeight = wordOf(term, TERM_WEIGHT);
  word.weight = onePhrase ? IMPACT_WEIGHT : word.termWeight;
  word.docCount = 0;
  word.phrase = wordOf(term, TERM_ROLE) === ROLE_BIWORD ? 0 : wordOf(term, TERM_PHRASE);
  word.offset = wordOf(term, TERM_OFFSET);
  word.companions = 0;
  return word;
}

/** Puts the word behind those of at most as many documents from place `first` of the order on. */
function insertByLength(base: usize, word: Word, first: u32): void {
  const order = base + WORD_ORDER;
  const count = word.cursorCount;
  word.slack = count > 1 ? ((count * word.weight) >>> 7) + count + 1 : 0;
  if (word.phrase > phrases) phrases = word.phrase;
  let place = words++;
  for (; place > first && wordAt(base, place - 1).docCount > word.docCount; place--) {
    setWord(order, place, wordOf(order, place - 1));
  }
  setWord(order, place, <u32>changetype<usize>(word));
}

export const OPENED: u32 = 0;
/** The segment lacks a required word. */
export const NO_MATCH: u32 = 1;
export const TOO_MANY: u32 = 2;

/** Index behind the last term of the group that begins with term `first`. */
function groupEnd(base: usize, first: u32): u32 {
  const terms = wordOf(base + QUERY, QUERY_TERM_COUNT);
  const group = wordOf(base + TERMS + first * TERM_BYTES, TERM_GROUP);
  let end = first + 1;
  while (end < terms && wordOf(base + TERMS + end * TERM_BYTES, TERM_GROUP) === group) end++;
  return end;
}

/** Opens the lists of terms first..end-1, shortest first. False when there are too many. */
function openLists(base: usize, word: Word, first: u32, end: u32): bool {
  let least: u64 = 0;
  for (let round = first; round < end; round++) {
    // Lists by length, those of one length by place: the first one behind the last one opened.
    let next: u64 = -1;
    for (let i = first; i < end; i++) {
      const docCount = wordOf(base + TERMS + i * TERM_BYTES, TERM_DOC_COUNT);
      const rank = (<u64>docCount << 32) | i;
      if (docCount > 0 && rank > least && rank < next) next = rank;
    }
    if (next === <u64>-1) return true;
    if (lists === MAX_CURSORS) return false;
    openList(base, word, base + TERMS + <u32>next * TERM_BYTES);
    least = next;
  }
  return true;
}

/** Lets ranges of documents without one of a short list be told. A word of one list needs no such thing: it is as rare as its list. */
function openShorts(base: usize, word: Word): void {
  if (word.cursorCount === 1) return;
  for (let index: u32 = 0; index < word.cursorCount; index++) {
    const cursor = cursorOf(word, index);
    if (cursor.recordCount > MAX_SHORT_RECORDS || cursor.index >= SHORT_DOCS_LISTS) continue;
    openShort(base, cursor, base + SHORT_DOCS + cursor.index * SHORT_DOCS_BYTES);
  }
}

/** Words for the terms of one role, or of two; groups of which the segment has no term are left out. */
function openRole(base: usize, role: u32, otherRole: u32): u32 {
  const first = words;
  const terms = wordOf(base + QUERY, QUERY_TERM_COUNT);
  for (let i: u32 = 0; i < terms; ) {
    const term = base + TERMS + i * TERM_BYTES;
    const start = i;
    i = groupEnd(base, i);
    if (wordOf(term, TERM_ROLE) !== role && wordOf(term, TERM_ROLE) !== otherRole) continue;
    if (words === MAX_CURSORS) return TOO_MANY;
    const word = startWord(base, term);
    if (!openLists(base, word, start, i)) return TOO_MANY;
    if (word.cursorCount > 0) {
      openShorts(base, word);
      insertByLength(base, word, first);
    } else if (role === ROLE_REQUIRED) {
      return NO_MATCH;
    }
  }
  return OPENED;
}

/** Words that only weigh. */
function openCovered(base: usize): u32 {
  const first = words;
  const terms = wordOf(base + QUERY, QUERY_TERM_COUNT);
  for (let i: u32 = 0; i < terms; i++) {
    const term = base + TERMS + i * TERM_BYTES;
    if (wordOf(term, TERM_ROLE) !== ROLE_COVERED) continue;
    if (words === MAX_CURSORS) return TOO_MANY;
    insertByLength(base, startWord(base, term), first);
  }
  return OPENED;
}

/** Whether the words are those of one phrase, and phrases score as one term. */
function asksOnePhrase(base: usize): bool {
  if (!phrasesScore) return false;
  const terms = wordOf(base + QUERY, QUERY_TERM_COUNT);
  for (let i: u32 = 0; i < terms; i++) {
    const term = base + TERMS + i * TERM_BYTES;
    if (wordOf(term, TERM_ROLE) !== ROLE_EXCLUDED && wordOf(term, TERM_PHRASE) !== 1) return false;
  }
  return true;
}

function gatherPhrases(base: usize): void {
  for (let phrase: u32 = 1; phrase <= phrases; phrase++) {
    let members: u64 = 0;
    for (let index: u32 = 0; index < covered; index++) {
      if (wordAt(base, index).phrase === phrase) members |= <u64>1 << index;
    }
    store<u64>(base + PHRASE_WORDS + ((phrase - 1) << 3), members);
  }
}

/** Opens the lists of all words of the table of terms: OPENED, NO_MATCH or TOO_MANY. */
export function openWords(base: usize): u32 {
  phrasesScore = load<u32>(base + SCORER + SCORER_SCORES_PHRASES) !== 0;
  onePhrase = asksOnePhrase(base);
  words = 0;
  lists = 0;
  phrases = 0;
  let state = openRole(base, ROLE_REQUIRED, ROLE_BIWORD);
  required = words;
  if (state === OPENED) state = openCovered(base);
  covered = words;
  gatherPhrases(base);
  if (state === OPENED) state = openRole(base, ROLE_EXCLUDED, ROLE_EXCLUDED);
  excluded = words;
  if (state === OPENED) state = openRole(base, ROLE_OPTIONAL, ROLE_OPTIONAL);
  return state;
}
