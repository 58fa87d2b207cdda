import {
  HEADER_BLOCK_BOUNDS,
  HEADER_LAST_DOCS,
  ROWS_BYTES,
  ROWS_DOCS,
  ROWS_FREQUENCIES,
  ROWS_OTHERS,
  SCORER,
  SCORER_BOUND_IMPACTS,
} from '../../search-layout.ts';
import { boundStep, docsOffset, groupSteps, headOf, lastDoc, shapeOf } from './block-heads.ts';
import { decodeDocs } from './decode-docs.ts';
import { decodeFrequencies } from './decode-frequencies.ts';
import { decodeOthers } from './decode-others.ts';
import { decodeTail } from './decode-tail.ts';
import { firstNotBelow } from './search-in-block.ts';
import { header, setWord, wordOf } from './words.ts';

/** Postings of a full block, and of a group, which has a bound of its own. */
export const BLOCK_LENGTH: u32 = 128;
export const GROUP_LENGTH: u32 = 16;
const GROUP_COUNT: u32 = 8;
/** The stored bound that stands for the most that there is. */
const MAX_STEP: u32 = 255;
/** Cursor.previousDoc before any block was entered: no block has such a document in front of it. */
const NOT_ENTERED: i32 = -2;

/** What of the present block is decoded: bits of Cursor.state. */
const WITH_DOCS: u32 = 1;
const WITH_FREQUENCIES: u32 = 2;
/** Set beside WITH_FREQUENCIES when a posting of the block has a field besides the body. */
const WITH_OTHERS: u32 = 4;
const WITH_STARTS: u32 = 8;

/** A list and the block of it in which a kernel stands. A block is decoded part by part. */
// @ts-ignore: decorator
@unmanaged
export class Cursor {
  /** What an impact is multiplied with. */
  weight: u32;
  docCount: u32;
  /** Addresses of the first posting and of the first position. */
  postings: u32;
  positions: u32;
  /** Block records, none below 128 documents, and the first of them. */
  recordCount: u32;
  firstRecord: u32;
  blockCount: u32;
  /** Whether frequencies of the fields besides the body are of use. */
  needsOthers: u32;

  /** Number of the cursor in the query, for what is kept of each list. */
  index: u32;
  /** Address of the block of positions that stands decoded for it; 0 for none. */
  positionsBlock: u32;

  /** Address of the head of the present block, where the list has records. */
  head: u32;

  /** The next block to look at; the present one is the one before. */
  nextBlock: u32;
  /** Last document of the block before, and of the present one; -1 in front of the first, NOT_ENTERED before any was entered. */
  previousDoc: i32;
  lastDoc: i32;
  state: u32;
  /** Most that the list adds to a score in the present block. */
  bound: u32;
  /** First record that may reach into the range for which a bound is asked. */
  boundRecord: u32;
  /** Address of all its documents, 0 unless they are decoded. */
  shortDocs: u32;
  /** 1 when it is known to hold none of the documents for which a bound was asked. */
  isAbsent: u32;
}

/** Last documents of the block's eight groups: u32 x 8. */
const GROUP_LASTS: usize = 96;
/** Decoded rows, then u32 x 129: positions of the block in front of each posting, and all of them. */
const ROWS: usize = 128;
const STARTS: usize = ROWS + ROWS_BYTES;

// @ts-ignore: decorator
@inline
export function rowsOf(cursor: Cursor): usize {
  return changetype<usize>(cursor) + ROWS;
}

// @ts-ignore: decorator
@inline
function contributionOf(base: usize, cursor: Cursor, step: u32): u32 {
  return (cursor.weight * wordOf(base + SCORER + SCORER_BOUND_IMPACTS, step)) >>> 7;
}

// @ts-ignore: decorator
@inline
function lastDocs(cursor: Cursor): usize {
  return header(HEADER_LAST_DOCS) + (<usize>cursor.firstRecord << 2);
}

/** Stands in front of the first block. A list without records is one tail, which is decoded at once. */
export function openCursor(base: usize, cursor: Cursor): void {
  cursor.blockCount = max<u32>(1, cursor.recordCount);
  cursor.nextBlock = 0;
  cursor.previousDoc = -1;
  cursor.lastDoc = -1;
  cursor.state = 0;
  cursor.positionsBlock = 0;
  cursor.boundRecord = 0;
  cursor.shortDocs = 0;
  cursor.isAbsent = 0;
  cursor.bound = contributionOf(base, cursor, MAX_STEP);
  if (cursor.recordCount > 0) {
    cursor.previousDoc = NOT_ENTERED;
    return;
  }
  cursor.nextBlock = 1;
  loadDocs(cursor);
  cursor.lastDoc = load<i32>(rowsOf(cursor) + ((cursor.docCount - 1) << 2), ROWS_DOCS);
}

// @ts-ignore: decorator
@inline
function lastDocBefore(cursor: Cursor, block: u32): i32 {
  return block === 0 ? -1 : load<i32>(lastDocs(cursor) + ((block - 1) << 2));
}

/** Enters block `block`, which exists; decodes nothing. */
export function enterBlock(base: usize, cursor: Cursor, block: u32): void {
  if (cursor.recordCount === 0) return;
  const head = headOf(cursor.firstRecord + block);
  cursor.head = <u32>head;
  cursor.previousDoc = lastDocBefore(cursor, block);
  cursor.lastDoc = lastDoc(head);
  cursor.nextBlock = block + 1;
  cursor.state = 0;
  cursor.bound = contributionOf(base, cursor, boundStep(head));
}

/** First of the records from `from` on whose last document is not below `doc`; recordCount when there is none. */
function recordOf(cursor: Cursor, from: u32, doc: u32): u32 {
  const docs = lastDocs(cursor);
  const count = cursor.recordCount;
  // Gallop, since lists may have thousands of records and most steps are short.
  let step: u32 = 16;
  while (from + step < count && wordOf(docs, from + step - 1) < doc) {
    from += step;
    step <<= 1;
  }
  while (step > 16) {
    step >>>= 1;
    if (from + step < count && wordOf(docs, from + step - 1) < doc) from += step;
  }
  return from + firstNotBelow(docs + (<usize>from << 2), count - from, doc);
}

/** Enters the block that holds the first document >= `doc`, which lies behind the present block; false when the list has ended. */
export function moveTo(base: usize, cursor: Cursor, doc: u32): bool {
  if (cursor.nextBlock >= cursor.blockCount) return false;
  const block = recordOf(cursor, cursor.nextBlock, doc);
  if (block === cursor.blockCount) return false;
  enterBlock(base, cursor, block);
  return true;
}

/** Postings of the present block. */
export function countOf(cursor: Cursor): u32 {
  return min<u32>(BLOCK_LENGTH, cursor.docCount - (cursor.nextBlock - 1) * BLOCK_LENGTH);
}

// @ts-ignore: decorator
@inline
function sourceOf(cursor: Cursor): usize {
  return <usize>(cursor.recordCount === 0 ? cursor.postings : cursor.postings + docsOffset(cursor.head));
}

/** Fills up a block with its last document: a search for one that is not larger ends in front of it, and it can be scored. */
function padDocs(docs: usize, count: u32): void {
  const last = wordOf(docs, count - 1);
  let index = count;
  for (; (index & 3) !== 0; index++) setWord(docs, index, last);
  for (; index < BLOCK_LENGTH; index += 4) v128.store(docs + (index << 2), i32x4.splat(last));
}

/** Decodes the documents of the present block, and the rest of it when it is a tail. */
export function loadDocs(cursor: Cursor): void {
  if (cursor.state & WITH_DOCS) return;
  const rows = rowsOf(cursor);
  const count = countOf(cursor);
  if (count === BLOCK_LENGTH) {
    decodeDocs(sourceOf(cursor), shapeOf(cursor.head) & 31, cursor.previousDoc, rows + ROWS_DOCS);
    cursor.state = WITH_DOCS;
  } else {
    const hasOthers = decodeTail(sourceOf(cursor), count, cursor.previousDoc, rows);
    cursor.state = WITH_DOCS | WITH_FREQUENCIES | (hasOthers && cursor.needsOthers ? WITH_OTHERS : 0);
    padDocs(rows + ROWS_DOCS, count);
  }
  const lasts = changetype<usize>(cursor) + GROUP_LASTS;
  for (let group: u32 = 0; group < GROUP_COUNT; group++) {
    store<u32>(lasts + (group << 2), load<u32>(rows + (group << 6), ROWS_DOCS + 60));
  }
}

/** Decodes the frequencies of the present block, those of other fields included when they are of use; true if it has any. */
export function loadFrequencies(cursor: Cursor): bool {
  if ((cursor.state & WITH_FREQUENCIES) === 0) {
    const shape = shapeOf(cursor.head);
    const frequencies = sourceOf(cursor) + ((shape & 31) << 4);
    const width = (shape >>> 5) & 31;
    decodeFrequencies(frequencies, width, (shape >>> 10) & 1, rowsOf(cursor) + ROWS_FREQUENCIES);
    cursor.state |= WITH_FREQUENCIES;
    const kind = (shape >>> 11) & 3;
    if (kind !== 0 && cursor.needsOthers) {
      decodeOthers(frequencies + (width << 4), kind, rowsOf(cursor) + ROWS_OTHERS);
      cursor.state |= WITH_OTHERS;
    }
  }
  return (cursor.state & WITH_OTHERS) !== 0;
}

/**
 * All ones in the lanes of 32 bits below `wanted`, as 16 bits each, for eight documents at `values`. They are below 2^31, so that they
 * can be compared as signed numbers, which costs one step and not three.
 */
// @ts-ignore: decorator
@inline
function below(values: usize, wanted: v128): v128 {
  return i16x8.narrow_i32x4_s(i32x4.lt_s(v128.load(values), wanted), i32x4.lt_s(v128.load(values, 16), wanted));
}

/**
 * Index of the first document >= `doc` in the present block, whose documents must be decoded. No branches: the groups that end
 * below it are counted, then the documents of its group.
 */
// @ts-ignore: decorator
@inline
export function find(cursor: Cursor, doc: u32): u32 {
  const wanted = i32x4.splat(doc);
  const first = popcnt(i16x8.bitmask(below(changetype<usize>(cursor) + GROUP_LASTS, wanted))) << 4;
  const docs = rowsOf(cursor) + ROWS_DOCS + (first << 2);
  return first + popcnt(i8x16.bitmask(i8x16.narrow_i16x8_s(below(docs, wanted), below(docs + 32, wanted))));
}

/** Largest byte of `count` at `at`. */
function largestByte(at: usize, count: u32): u32 {
  let largest: u32 = 0;
  const end = at + count;
  if (count >= 16) {
    let most = i8x16.splat(0);
    for (; at + 16 <= end; at += 16) most = i8x16.max_u(most, v128.load(at));
    most = i8x16.max_u(most, i64x2.shr_u(most, 32));
    most = i8x16.max_u(most, i64x2.shr_u(most, 16));
    most = i8x16.max_u(most, i64x2.shr_u(most, 8));
    largest = max<u32>(i8x16.extract_lane_u(most, 0), i8x16.extract_lane_u(most, 8));
  }
  for (; at < end; at++) largest = max<u32>(largest, load<u8>(at));
  return largest;
}

/** Decodes all documents of a short list to `docs`, which has room for them, so that bounds over ranges without any are 0. */
export function openShort(base: usize, cursor: Cursor, docs: usize): void {
  if (cursor.recordCount === 0) {
    cursor.shortDocs = <u32>(rowsOf(cursor) + ROWS_DOCS);
    return;
  }
  for (let block: u32 = 0; block < cursor.blockCount; block++) {
    enterBlock(base, cursor, block);
    loadDocs(cursor);
    memory.copy(docs + (<usize>block << 9), rowsOf(cursor) + ROWS_DOCS, BLOCK_LENGTH << 2);
  }
  cursor.shortDocs = <u32>docs;
}

/** No document of the list lies at or behind the range. */
export const ENDED: u32 = 0xffffffff;

/** No answer of isInRange to be handed on. */
const IN_RANGE: u32 = 1;

/** Of a short list: IN_RANGE when it holds a document of from..to, else 0, or ENDED when it has none from there on. */
function isInRange(cursor: Cursor, from: u32, to: u32): u32 {
  const block = cursor.recordCount === 0 ? 0 : recordOf(cursor, 0, from);
  cursor.boundRecord = block;
  cursor.isAbsent = 1;
  if (block === cursor.blockCount) return ENDED;
  const docs = cursor.shortDocs + (<usize>block << 9);
  const count = min<u32>(BLOCK_LENGTH, cursor.docCount - block * BLOCK_LENGTH);
  const index = firstNotBelow(docs, count, from);
  if (index >= count) return ENDED;
  if (wordOf(docs, index) > to) return 0;
  cursor.isAbsent = 0;
  return IN_RANGE;
}

/**
 * Most that the list adds to the score of a document from..to; ENDED when it has none from there on. Quickest when ranges are
 * asked for in rising order.
 */
export function boundOver(base: usize, cursor: Cursor, from: u32, to: u32): u32 {
  cursor.isAbsent = 0;
  if (cursor.shortDocs !== 0) {
    const isFirst = isInRange(cursor, from, to);
    if (isFirst !== IN_RANGE) return isFirst;
  }
  if (cursor.recordCount === 0) return <u32>cursor.lastDoc < from ? ENDED : cursor.bound;
  const isBehind = lastDocBefore(cursor, cursor.boundRecord) >= <i32>from;
  const first = recordOf(cursor, isBehind ? 0 : cursor.boundRecord, from);
  cursor.boundRecord = first;
  if (first === cursor.recordCount) return ENDED;
  const bounds = header(HEADER_BLOCK_BOUNDS);
  if (bounds === 0) return cursor.bound;
  const last = min<u32>(recordOf(cursor, first, to), cursor.recordCount - 1);
  return contributionOf(base, cursor, largestByte(bounds + cursor.firstRecord + first, last - first + 1));
}

/** Stands where the range begins for which `boundOver` was asked last: the cursor goes forward from there. */
export function seekRange(cursor: Cursor): void {
  if (cursor.recordCount === 0) return;
  const lastBefore = lastDocBefore(cursor, cursor.boundRecord);
  // An earlier call may have left the cursor behind this block without entering it: then bound and rows are another block's.
  if (cursor.nextBlock === cursor.boundRecord + 1 && cursor.previousDoc === lastBefore) return;
  cursor.nextBlock = cursor.boundRecord;
  cursor.lastDoc = lastBefore;
}

/** Most that the list adds in group `group` of the present block. */
export function groupBound(base: usize, cursor: Cursor, group: u32): u32 {
  if (cursor.recordCount === 0) return cursor.bound;
  return contributionOf(base, cursor, load<u8>(groupSteps(cursor.head) + group));
}

/** Adds up the frequencies of one field of the rows: four more sums of the postings so far. */
// @ts-ignore: decorator
@inline
function loadTotals(rows: usize, hasOthers: bool): v128 {
  let totals = v128.load(rows, ROWS_FREQUENCIES);
  if (!hasOthers) return totals;
  for (let slot: usize = 0; slot < 5; slot++) totals = i32x4.add(totals, v128.load(rows + (slot << 9), ROWS_OTHERS));
  return totals;
}

/** How many positions of the present block stand in front of each posting: u32 x 129, the last of them all. */
export function loadStarts(cursor: Cursor): usize {
  const starts = changetype<usize>(cursor) + STARTS;
  if (cursor.state & WITH_STARTS) return starts;
  const hasOthers = loadFrequencies(cursor);
  cursor.state |= WITH_STARTS;
  const rows = rowsOf(cursor);
  store<u32>(starts, 0);
  let before = i32x4.splat(0);
  for (let at: usize = 0; at < BLOCK_LENGTH << 2; at += 16) {
    let sums = loadTotals(rows + at, hasOthers);
    sums = i32x4.add(sums, v128.shuffle<i32>(i32x4.splat(0), sums, 0, 4, 5, 6));
    sums = i32x4.add(sums, v128.shuffle<i32>(i32x4.splat(0), sums, 0, 1, 4, 5));
    sums = i32x4.add(sums, before);
    v128.store(starts + at, sums, 4);
    before = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
  }
  return starts;
}
