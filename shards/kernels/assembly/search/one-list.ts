import {
  HEADER_ADDRESS,
  HEADER_BEST_IMPACTS,
  HEADER_DOC_COUNT,
  HEADER_GROUP_BOUNDS,
  HEADER_STATIC_BOUNDS,
  HEADER_STATIC_SCORES,
  ROWS_DOCS,
} from '../../search-layout.ts';
import { isLate } from './environment.ts';
import { groupsFrom } from './list-range.ts';
import { leastStep, openSlot, scoreGroups } from './posting-lists.ts';
import { offerHit, threshold } from './top-hits.ts';
import { header, wordOf } from './words.ts';
import {
  LIST_DOC_COUNT,
  LIST_FIRST_RECORD,
  LIST_FLAT_DOCS,
  LIST_FLAT_SCORES,
  LIST_RECORDS,
  LIST_WEIGHT,
  LISTS,
  SLOT_SCORES,
} from './work-layout.ts';

/** Records that are read between two looks at the clock. */
const CLOCK_INTERVAL: u32 = 256;
const STEPS: u32 = 256;
const STATIC_BOUND_BITS: u32 = 10;

let allowedDocs: usize = 0;
let statics: usize = 0;
let largestStatic: u32 = 0;

/** Largest static score of the segment. */
export function largestStaticScore(): u32 {
  const bounds = header(HEADER_STATIC_BOUNDS);
  if (bounds === 0) return 0;
  const windows = (wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT) >>> STATIC_BOUND_BITS) + 1;
  let largest: u32 = 0;
  for (let window: u32 = 0; window < windows; window++) largest = max<u32>(largest, wordOf(bounds, window));
  return largest;
}

/** What a list must add for a document to enter. */
// @ts-ignore: decorator
@inline
function needed(): u32 {
  const least = threshold();
  return least > largestStatic ? least - largestStatic : 0;
}

/** Offers postings first..end-1. */
function offerRun(docs: usize, scores: usize, first: u32, end: u32): void {
  const wanted = i32x4.splat(needed());
  for (let i = first; i < end; i += 4) {
    let hits = i32x4.bitmask(i32x4.ge_u(v128.load(scores + (<usize>i << 2)), wanted));
    for (; hits !== 0; hits &= hits - 1) {
      const at = i + ctz(hits);
      if (at >= end) return;
      const doc = wordOf(docs, at);
      if (allowedDocs !== 0 && ((load<u32>(allowedDocs + ((doc >>> 5) << 2)) >>> (doc & 31)) & 1) === 0) continue;
      offerHit(doc, wordOf(scores, at) + (statics === 0 ? 0 : wordOf(statics, doc)));
    }
  }
}

/** A bit for each group that the record has. */
// @ts-ignore: decorator
@inline
function groupsOf(list: usize, record: u32): u32 {
  const count = min<u32>(128, wordOf(list, LIST_DOC_COUNT) - (record << 7));
  return (1 << ((count + 15) >>> 4)) - 1;
}

/** The first record from `record` on that may have a group with a bound of at least `step`: two records are tested at once. */
function nextRecord(list: usize, record: u32, step: u32): u32 {
  const bounds = header(HEADER_GROUP_BOUNDS);
  if (bounds === 0) return record;
  const records = wordOf(list, LIST_RECORDS);
  const wanted = i8x16.splat(<i8>step);
  let at = bounds + (<usize>(wordOf(list, LIST_FIRST_RECORD) + record) << 3);
  while (record + 2 <= records && !v128.any_true(i8x16.ge_u(v128.load(at), wanted))) {
    record += 2;
    at += 16;
  }
  return record;
}

/** Reads the groups whose bound is at least `low` and below `high`; false when the time is up. */
function readGroups(base: usize, list: usize, low: u32, high: u32): bool {
  const records = wordOf(list, LIST_RECORDS);
  const firstRecord = wordOf(list, LIST_FIRST_RECORD);
  const weight = wordOf(list, LIST_WEIGHT);
  let least = threshold();
  let steps: u32 = 0;
  for (let record = nextRecord(list, 0, low); record < records; record = nextRecord(list, record + 1, low)) {
    let groups = groupsFrom(firstRecord + record, low) & groupsOf(list, record);
    if (high < STEPS) groups &= ~groupsFrom(firstRecord + record, high);
    if (groups === 0) continue;
    if (++steps % CLOCK_INTERVAL === 0 && isLate() !== 0) return false;
    const slot = openSlot(base, list, record);
    scoreGroups(base, list, record, slot, groups);
    const count = min<u32>(128, wordOf(list, LIST_DOC_COUNT) - (record << 7));
    for (; groups !== 0; groups &= groups - 1) {
      const first = ctz(groups) << 4;
      offerRun(slot + ROWS_DOCS, slot + SLOT_SCORES, first, min<u32>(count, first + 16));
    }
    if (threshold() === least) continue;
    least = threshold();
    low = max<u32>(low, leastStep(base, weight, needed()));
    if (low >= high) return true;
  }
  return true;
}

/** Where to begin when nothing is known of the threshold: the tenth best impact, or in the middle. */
function firstGuess(list: usize): u32 {
  const best = header(HEADER_BEST_IMPACTS);
  return best === 0 ? 0 : <u32>load<u8>(best + wordOf(list, LIST_FIRST_RECORD));
}

/**
 * The k best of a single list: groups by falling bound, in steps, so that few are read before the threshold stands. False when
 * the time is up.
 */
export function oneList(base: usize, allowed: usize): bool {
  const list = base + LISTS;
  allowedDocs = allowed;
  statics = header(HEADER_STATIC_BOUNDS) === 0 ? 0 : header(HEADER_STATIC_SCORES);
  largestStatic = largestStaticScore();
  if (wordOf(list, LIST_RECORDS) === 0) {
    offerRun(wordOf(list, LIST_FLAT_DOCS), wordOf(list, LIST_FLAT_SCORES), 0, wordOf(list, LIST_DOC_COUNT));
    return true;
  }
  const weight = wordOf(list, LIST_WEIGHT);
  let high = STEPS;
  let low = threshold() > 0 ? leastStep(base, weight, needed()) : firstGuess(list);
  while (low < high) {
    if (!readGroups(base, list, low, high)) return false;
    high = low;
    low = threshold() > 0 ? leastStep(base, weight, needed()) : high - ((high + 7) >>> 3);
  }
  return true;
}
