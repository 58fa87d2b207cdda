import { HEADER_BLOCK_BOUNDS, HEADER_GROUP_BOUNDS, ROWS_DOCS } from '../../search-layout.ts';
import { boundStep, groupSteps, headOf, lastDoc } from './block-heads.ts';
import { lastDocBefore, leastStep, openSlot, scoreGroups } from './posting-lists.ts';
import { firstNotBelow } from './search-in-block.ts';
import { header, wordOf } from './words.ts';
import {
  CANDIDATE_DOCS,
  CANDIDATE_SCORES,
  LIST_FIRST_RECORD,
  LIST_FLAT_DOCS,
  LIST_FLAT_SCORES,
  LIST_INDEX,
  LIST_RECORDS,
  LIST_DOC_COUNT,
  LIST_WEIGHT,
  MARK,
  SCORES,
  SLOT_COUNT_AT,
  SLOT_SCORES,
  STARTS_BYTES,
  WINDOW_DOCS,
  WINDOW_STARTS,
} from './work-layout.ts';

/** Postings start..end-1 at `docs` and `scores`, in groups of 16 of which `groups` says which may matter. */
let docs: usize = 0;
let scores: usize = 0;
let start: u32 = 0;
let end: u32 = 0;
let groups: u32 = 0;
/** Candidates of the window. */
let candidates: u32 = 0;

// @ts-ignore: decorator
@inline
export function candidateCount(): u32 {
  return candidates;
}

export function setCandidateCount(count: u32): void {
  candidates = count;
}

/** First record, or posting of a flat list, of the list in window `window` of the span. */
// @ts-ignore: decorator
@inline
export function windowStart(base: usize, list: usize, window: u32): u32 {
  return wordOf(base + WINDOW_STARTS + wordOf(list, LIST_INDEX) * STARTS_BYTES, window);
}

/** A bit for each group of the record whose stored bound is at least `step` (at most 255). */
// @ts-ignore: decorator
@inline
export function groupsFrom(record: u32, step: u32): u32 {
  const bounds = header(HEADER_GROUP_BOUNDS);
  if (bounds === 0) return 255;
  const steps = v128.load64_zero(bounds + (<usize>record << 3));
  return <u32>i8x16.bitmask(i8x16.ge_u(steps, i8x16.splat(<i8>step))) & 255;
}

/** The same of the record with that head. */
// @ts-ignore: decorator
@inline
function groupsReaching(head: usize, step: u32): u32 {
  return <u32>i8x16.bitmask(i8x16.ge_u(v128.load64_zero(groupSteps(head)), i8x16.splat(<i8>step))) & 255;
}

/** Stored bound of one group of the record. */
// @ts-ignore: decorator
@inline
export function groupStep(record: u32, group: u32): u32 {
  const bounds = header(HEADER_GROUP_BOUNDS);
  return bounds === 0 ? 255 : <u32>load<u8>(bounds + (<usize>record << 3) + group);
}

// @ts-ignore: decorator
@inline
export function blockStep(record: u32): u32 {
  const bounds = header(HEADER_BLOCK_BOUNDS);
  return bounds === 0 ? 255 : <u32>load<u8>(bounds + record);
}

/**
 * Makes the part of record `record` that lies in from..to-1 ready, groups with a stored bound below `step` left out.
 * `before` and `last` are the last documents of the block in front and of this one.
 */
function openRange(base: usize, list: usize, record: u32, from: u32, to: u32, before: u32, last: u32, step: u32): void {
  const slot = openSlot(base, list, record);
  const count = load<u32>(slot, SLOT_COUNT_AT);
  docs = slot + ROWS_DOCS;
  scores = slot + SLOT_SCORES;
  start = before + 1 >= from ? 0 : firstNotBelow(docs, count, from);
  end = last < to ? count : firstNotBelow(docs, count, to);
  if (start >= end) {
    groups = 0;
    return;
  }
  const lastGroup = (end - 1) >>> 4;
  groups = groupsReaching(headOf(wordOf(list, LIST_FIRST_RECORD) + record), step) & ((2 << lastGroup) - (1 << (start >>> 4)));
  scoreGroups(base, list, record, slot, groups);
}

/** Adds the range to the window that begins at `from`. */
function addRange(base: usize, from: u32): void {
  const window = base + SCORES;
  for (let rest = groups; rest !== 0; rest &= rest - 1) {
    const first = ctz(rest) << 4;
    const stop = min<u32>(end, first + 16);
    for (let i = max<u32>(start, first); i < stop; i++) {
      const index = load<u32>(docs + (<usize>i << 2)) - from;
      if (index >= WINDOW_DOCS) unreachable();
      const at = window + (<usize>index << 2);
      store<u32>(at, (load<u32>(at) + load<u32>(scores + (<usize>i << 2))) | MARK);
    }
  }
}

/** A bit for each of the 16 scores at `scores` that is at least `wanted`. */
// @ts-ignore: decorator
@inline
export function reaching(scores: usize, wanted: v128): i32 {
  const first = i32x4.ge_u(v128.load(scores), wanted);
  const second = i32x4.ge_u(v128.load(scores, 16), wanted);
  const third = i32x4.ge_u(v128.load(scores, 32), wanted);
  const fourth = i32x4.ge_u(v128.load(scores, 48), wanted);
  return i8x16.bitmask(
    i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(first, second), i16x8.narrow_i32x4_s(third, fourth)),
  );
}

/** Makes candidates of the range's postings with scores of at least `need`. */
function gatherRange(base: usize, need: u32): void {
  let count = candidates;
  const wanted = i32x4.splat(need);
  for (let rest = groups; rest !== 0; rest &= rest - 1) {
    const first = ctz(rest) << 4;
    const stop = min<u32>(end, first + 16);
    for (let hits = reaching(scores + (<usize>first << 2), wanted); hits !== 0; hits &= hits - 1) {
      const at = first + ctz(hits);
      if (at < start || at >= stop) continue;
      if (count >= WINDOW_DOCS) unreachable();
      store<u32>(base + CANDIDATE_DOCS + (<usize>count << 2), load<u32>(docs + (<usize>at << 2)));
      store<u32>(base + CANDIDATE_SCORES + (<usize>count << 2), load<u32>(scores + (<usize>at << 2)));
      count++;
    }
  }
  candidates = count;
}

function openFlatRange(base: usize, list: usize, window: u32, to: u32): void {
  docs = wordOf(list, LIST_FLAT_DOCS);
  scores = wordOf(list, LIST_FLAT_SCORES);
  const count = wordOf(list, LIST_DOC_COUNT);
  start = windowStart(base, list, window);
  end = start + firstNotBelow(docs + (<usize>start << 2), count - start, to);
  groups = start < end ? (2 << ((end - 1) >>> 4)) - (1 << (start >>> 4)) : 0;
}

/**
 * Walks the list's postings in the window from..to-1. `need`: what the list must add at least for a document to matter.
 * Adds them to the window's scores, or, with `gathers`, makes candidates of those that reach it.
 */
export function walkWindow(base: usize, list: usize, window: u32, from: u32, to: u32, need: u32, gathers: bool): void {
  const records = wordOf(list, LIST_RECORDS);
  if (records === 0) {
    openFlatRange(base, list, window, to);
    if (gathers) gatherRange(base, need);
    else addRange(base, from);
    return;
  }
  const firstRecord = wordOf(list, LIST_FIRST_RECORD);
  const step = leastStep(base, wordOf(list, LIST_WEIGHT), need);
  if (step > 255) return;
  let record = windowStart(base, list, window);
  let before = lastDocBefore(firstRecord, record);
  for (; record < records && before + 1 < to; record++) {
    const head = headOf(firstRecord + record);
    const last = lastDoc(head);
    if (boundStep(head) >= step) {
      openRange(base, list, record, from, to, before, last, step);
      if (gathers) gatherRange(base, need);
      else addRange(base, from);
    }
    before = last;
  }
}
