import { HEADER_LAST_DOCS, HEADER_STATIC_BOUNDS, ROWS_DOCS } from '../../search-layout.ts';
import { blockStep, groupStep } from './list-range.ts';
import { boundOf, openSlot } from './posting-lists.ts';
import { header, setWord, wordOf } from './words.ts';
import {
  LIST_BYTES,
  LIST_DOC_COUNT,
  LIST_FIRST_RECORD,
  LIST_FLAT_DOCS,
  LIST_FLAT_SCORES,
  LIST_INDEX,
  LIST_NEXT,
  LIST_RECORDS,
  LIST_WEIGHT,
  LISTS,
  SLOT_COUNT_AT,
  SPAN_WINDOWS,
  STARTS_BYTES,
  SUM_CLASSES,
  WINDOW_BITS,
  WINDOW_BOUNDS,
  WINDOW_ORDER,
  WINDOW_STARTS,
  WINDOW_SUMS,
} from './work-layout.ts';

/** Most that the list adds in window `window` of the span, plus 1; 0 where it has no posting. */
// @ts-ignore: decorator
@inline
export function windowBound(base: usize, list: usize, window: u32): u32 {
  return wordOf(base + WINDOW_BOUNDS + wordOf(list, LIST_INDEX) * (SPAN_WINDOWS << 2), window);
}

/** Postings that one stored bound covers. */
const GROUP_LENGTH: u32 = 16;
/** A block that spans so many documents is looked at group by group: its largest posting lies in one of its windows. */
const WIDE_BLOCK_DOCS: u32 = 2 << WINDOW_BITS;

// @ts-ignore: decorator
@inline
function raiseBound(bounds: usize, starts: usize, window: u32, bound: u32, record: u32): void {
  const known = wordOf(bounds, window);
  if (known === 0) setWord(starts, window, record);
  if (bound > known) setWord(bounds, window, bound);
}

/** Bounds of the windows from..to-1 that the groups of a record reach into. */
function boundGroups(base: usize, list: usize, record: u32, from: u32, to: u32): void {
  const bounds = base + WINDOW_BOUNDS + wordOf(list, LIST_INDEX) * (SPAN_WINDOWS << 2);
  const starts = base + WINDOW_STARTS + wordOf(list, LIST_INDEX) * STARTS_BYTES;
  const absolute = wordOf(list, LIST_FIRST_RECORD) + record;
  const weight = wordOf(list, LIST_WEIGHT);
  const slot = openSlot(base, list, record);
  const docs = slot + ROWS_DOCS;
  const count = load<u32>(slot, SLOT_COUNT_AT);
  for (let first: u32 = 0; first < count; first += GROUP_LENGTH) {
    const low = max<u32>(wordOf(docs, first), from);
    const high = min<u32>(wordOf(docs, min<u32>(first + GROUP_LENGTH, count) - 1), to - 1);
    if (low > high) continue;
    const bound = boundOf(base, weight, groupStep(absolute, first / GROUP_LENGTH)) + 1;
    const end = (high - from) >>> WINDOW_BITS;
    for (let window = (low - from) >>> WINDOW_BITS; window <= end; window++) {
      raiseBound(bounds, starts, window, bound, record);
    }
  }
}

/** Bounds and starts of a list with block records over from..to-1, the documents of the span. */
function boundRecords(base: usize, list: usize, from: u32, to: u32): void {
  const bounds = base + WINDOW_BOUNDS + wordOf(list, LIST_INDEX) * (SPAN_WINDOWS << 2);
  const starts = base + WINDOW_STARTS + wordOf(list, LIST_INDEX) * STARTS_BYTES;
  const firstRecord = wordOf(list, LIST_FIRST_RECORD);
  const records = wordOf(list, LIST_RECORDS);
  const weight = wordOf(list, LIST_WEIGHT);
  const lastDocs = header(HEADER_LAST_DOCS);
  let record = wordOf(list, LIST_NEXT);
  let next: u32 = record === 0 ? 0 : wordOf(lastDocs, firstRecord + record - 1) + 1;
  for (; record < records && next < to; record++) {
    const last = wordOf(lastDocs, firstRecord + record);
    const low = max<u32>(next, from);
    const high = min<u32>(last, to - 1);
    next = last + 1;
    if (low > high) continue;
    if (last - low >= WIDE_BLOCK_DOCS) {
      boundGroups(base, list, record, from, to);
    } else {
      const bound = boundOf(base, weight, blockStep(firstRecord + record)) + 1;
      const end = (high - from) >>> WINDOW_BITS;
      for (let window = (low - from) >>> WINDOW_BITS; window <= end; window++) {
        raiseBound(bounds, starts, window, bound, record);
      }
    }
    if (last >= to) break;
  }
  setWord(list, LIST_NEXT, record);
}

function boundPostings(base: usize, list: usize, from: u32, to: u32): void {
  const bounds = base + WINDOW_BOUNDS + wordOf(list, LIST_INDEX) * (SPAN_WINDOWS << 2);
  const starts = base + WINDOW_STARTS + wordOf(list, LIST_INDEX) * STARTS_BYTES;
  const docs = <usize>wordOf(list, LIST_FLAT_DOCS);
  const scores = <usize>wordOf(list, LIST_FLAT_SCORES);
  const count = wordOf(list, LIST_DOC_COUNT);
  let posting = wordOf(list, LIST_NEXT);
  for (; posting < count; posting++) {
    const doc = wordOf(docs, posting);
    if (doc >= to) break;
    if (doc < from) continue;
    const window = (doc - from) >>> WINDOW_BITS;
    raiseBound(bounds, starts, window, wordOf(scores, posting) + 1, posting);
  }
  setWord(list, LIST_NEXT, posting);
}

/** Fills the bounds, the starts and the sums of the span's windows. `count`: lists; `windows`: of the span. */
export function boundWindows(base: usize, count: u32, from: u32, to: u32, windows: u32): void {
  const sums = base + WINDOW_SUMS;
  fillStatics(sums, from, windows);
  for (let index: u32 = 0; index < count; index++) {
    const list = base + LISTS + index * LIST_BYTES;
    const bounds = base + WINDOW_BOUNDS + index * (SPAN_WINDOWS << 2);
    memory.fill(bounds, 0, windows << 2);
    if (wordOf(list, LIST_RECORDS) === 0) boundPostings(base, list, from, to);
    else boundRecords(base, list, from, to);
    for (let at: usize = 0; at < windows << 2; at += 16) {
      v128.store(sums + at, i32x4.add(v128.load(sums + at), v128.load(bounds + at)));
    }
  }
}

function fillStatics(sums: usize, from: u32, windows: u32): void {
  const statics = header(HEADER_STATIC_BOUNDS);
  if (statics === 0) memory.fill(sums, 0, windows << 2);
  else memory.copy(sums, statics + ((from >>> WINDOW_BITS) << 2), windows << 2);
}

/** Takes the windows of from..to-1 of which no document is allowed out. */
export function closeWindows(base: usize, allowed: usize, from: u32, to: u32): void {
  for (let first = from; first < to; first += 1 << WINDOW_BITS) {
    const end = min<u32>(to, first + (1 << WINDOW_BITS));
    let some: u64 = 0;
    for (let doc = first; doc < end; doc += 64) some |= load<u64>(allowed + (doc >>> 3));
    if (some === 0) setWord(base + WINDOW_SUMS, (first - from) >>> WINDOW_BITS, 0);
  }
}

const CLASSES: u32 = 256;

/** Puts the windows whose sum is at least `threshold` in order, about by falling sum; returns how many. */
export function orderWindows(base: usize, windows: u32, threshold: u32): u32 {
  const sums = base + WINDOW_SUMS;
  const classes = base + SUM_CLASSES;
  let largest: u32 = 1;
  for (let window: u32 = 0; window < windows; window++) largest = max<u32>(largest, wordOf(sums, window));
  const shift = max<i32>(0, 24 - clz(largest));
  memory.fill(classes, 0, (CLASSES + 1) << 2);
  let count: u32 = 0;
  for (let window: u32 = 0; window < windows; window++) {
    const sum = wordOf(sums, window);
    if (sum < threshold || sum === 0) continue;
    const at = CLASSES - 1 - (sum >>> shift) + 1;
    setWord(classes, at, wordOf(classes, at) + 1);
    count++;
  }
  for (let i: u32 = 1; i <= CLASSES; i++) setWord(classes, i, wordOf(classes, i) + wordOf(classes, i - 1));
  for (let window: u32 = 0; window < windows; window++) {
    const sum = wordOf(sums, window);
    if (sum < threshold || sum === 0) continue;
    const at = CLASSES - 1 - (sum >>> shift);
    const place = wordOf(classes, at);
    setWord(classes, at, place + 1);
    setWord(base + WINDOW_ORDER, place, window);
  }
  return count;
}
