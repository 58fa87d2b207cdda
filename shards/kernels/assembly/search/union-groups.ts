import {
  HEADER_LAST_DOCS,
  ROWS_DOCS,
  ROWS_FREQUENCIES,
  ROWS_OTHERS,
} from '../../search-layout.ts';
import { decodeTail } from './decode-tail.ts';
import { impactsOf } from './impacts.ts';
import { openFrequencies, openSlot, othersWeigh, WITH_OTHERS } from './posting-lists.ts';
import { firstNotBelow } from './search-in-block.ts';
import { header, wordOf } from './words.ts';
import {
  LIST_BYTES,
  LIST_DOC_COUNT,
  LIST_FIRST_RECORD,
  LIST_FLAT_DOCS,
  LIST_GROUP,
  LIST_POSTINGS,
  LIST_RECORDS,
  LIST_WEIGHT,
  LISTS,
  SLOT_COUNT_AT,
  TAIL_ROWS,
  UNION_IMPACTS,
  UNION_ROWS,
} from './work-layout.ts';

/*
 * A group of several terms counts as one: frequencies are added before saturation. Saturation is concave and 0 at 0, hence
 * I(x + y) <= I(x) + I(y) in real numbers; so its lists can be evaluated as if they were words of their own, which gives
 * an upper bound, and only what could enter by it is scored again.
 */

const OTHER_COUNT: u32 = 5;
const SLOT_ROW_BYTES: u32 = 512;

/** What rounding can take from the sum of the lists' parts, over all groups of several lists. */
let slack: u32 = 0;

// @ts-ignore: decorator
@inline
export function unionSlack(): u32 {
  return slack;
}

/** Last list of the group that begins at list `first`, plus 1. */
function groupEnd(base: usize, lists: u32, first: u32): u32 {
  const group = wordOf(base + LISTS + first * LIST_BYTES, LIST_GROUP);
  let end = first + 1;
  while (end < lists && wordOf(base + LISTS + end * LIST_BYTES, LIST_GROUP) === group) end++;
  return end;
}

/** Each impact is rounded by at most one half, each part of a score loses less than 1: one unit a member covers either. */
export function openGroups(base: usize, lists: u32): void {
  slack = 0;
  for (let first: u32 = 0; first < lists; ) {
    const end = groupEnd(base, lists, first);
    const members = end - first;
    const weight = wordOf(base + LISTS + first * LIST_BYTES, LIST_WEIGHT);
    if (members > 1) slack += ((members * weight) >>> 7) + members + 1;
    first = end;
  }
}

/** Copies the frequencies of posting `place` of `rows` to column `column` of UNION_ROWS, and adds them to column `total`. */
function takeFrequencies(base: usize, rows: usize, place: u32, others: bool, column: u32, total: u32): void {
  const target = base + UNION_ROWS;
  const from = rows + (<usize>place << 2);
  const own = target + (<usize>column << 2);
  const sum = target + (<usize>total << 2);
  store<u32>(own, load<u32>(from, ROWS_FREQUENCIES), ROWS_FREQUENCIES);
  store<u32>(sum, load<u32>(sum, ROWS_FREQUENCIES) + load<u32>(from, ROWS_FREQUENCIES), ROWS_FREQUENCIES);
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
    const at = <usize>(slot * SLOT_ROW_BYTES);
    const frequency = others ? load<u32>(from + at, ROWS_OTHERS) : 0;
    store<u32>(own + at, frequency, ROWS_OTHERS);
    store<u32>(sum + at, load<u32>(sum + at, ROWS_OTHERS) + frequency, ROWS_OTHERS);
  }
}

/** First record of the list that does not end before `doc`. */
function recordOf(list: usize, doc: u32): u32 {
  const lastDocs = header(HEADER_LAST_DOCS);
  const firstRecord = wordOf(list, LIST_FIRST_RECORD);
  let low: u32 = 0;
  let high = wordOf(list, LIST_RECORDS);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (wordOf(lastDocs, firstRecord + middle) < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the list holds `doc`; then its frequencies are taken. */
function takeFrom(base: usize, list: usize, doc: u32, column: u32, total: u32): bool {
  if (wordOf(list, LIST_RECORDS) === 0) {
    const docs = wordOf(list, LIST_FLAT_DOCS);
    const count = wordOf(list, LIST_DOC_COUNT);
    const place = firstNotBelow(docs, count, doc);
    if (place >= count || wordOf(docs, place) !== doc) return false;
    const rows = base + TAIL_ROWS;
    const others = decodeTail(wordOf(list, LIST_POSTINGS), count, -1, rows);
    takeFrequencies(base, rows, place, others, column, total);
    return true;
  }
  const record = recordOf(list, doc);
  if (record === wordOf(list, LIST_RECORDS)) return false;
  const slot = openSlot(base, list, record);
  const count = load<u32>(slot, SLOT_COUNT_AT);
  const place = firstNotBelow(slot + ROWS_DOCS, count, doc);
  if (place >= count || load<u32>(slot + ROWS_DOCS + (<usize>place << 2)) !== doc) return false;
  takeFrequencies(base, slot, place, openFrequencies(base, list, record, slot) === WITH_OTHERS, column, total);
  return true;
}

/** What the lists first..end-1 of a group add to `doc` too much. */
function excessOf(base: usize, first: u32, end: u32, doc: u32): u32 {
  const rows = base + UNION_ROWS;
  const total = end - first;
  for (let column: u32 = 0; column <= total; column++) store<u32>(rows + (<usize>column << 2), doc, ROWS_DOCS);
  clearColumn(rows, total);
  let members: u32 = 0;
  for (let index = first; index < end; index++) {
    const list = base + LISTS + index * LIST_BYTES;
    members += <u32>takeFrom(base, list, doc, members, total);
  }
  if (members < 2) return 0;
  for (let column = total + 1; (column & 3) !== 0; column++) store<u32>(rows + (<usize>column << 2), doc, ROWS_DOCS);
  const impacts = base + UNION_IMPACTS;
  impactsOf(base, rows, 0, total + 1, othersWeigh(base), impacts);
  const weight = wordOf(base + LISTS + first * LIST_BYTES, LIST_WEIGHT);
  let sum: u32 = 0;
  for (let column: u32 = 0; column < members; column++) sum += (weight * wordOf(impacts, column)) >>> 7;
  return sum - ((weight * wordOf(impacts, total)) >>> 7);
}

function clearColumn(rows: usize, column: u32): void {
  const at = rows + (<usize>column << 2);
  store<u32>(at, 0, ROWS_FREQUENCIES);
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) store<u32>(at + slot * SLOT_ROW_BYTES, 0, ROWS_OTHERS);
}

/** The score of a document whose lists add `score` as words of their own. */
export function unitedScore(base: usize, lists: u32, doc: u32, score: u32): u32 {
  for (let first: u32 = 0; first < lists; ) {
    const end = groupEnd(base, lists, first);
    if (end - first > 1) score -= excessOf(base, first, end, doc);
    first = end;
  }
  return score;
}
