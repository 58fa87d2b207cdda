import { ROWS_DOCS, ROWS_FREQUENCIES, ROWS_OTHERS } from '../../search-layout.ts';
import { CANDIDATE_SCORES, CANDIDATE_SLOTS, CANDIDATES, IMPACTS } from './conjunction-layout.ts';
import { OTHER_COUNT, SLOT_BYTES } from './decode-others.ts';
import { contribute, impactsOf } from './impacts.ts';
import {
  countOf,
  Cursor,
  find,
  GROUP_LENGTH,
  groupBound,
  loadDocs,
  loadFrequencies,
  moveTo,
  rowsOf,
} from './list-cursor.ts';
import { savePlace } from './phrase-places.ts';

/**
 * The candidates of a window: documents of one block of the lead in rising order, each with what its lists add up to so far
 * and its index in that block. List after list they become fewer.
 */
let count: u32 = 0;
/** All ones when what lists add is added up; 0 when each list must reach the need by itself. */
let carried: u32 = 0xffffffff;

/** `byItself`: no list adds to another; what each gives to a candidate is compared with the need alone. */
export function startCandidates(byItself: bool): void {
  carried = byItself ? 0 : 0xffffffff;
}

// @ts-ignore: decorator
@inline
export function candidateCount(): u32 {
  return count;
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

// @ts-ignore: decorator
@inline
export function candidateSlot(base: usize, index: u32): u32 {
  return load<u32>(base + CANDIDATE_SLOTS + (index << 2));
}

// @ts-ignore: decorator
@inline
function setCandidate(base: usize, index: u32, doc: u32, score: u32, slot: u32): void {
  const at = base + (index << 2);
  store<u32>(at + CANDIDATES, doc, ROWS_DOCS);
  store<u32>(at + CANDIDATE_SCORES, score);
  store<u32>(at + CANDIDATE_SLOTS, slot);
}

// @ts-ignore: decorator
@inline
function without(need: u32, most: u32): u32 {
  return need > most ? need - most : 0;
}

/** What the list with `weight` adds to the documents first..first+length-1 of decoded rows, at IMPACTS. */
function scoreRows(base: usize, rows: usize, first: u32, length: u32, hasOthers: bool, weight: u32): void {
  const impacts = base + IMPACTS;
  impactsOf(base, rows, first, length, hasOthers, impacts);
  const weights = i32x4.splat(weight);
  const end = impacts + ((first + length) << 2);
  for (let at = impacts + (first << 2); at < end; at += 16) contribute(at, weights);
}

/**
 * Makes candidates of the lead's present block: the documents in `allowed` (0: all) that can reach `need` with all that the
 * other lists may add. Groups whose bound is too low are not scored.
 */
export function takeLead(base: usize, lead: Cursor, need: u32, allowed: usize): void {
  const least = without(need, lead.rest);
  const rows = rowsOf(lead);
  const docs = rows + ROWS_DOCS;
  const length = countOf(lead);
  const hasOthers = loadFrequencies(lead);
  let kept: u32 = 0;
  for (let first: u32 = 0; first < length; first += GROUP_LENGTH) {
    if (groupBound(base, lead, first / GROUP_LENGTH) < least) continue;
    const end = min<u32>(length, first + GROUP_LENGTH);
    scoreRows(base, rows, first, end - first, hasOthers, lead.weight);
    for (let i = first; i < end; i++) {
      const doc = load<u32>(docs + (i << 2));
      const score = load<u32>(base + IMPACTS + (i << 2));
      setCandidate(base, kept, doc, score & carried, i);
      let isKept = <u32>(score >= least);
      if (allowed !== 0) isKept &= load<u32>(allowed + ((doc >>> 5) << 2)) >>> (doc & 31);
      kept += isKept;
    }
  }
  count = kept;
}

/** Copies posting `index` of the cursor's block to the candidates' rows, for scoring. True when it has other fields. */
// @ts-ignore: decorator
@inline
function copyPosting(base: usize, cursor: Cursor, index: u32, candidate: u32, hadOthers: bool): bool {
  const hasOthers = loadFrequencies(cursor);
  const from = rowsOf(cursor) + (index << 2);
  const to = base + CANDIDATES + (candidate << 2);
  store<u32>(to, load<u32>(from, ROWS_FREQUENCIES), ROWS_FREQUENCIES);
  if (hasOthers) copyOthers(base, from, to, hadOthers);
  return hasOthers;
}

function copyOthers(base: usize, from: usize, to: usize, hadOthers: bool): void {
  if (!hadOthers) memory.fill(base + CANDIDATES + ROWS_OTHERS, 0, OTHER_COUNT * SLOT_BYTES);
  for (let slot: u32 = 0; slot < OTHER_COUNT * SLOT_BYTES; slot += SLOT_BYTES) {
    store<u32>(to + slot, load<u32>(from + slot, ROWS_OTHERS), ROWS_OTHERS);
  }
}

/** Behind the last candidate, documents that can be scored though nobody asks for them: other kernels use this memory too. */
// @ts-ignore: decorator
@inline
function padCandidates(base: usize, length: u32): void {
  for (let i = length; (i & 3) !== 0; i++) store<u32>(base + CANDIDATES + (i << 2), 0, ROWS_DOCS);
}

/** Adds what the list adds to the candidates, whose rows are filled, and keeps those that reach `least`. */
function addScores(base: usize, cursor: Cursor, kept: u32, hasOthers: bool, least: u32): void {
  padCandidates(base, kept);
  scoreRows(base, base + CANDIDATES, 0, kept, hasOthers, cursor.weight);
  let left: u32 = 0;
  for (let i: u32 = 0; i < kept; i++) {
    const score = candidateScore(base, i) + load<u32>(base + IMPACTS + (i << 2));
    setCandidate(base, left, candidateDoc(base, i), score & carried, candidateSlot(base, i));
    left += <u32>(score >= least);
  }
  count = left;
}

/**
 * Keeps the candidates that the list holds, with what it adds to them, as far as they can reach `need`. A block is decoded when
 * its bound leaves a candidate in the running.
 */
export function keepHeld(base: usize, cursor: Cursor, need: u32): void {
  const least = without(need, cursor.rest);
  let kept: u32 = 0;
  let hasOthers = false;
  for (let i: u32 = 0; i < count; i++) {
    const doc = candidateDoc(base, i);
    if (<i32>doc > cursor.lastDoc && !moveTo(base, cursor, doc)) break;
    const score = candidateScore(base, i);
    if (score + cursor.bound < least) continue;
    loadDocs(cursor);
    const index = find(cursor, doc);
    if (load<u32>(rowsOf(cursor) + (index << 2), ROWS_DOCS) !== doc) continue;
    if (score + groupBound(base, cursor, index / GROUP_LENGTH) < least) continue;
    const slot = candidateSlot(base, i);
    if (copyPosting(base, cursor, index, kept, hasOthers)) hasOthers = true;
    if (cursor.phrase !== 0) savePlace(base, cursor, index, slot);
    setCandidate(base, kept, doc, score, slot);
    kept++;
  }
  addScores(base, cursor, kept, hasOthers, least);
}

/** Adds what an optional list adds to the candidates that it holds, and drops those that cannot reach `need` any more. */
export function addOptional(base: usize, cursor: Cursor, need: u32): void {
  let hasOthers = false;
  let hasEnded = false;
  for (let i: u32 = 0; i < count; i++) {
    const doc = candidateDoc(base, i);
    store<u32>(base + CANDIDATES + (i << 2), 0, ROWS_FREQUENCIES);
    if (hasEnded) continue;
    if (<i32>doc > cursor.lastDoc && !moveTo(base, cursor, doc)) {
      hasEnded = true;
      continue;
    }
    loadDocs(cursor);
    const index = find(cursor, doc);
    if (load<u32>(rowsOf(cursor) + (index << 2), ROWS_DOCS) !== doc) continue;
    if (copyPosting(base, cursor, index, i, hasOthers)) hasOthers = true;
  }
  addScores(base, cursor, count, hasOthers, without(need, cursor.rest));
}

/** Drops the candidates that the list holds. */
export function dropHeld(base: usize, cursor: Cursor): void {
  let kept: u32 = 0;
  let hasEnded = false;
  for (let i: u32 = 0; i < count; i++) {
    const doc = candidateDoc(base, i);
    setCandidate(base, kept, doc, candidateScore(base, i), candidateSlot(base, i));
    kept++;
    if (hasEnded) continue;
    if (<i32>doc > cursor.lastDoc && !moveTo(base, cursor, doc)) {
      hasEnded = true;
      continue;
    }
    loadDocs(cursor);
    if (load<u32>(rowsOf(cursor) + (find(cursor, doc) << 2), ROWS_DOCS) === doc) kept--;
  }
  count = kept;
}
