import { ROWS_DOCS, ROWS_FREQUENCIES, ROWS_OTHERS } from '../../search-layout.ts';
import {
  addFrequencies,
  addScores,
  candidateCount,
  candidateRow,
  candidateSlot,
  candidateDoc,
  candidateScore,
  carriedScore,
  clearMarks,
  copyFrequencies,
  filterCandidates,
  gatherScored,
  keepMarked,
  mark,
  openOthers,
  rowsHaveOthers,
  scoreByRows,
  setCandidate,
  setCandidateCount,
  startRows,
  takeLeast,
} from './candidates.ts';
import { CANDIDATES, IMPACTS, WORD_ROWS } from './conjunction-layout.ts';
import { OTHER_COUNT, SLOT_BYTES } from './decode-others.ts';
import { scoresOf } from './impacts.ts';
import { countOf, Cursor, GROUP_LENGTH, groupBound, loadDocs, loadFrequencies, rowsOf } from './list-cursor.ts';
import { foundCandidate, foundCount, foundPosting, nextRun, startLookUp } from './look-up.ts';
import { clearPlaces, savePlace, startPlaces } from './phrase-places.ts';
import { cursorOf, isOnePhrase, Word } from './query-words.ts';

const MAX_IMPACT: u32 = 65535;

// @ts-ignore: decorator
@inline
function without(need: u32, most: u32): u32 {
  return need > most ? need - most : 0;
}

/** Address of the posting's column in the decoded block. */
// @ts-ignore: decorator
@inline
function rowOf(cursor: Cursor, posting: u32): usize {
  return rowsOf(cursor) + (posting << 2);
}

/** Makes candidates of all of the lead's block, unscored, with the most that there is for a bound. */
function gatherAll(base: usize, lead: Cursor): void {
  const count = countOf(lead);
  const docs = rowsOf(lead) + ROWS_DOCS;
  for (let i: u32 = 0; i < count; i++) setCandidate(base, i, load<u32>(docs + (i << 2)), MAX_IMPACT, i);
  setCandidateCount(count);
}

/** Makes candidates of those in the lead's block that add at least `least`. Groups whose bound is too low are not scored. */
function gatherReaching(base: usize, lead: Cursor, least: u32, hasOthers: bool): void {
  const rows = rowsOf(lead);
  const length = countOf(lead);
  setCandidateCount(0);
  for (let first: u32 = 0; first < length; ) {
    let end = first;
    while (end < length && groupBound(base, lead, end / GROUP_LENGTH) >= least) end += GROUP_LENGTH;
    if (end > first) {
      scoresOf(base, rows, first, min<u32>(end, length) - first, hasOthers, lead.weight, base + IMPACTS);
      gatherScored(base, rows + ROWS_DOCS, first, min<u32>(end, length), least);
    }
    // The group at `end` is below the bound, or there is none.
    first = end + GROUP_LENGTH;
  }
}

/**
 * Makes candidates of the present block of `lead`, a list of `word`: the documents in `allowed` (0: all) that can reach `need`
 * with all that other lists may add. One phrase is not scored while all are needed.
 */
export function takeLead(base: usize, word: Word, lead: Cursor, need: u32, allowed: usize): void {
  loadDocs(lead);
  const hasOthers = loadFrequencies(lead);
  if (isOnePhrase() && need === 0) gatherAll(base, lead);
  else gatherReaching(base, lead, without(need, word.rest + word.companions), hasOthers);
  if (allowed !== 0) filterCandidates(base, allowed);
  startRows();
  if (isOnePhrase() || word.companions > 0) copyLead(base, lead, hasOthers);
}

function copyLead(base: usize, lead: Cursor, hasOthers: bool): void {
  if (hasOthers) openOthers(base);
  for (let i: u32 = 0; i < candidateCount(); i++) {
    copyFrequencies(rowOf(lead, candidateSlot(base, i)), candidateRow(base, i), hasOthers);
  }
}

/**
 * Adds what the lists behind list `leader` of the leading word hold to its candidates, and scores them. A document that a list
 * before it holds was a candidate there.
 */
export function joinCompanions(base: usize, word: Word, leader: u32, need: u32): void {
  let isMarked = false;
  clearMarks(base);
  for (let index: u32 = 0; index < word.cursorCount; index++) {
    const cursor = cursorOf(word, index);
    if (index === leader || cursor.isAbsent !== 0) continue;
    if (joinList(base, word, cursor, index < leader) && index < leader) isMarked = true;
  }
  if (isMarked) keepMarked(base, 0, false);
  if (word.companions > 0) scoreByRows(base, word.weight, without(need, word.rest));
}

/** True when any candidate is in the list; they are marked when it was asked before, else its frequencies are added. */
function joinList(base: usize, word: Word, cursor: Cursor, isBefore: bool): bool {
  let any = false;
  if (word.phrase !== 0) clearPlaces(base, cursor);
  startLookUp();
  while (nextRun(base, cursor, 0)) {
    const found = foundCount();
    if (found === 0) continue;
    any = true;
    if (isBefore) markFound(base);
    else addFound(base, word, cursor);
  }
  return any;
}

function markFound(base: usize): void {
  for (let i: u32 = 0; i < foundCount(); i++) mark(base, foundCandidate(base, i));
}

/** Adds the frequencies of the postings that were found to the candidates' rows. */
function addFound(base: usize, word: Word, cursor: Cursor): void {
  const hasOthers = loadFrequencies(cursor);
  if (hasOthers) openOthers(base);
  if (word.phrase !== 0) startPlaces(cursor, foundCount());
  for (let i: u32 = 0; i < foundCount(); i++) {
    const candidate = foundCandidate(base, i);
    const posting = foundPosting(base, i);
    addFrequencies(rowOf(cursor, posting), candidateRow(base, candidate), hasOthers);
    if (word.phrase !== 0) savePlace(base, cursor, posting, candidateSlot(base, candidate));
  }
}

/** The only list of the word that may hold candidates of the present window; -1 when there are several, or none. */
function onlyPresent(word: Word): i32 {
  let only: i32 = -1;
  for (let index: u32 = 0; index < word.cursorCount; index++) {
    if (cursorOf(word, index).isAbsent !== 0) continue;
    if (only >= 0) return -1;
    only = index;
  }
  return only;
}

/** Keeps the candidates that hold the word, with what it adds to them, as far as they can reach `need`. */
export function keepHeld(base: usize, word: Word, need: u32): void {
  const least = without(need, word.rest);
  const adds = !isOnePhrase();
  const only = onlyPresent(word);
  if (only >= 0) {
    if (adds) startRows();
    keepInList(base, word, cursorOf(word, only), least);
  } else {
    const hasOthers = sumLists(base, word);
    keepMarked(base, 1, hasOthers);
    if (adds) takeSums(base, hasOthers);
    else takeLeastSums(base, hasOthers);
  }
  if (adds) addScores(base, word.weight, least);
}

function keepInList(base: usize, word: Word, cursor: Cursor, least: u32): void {
  const adds = !isOnePhrase();
  const isInPhrase = word.phrase !== 0;
  let kept: u32 = 0;
  startLookUp();
  while (nextRun(base, cursor, least)) {
    const found = foundCount();
    if (found === 0) continue;
    const hasOthers = loadFrequencies(cursor);
    if (hasOthers && adds) openOthers(base);
    if (isInPhrase) startPlaces(cursor, found);
    for (let i: u32 = 0; i < found; i++) {
      const candidate = foundCandidate(base, i);
      const posting = foundPosting(base, i);
      // To score it costs less than this look at its group's bound, but not so to read its positions.
      if (isInPhrase && carriedScore(base, candidate) + groupBound(base, cursor, posting / GROUP_LENGTH) < least) continue;
      const row = rowOf(cursor, posting);
      const slot = candidateSlot(base, candidate);
      if (adds) copyFrequencies(row, candidateRow(base, kept), hasOthers);
      else takeLeast(candidateRow(base, candidate), row, candidateRow(base, kept), rowsHaveOthers(), hasOthers);
      if (isInPhrase) savePlace(base, cursor, posting, slot);
      setCandidate(base, kept++, candidateDoc(base, candidate), candidateScore(base, candidate), slot);
    }
  }
  setCandidateCount(kept);
}

/** Adds the frequencies of all lists of the word up at WORD_ROWS, and marks the candidates that hold any. True when they have other fields. */
function sumLists(base: usize, word: Word): bool {
  const rows = base + WORD_ROWS;
  let withOthers = false;
  clearMarks(base);
  memory.fill(rows + ROWS_FREQUENCIES, 0, SLOT_BYTES);
  for (let index: u32 = 0; index < word.cursorCount; index++) {
    const cursor = cursorOf(word, index);
    if (cursor.isAbsent !== 0) continue;
    if (word.phrase !== 0) clearPlaces(base, cursor);
    startLookUp();
    while (nextRun(base, cursor, 0)) {
      const found = foundCount();
      if (found === 0) continue;
      const hasOthers = loadFrequencies(cursor);
      if (hasOthers && !withOthers) memory.fill(rows + ROWS_OTHERS, 0, OTHER_COUNT * SLOT_BYTES);
      if (hasOthers) withOthers = true;
      if (word.phrase !== 0) startPlaces(cursor, found);
      for (let i: u32 = 0; i < found; i++) {
        const candidate = foundCandidate(base, i);
        const posting = foundPosting(base, i);
        mark(base, candidate);
        addFrequencies(rowOf(cursor, posting), rows + (candidate << 2), hasOthers);
        if (word.phrase !== 0) savePlace(base, cursor, posting, candidateSlot(base, candidate));
      }
    }
  }
  return withOthers;
}

/** Makes the sums at WORD_ROWS the candidates' rows. */
function takeSums(base: usize, hasOthers: bool): void {
  memory.copy(base + CANDIDATES + ROWS_FREQUENCIES, base + WORD_ROWS + ROWS_FREQUENCIES, SLOT_BYTES);
  startRows();
  if (!hasOthers) return;
  openOthers(base);
  memory.copy(base + CANDIDATES + ROWS_OTHERS, base + WORD_ROWS + ROWS_OTHERS, OTHER_COUNT * SLOT_BYTES);
}

function takeLeastSums(base: usize, hasOthers: bool): void {
  for (let i: u32 = 0; i < candidateCount(); i++) {
    const own = candidateRow(base, i);
    takeLeast(own, base + WORD_ROWS + (i << 2), own, rowsHaveOthers(), hasOthers);
  }
}

/** Adds what an optional word adds to the candidates that hold it, and drops those that cannot reach `need` any more. */
export function addOptional(base: usize, word: Word, need: u32): void {
  takeSums(base, sumLists(base, word));
  addScores(base, word.weight, without(need, word.rest));
}

/** Drops the candidates that hold the word. */
export function dropHeld(base: usize, word: Word): void {
  sumLists(base, word);
  keepMarked(base, 0, false);
}
