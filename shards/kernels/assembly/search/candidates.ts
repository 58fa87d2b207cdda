import { ROWS_DOCS, ROWS_FREQUENCIES, ROWS_OTHERS } from '../../search-layout.ts';
import { CANDIDATE_SCORES, CANDIDATE_SLOTS, CANDIDATES, IMPACTS, MARKS, WORD_ROWS } from './conjunction-layout.ts';
import { OTHER_COUNT, SLOT_BYTES } from './decode-others.ts';
import { scoresOf } from './impacts.ts';
import { reaching } from './list-range.ts';

/**
 * The candidates of a window: documents of one block of the lead in rising order, each with what its words add up to so far
 * and its index in that block. Word after word they become fewer.
 */
let count: u32 = 0;
/** All ones when what words add is added up; 0 when each word must reach what is needed by itself. */
let carried: u32 = 0xffffffff;
/** Whether the rows of the fields besides the body hold their frequencies; otherwise these are 0. */
let withOthers = false;

/** `byItself`: no word adds to another; what each gives to a candidate is compared with the need alone. */
export function startCandidates(byItself: bool): void {
  carried = byItself ? 0 : 0xffffffff;
}

// @ts-ignore: decorator
@inline
export function candidateCount(): u32 {
  return count;
}

/** Leaves the first `left` candidates. */
export function setCandidateCount(left: u32): void {
  count = left;
}

// @ts-ignore: decorator
@inline
export function candidateDocs(base: usize): usize {
  return base + CANDIDATES + ROWS_DOCS;
}

// @ts-ignore: decorator
@inline
export function candidateDoc(base: usize, index: u32): u32 {
  return load<u32>(base + CANDIDATES + (index << 2), ROWS_DOCS);
}

// @ts-ignore: decorator
@inline
export function candidateScore(base: usize, index: u32): u32 {
  return load<u32>(base + CANDIDATE_SCORES + (index << 2));
}

/** What a word's bound is added to before it is compared with the need. */
// @ts-ignore: decorator
@inline
export function carriedScore(base: usize, index: u32): u32 {
  return candidateScore(base, index) & carried;
}

// @ts-ignore: decorator
@inline
export function candidateSlot(base: usize, index: u32): u32 {
  return load<u32>(base + CANDIDATE_SLOTS + (index << 2));
}

// @ts-ignore: decorator
@inline
export function setCandidate(base: usize, index: u32, doc: u32, score: u32, slot: u32): void {
  const at = base + (index << 2);
  store<u32>(at + CANDIDATES, doc, ROWS_DOCS);
  store<u32>(at + CANDIDATE_SCORES, score);
  store<u32>(at + CANDIDATE_SLOTS, slot);
}

/** Address of the candidate's column in the rows of frequencies. */
// @ts-ignore: decorator
@inline
export function candidateRow(base: usize, index: u32): usize {
  return base + CANDIDATES + (index << 2);
}

// @ts-ignore: decorator
@inline
export function rowsHaveOthers(): bool {
  return withOthers;
}

/** Begins with rows of which only the body counts. */
// @ts-ignore: decorator
@inline
export function startRows(): void {
  withOthers = false;
}

/** Lets the fields besides the body count, with 0 for all candidates so far. */
export function openOthers(base: usize): void {
  if (!withOthers) memory.fill(base + CANDIDATES + ROWS_OTHERS, 0, OTHER_COUNT * SLOT_BYTES);
  withOthers = true;
}

/** Copies frequencies from one column of decoded rows to another, `hasOthers`: those besides the body too. */
// @ts-ignore: decorator
@inline
export function copyFrequencies(from: usize, to: usize, hasOthers: bool): void {
  store<u32>(to, load<u32>(from, ROWS_FREQUENCIES), ROWS_FREQUENCIES);
  if (hasOthers) copyOthers(from, to);
}

function copyOthers(from: usize, to: usize): void {
  for (let slot: u32 = 0; slot < OTHER_COUNT * SLOT_BYTES; slot += SLOT_BYTES) {
    store<u32>(to + slot, load<u32>(from + slot, ROWS_OTHERS), ROWS_OTHERS);
  }
}

/** Adds frequencies of one column of decoded rows to those of another. */
export function addFrequencies(from: usize, to: usize, hasOthers: bool): void {
  store<u32>(to, load<u32>(to, ROWS_FREQUENCIES) + load<u32>(from, ROWS_FREQUENCIES), ROWS_FREQUENCIES);
  if (!hasOthers) return;
  for (let slot: u32 = 0; slot < OTHER_COUNT * SLOT_BYTES; slot += SLOT_BYTES) {
    store<u32>(to + slot, load<u32>(to + slot, ROWS_OTHERS) + load<u32>(from + slot, ROWS_OTHERS), ROWS_OTHERS);
  }
}

/**
 * Writes to column `to` the lesser of what column `own` and column `from` hold: with `fromOthers` and `ownOthers` unless all
 * fields besides the body are 0 there.
 */
// @ts-ignore: decorator
@inline
export function takeLeast(own: usize, from: usize, to: usize, ownOthers: bool, fromOthers: bool): void {
  const least = min<u32>(load<u32>(own, ROWS_FREQUENCIES), load<u32>(from, ROWS_FREQUENCIES));
  store<u32>(to, least, ROWS_FREQUENCIES);
  if (ownOthers) takeLeastOthers(own, from, to, fromOthers);
}

function takeLeastOthers(own: usize, from: usize, to: usize, fromOthers: bool): void {
  for (let slot: u32 = 0; slot < OTHER_COUNT * SLOT_BYTES; slot += SLOT_BYTES) {
    const other = fromOthers ? load<u32>(from + slot, ROWS_OTHERS) : 0;
    store<u32>(to + slot, min<u32>(load<u32>(own + slot, ROWS_OTHERS), other), ROWS_OTHERS);
  }
}

/** Makes candidates of postings first..end-1 of `docs`, scored at IMPACTS, with at least `least`; `first` is a multiple of 16. */
export function gatherScored(base: usize, docs: usize, first: u32, end: u32, least: u32): void {
  const scores = base + IMPACTS;
  const wanted = i32x4.splat(least);
  let gathered = count;
  for (; first < end; first += 16) {
    for (let hits = <u32>reaching(scores + (first << 2), wanted); hits !== 0; hits &= hits - 1) {
      const index = first + ctz(hits);
      if (index >= end) break;
      setCandidate(base, gathered++, load<u32>(docs + (index << 2)), load<u32>(scores + (index << 2)), index);
    }
  }
  count = gathered;
}

/** Drops the candidates that are not in the bit set at `allowed`. */
export function filterCandidates(base: usize, allowed: usize): void {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = candidateDoc(base, i);
    setCandidate(base, kept, doc, candidateScore(base, i), candidateSlot(base, i));
    kept += (load<u32>(allowed + ((doc >>> 5) << 2)) >>> (doc & 31)) & 1;
  }
  count = kept;
}

/** Behind the last candidate, documents that can be scored though nobody asks for them: other kernels use this memory too. */
// @ts-ignore: decorator
@inline
function padCandidates(base: usize): void {
  for (let i = count; (i & 3) !== 0; i++) store<u32>(base + CANDIDATES + (i << 2), 0, ROWS_DOCS);
}

/** Adds what the word with `weight`, whose frequencies the rows hold, adds to the candidates, and keeps those that reach `least`. */
export function addScores(base: usize, weight: u32, least: u32): void {
  padCandidates(base);
  scoresOf(base, base + CANDIDATES, 0, count, withOthers, weight, base + IMPACTS);
  let left: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const score = candidateScore(base, i) + load<u32>(base + IMPACTS + (i << 2));
    setCandidate(base, left, candidateDoc(base, i), score, candidateSlot(base, i));
    left += <u32>(score >= least);
  }
  count = left;
}

/** Replaces scores by the impacts of the rows' frequencies, and keeps the candidates that reach `least`, with their rows. */
export function scoreByRows(base: usize, weight: u32, least: u32): void {
  padCandidates(base);
  scoresOf(base, base + CANDIDATES, 0, count, withOthers, weight, base + IMPACTS);
  let left: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const score = load<u32>(base + IMPACTS + (i << 2));
    setCandidate(base, left, candidateDoc(base, i), score, candidateSlot(base, i));
    copyFrequencies(candidateRow(base, i), candidateRow(base, left), withOthers);
    left += <u32>(score >= least);
  }
  count = left;
}

/** Takes the marks off all candidates. */
export function clearMarks(base: usize): void {
  memory.fill(base + MARKS, 0, count << 2);
}

// @ts-ignore: decorator
@inline
export function mark(base: usize, index: u32): void {
  store<u32>(base + MARKS + (index << 2), 1);
}

/** Keeps the candidates whose mark is `wanted`, with their rows and those of WORD_ROWS. */
export function keepMarked(base: usize, wanted: u32, wordOthers: bool): void {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    setCandidate(base, kept, candidateDoc(base, i), candidateScore(base, i), candidateSlot(base, i));
    copyFrequencies(candidateRow(base, i), candidateRow(base, kept), withOthers);
    copyFrequencies(base + WORD_ROWS + (i << 2), base + WORD_ROWS + (kept << 2), wordOthers);
    kept += <u32>(load<u32>(base + MARKS + (i << 2)) === wanted);
  }
  count = kept;
}
