import {
  HEADER_BLOCK_BOUNDS,
  HEADER_LAST_DOCS,
  ROWS_DOCS,
  ROWS_FREQUENCIES,
  ROWS_OTHERS,
  SCORER,
  SCORER_BOUND_IMPACTS,
  SCORER_OTHERS_WEIGH,
} from '../../search-layout.ts';
import { docsOffset, headOf, shapeOf } from './block-heads.ts';
import { decodeDocs } from './decode-docs.ts';
import { decodeFrequencies } from './decode-frequencies.ts';
import { decodeOthers } from './decode-others.ts';
import { decodeTail } from './decode-tail.ts';
import { scoresOf } from './impacts.ts';
import { header, setWord, wordOf } from './words.ts';
import {
  FLAT_BYTES,
  FLAT_LISTS,
  LIST_DOC_COUNT,
  LIST_FIRST_RECORD,
  LIST_FLAT_DOCS,
  LIST_FLAT_SCORES,
  LIST_INDEX,
  LIST_MAX,
  LIST_POSTINGS,
  LIST_RECORDS,
  LIST_WEIGHT,
  SLOT_BYTES,
  SLOT_COUNT,
  SLOT_COUNT_AT,
  SLOT_SCORED,
  SLOT_SCORES,
  SLOT_STATE,
  SLOT_TAGS,
  SLOTS,
  TAIL_ROWS,
} from './work-layout.ts';

/** Postings of a full block, and of a group. */
const BLOCK_LENGTH: u32 = 128;
const GROUP_BITS: u32 = 4;
const DECODED: u32 = 1;
export const WITH_OTHERS: u32 = 3;

/** Forgets all decoded blocks. */
export function clearSlots(base: usize): void {
  memory.fill(base + SLOT_TAGS, 0, <usize>SLOT_COUNT << 2);
}

/** Last document of record `record` of a list, -1 in front of its first. */
// @ts-ignore: decorator
@inline
export function lastDocBefore(firstRecord: u32, record: u32): u32 {
  return record === 0 ? <u32>-1 : wordOf(header(HEADER_LAST_DOCS), firstRecord + record - 1);
}

/** Most that the list adds to a score where the stored bound is `step`. */
// @ts-ignore: decorator
@inline
export function boundOf(base: usize, weight: u32, step: u32): u32 {
  return (weight * wordOf(base + SCORER + SCORER_BOUND_IMPACTS, step)) >>> 7;
}

/** Smallest stored bound under which the list may add `need`; 256 when none does. */
export function leastStep(base: usize, weight: u32, need: u32): u32 {
  let low: u32 = 0;
  let high: u32 = 256;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (boundOf(base, weight, middle) < need) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Behind the last posting, documents that can be scored though nobody asks for them. */
function padDocs(rows: usize, count: u32): void {
  if (count === 0) unreachable();
  const last = load<u32>(rows + ((count - 1) << 2), ROWS_DOCS);
  for (let i = count; (i & 15) !== 0; i++) store<u32>(rows + (i << 2), last, ROWS_DOCS);
}

/** Decodes and scores a list of less than 128 postings. */
export function openFlat(base: usize, list: usize): void {
  const rows = base + TAIL_ROWS;
  const count = wordOf(list, LIST_DOC_COUNT);
  const others = decodeTail(wordOf(list, LIST_POSTINGS), count, -1, rows);
  padDocs(rows, count);
  const docs = base + FLAT_LISTS + wordOf(list, LIST_INDEX) * FLAT_BYTES;
  const scores = docs + (BLOCK_LENGTH << 2);
  scoresOf(base, rows, 0, count, others && othersWeigh(base), wordOf(list, LIST_WEIGHT), scores);
  memory.copy(docs, rows + ROWS_DOCS, <usize>count << 2);
  let largest: u32 = 0;
  for (let i: u32 = 0; i < count; i++) largest = max<u32>(largest, load<u32>(scores + (i << 2)));
  setWord(list, LIST_MAX, largest);
  setWord(list, LIST_FLAT_DOCS, <u32>docs);
  setWord(list, LIST_FLAT_SCORES, <u32>scores);
}

/** Finds the largest bound of a list with block records. */
export function openRecords(base: usize, list: usize): void {
  const bounds = header(HEADER_BLOCK_BOUNDS);
  let largest: u32 = 255;
  if (bounds !== 0) {
    const first = bounds + wordOf(list, LIST_FIRST_RECORD);
    const end = first + wordOf(list, LIST_RECORDS);
    let at = first;
    let most = i8x16.splat(0);
    for (; at + 16 <= end; at += 16) most = i8x16.max_u(most, v128.load(at));
    largest = largestOf(most);
    for (; at < end; at++) largest = max<u32>(largest, load<u8>(at));
  }
  setWord(list, LIST_MAX, boundOf(base, wordOf(list, LIST_WEIGHT), largest));
}

function largestOf(bytes: v128): u32 {
  let most = i8x16.max_u(bytes, v128.shuffle<u8>(bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  most = i8x16.max_u(most, i64x2.shr_u(most, 32));
  most = i8x16.max_u(most, i64x2.shr_u(most, 16));
  most = i8x16.max_u(most, i64x2.shr_u(most, 8));
  return <u32>i8x16.extract_lane_u(most, 0);
}

/** Address of a slot in which the documents of record `record` (from the list's first) stand. */
export function openSlot(base: usize, list: usize, record: u32): usize {
  const absolute = wordOf(list, LIST_FIRST_RECORD) + record;
  const index = absolute & (SLOT_COUNT - 1);
  const slot = base + SLOTS + index * SLOT_BYTES;
  const tag = base + SLOT_TAGS + (index << 2);
  if (load<u32>(tag) === absolute + 1) return slot;
  store<u32>(tag, absolute + 1);
  const head = headOf(absolute);
  const source = <usize>(wordOf(list, LIST_POSTINGS) + docsOffset(head));
  const previousDoc = lastDocBefore(wordOf(list, LIST_FIRST_RECORD), record);
  const count = min<u32>(BLOCK_LENGTH, wordOf(list, LIST_DOC_COUNT) - record * BLOCK_LENGTH);
  store<u32>(slot, 0, SLOT_SCORED);
  store<u32>(slot, count, SLOT_COUNT_AT);
  if (count === BLOCK_LENGTH) {
    decodeDocs(source, shapeOf(head) & 31, previousDoc, slot + ROWS_DOCS);
    store<u32>(slot, 0, SLOT_STATE);
  } else {
    const others = decodeTail(source, count, previousDoc, slot);
    padDocs(slot, count);
    store<u32>(slot, others && othersWeigh(base) ? WITH_OTHERS : DECODED, SLOT_STATE);
  }
  return slot;
}

// @ts-ignore: decorator
@inline
export function othersWeigh(base: usize): bool {
  return load<u32>(base + SCORER + SCORER_OTHERS_WEIGH) !== 0;
}

/** Decodes the frequencies of the full block in `slot`. */
function decodeBlockFrequencies(base: usize, list: usize, record: u32, slot: usize): void {
  const head = headOf(wordOf(list, LIST_FIRST_RECORD) + record);
  const shape = shapeOf(head);
  const source = <usize>(wordOf(list, LIST_POSTINGS) + docsOffset(head));
  const docWidth = shape & 31;
  const frequencyWidth = (shape >>> 5) & 31;
  const frequencies = source + (docWidth << 4);
  decodeFrequencies(frequencies, frequencyWidth, (shape >>> 10) & 1, slot + ROWS_FREQUENCIES);
  const kind = (shape >>> 11) & 3;
  store<u32>(slot, DECODED, SLOT_STATE);
  if (kind === 0 || !othersWeigh(base)) return;
  decodeOthers(frequencies + (frequencyWidth << 4), kind, slot + ROWS_OTHERS);
  store<u32>(slot, WITH_OTHERS, SLOT_STATE);
}

/** Makes sure that the frequencies of the block in `slot` are decoded; WITH_OTHERS when those of other fields are there too. */
// @ts-ignore: decorator
@inline
export function openFrequencies(base: usize, list: usize, record: u32, slot: usize): u32 {
  if (load<u32>(slot, SLOT_STATE) === 0) decodeBlockFrequencies(base, list, record, slot);
  return load<u32>(slot, SLOT_STATE);
}

/** Scores the groups of 16 postings whose bit is set in `groups`, unless they are scored already. */
export function scoreGroups(base: usize, list: usize, record: u32, slot: usize, groups: u32): void {
  let missing = groups & ~load<u32>(slot, SLOT_SCORED);
  if (missing === 0) return;
  store<u32>(slot, load<u32>(slot, SLOT_SCORED) | missing, SLOT_SCORED);
  const others = openFrequencies(base, list, record, slot) === WITH_OTHERS;
  const weight = wordOf(list, LIST_WEIGHT);
  while (missing !== 0) {
    const first = ctz(missing);
    const count = ctz(~(missing >>> first));
    missing &= ~(((1 << count) - 1) << first);
    scoresOf(base, slot, first << GROUP_BITS, count << GROUP_BITS, others, weight, slot + SLOT_SCORES);
  }
}
