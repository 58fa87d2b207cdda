import { HEADER_ADDRESS, HEADER_DOC_COUNT, HEADER_LAST_DOCS, QUERY, QUERY_COUNT, ROWS_DOCS } from '../../search-layout.ts';
import { lastDocBefore, openSlot } from './posting-lists.ts';
import { header, setWord, wordOf } from './words.ts';
import {
  COUNT_BITS,
  COUNT_DOCS,
  LIST_BYTES,
  LIST_DOC_COUNT,
  LIST_FIRST_RECORD,
  LIST_FLAT_DOCS,
  LIST_NEXT,
  LIST_RECORDS,
  LISTS,
  SLOT_COUNT_AT,
} from './work-layout.ts';

const FIRST_COUNT_DOCS: u32 = 512;

/** Sets the bits of the rising documents at `docs` that lie in from..to-1. */
function setBits(bits: usize, docs: usize, count: u32, from: u32, to: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const doc = wordOf(docs, i);
    if (doc < from) continue;
    if (doc >= to) return;
    const at = bits + (((doc - from) >>> 5) << 2);
    store<u32>(at, load<u32>(at) | (1 << (doc & 31)));
  }
}

function markList(base: usize, list: usize, from: u32, to: u32): void {
  const bits = base + COUNT_BITS;
  const records = wordOf(list, LIST_RECORDS);
  if (records === 0) {
    setBits(bits, wordOf(list, LIST_FLAT_DOCS), wordOf(list, LIST_DOC_COUNT), from, to);
    return;
  }
  const firstRecord = wordOf(list, LIST_FIRST_RECORD);
  let record = wordOf(list, LIST_NEXT);
  for (; record < records && lastDocBefore(firstRecord, record) + 1 < to; record++) {
    const last = wordOf(header(HEADER_LAST_DOCS), firstRecord + record);
    if (last < from) continue;
    const slot = openSlot(base, list, record);
    setBits(bits, slot + ROWS_DOCS, load<u32>(slot, SLOT_COUNT_AT), from, to);
    if (last >= to) break;
  }
  setWord(list, LIST_NEXT, record);
}

function countBits(bits: usize, allowed: usize, from: u32): u32 {
  let count: u32 = 0;
  for (let at: usize = 0; at < COUNT_DOCS >>> 3; at += 8) {
    const found = load<u64>(bits + at);
    if (found === 0) continue;
    count += <u32>popcnt(allowed === 0 ? found : found & load<u64>(allowed + (from >>> 3) + at));
  }
  return count;
}

/**
 * Counts the documents that hold any of the lists, as far as the query wants to know. Without a list being read, where one
 * alone is long enough and nothing is left out. Twin: search/count-any.ts.
 */
export function countMatches(base: usize, lists: u32, allowed: usize): void {
  const query = base + QUERY;
  const wanted = wordOf(query, QUERY_COUNT);
  let counted: u32 = 0;
  for (let index: u32 = 0; index < lists && allowed === 0; index++) {
    counted = max<u32>(counted, wordOf(base + LISTS + index * LIST_BYTES, LIST_DOC_COUNT));
  }
  if (counted < wanted) counted = countUnion(base, lists, allowed, wanted);
  setWord(query, QUERY_COUNT, min<u32>(counted, wanted));
}

/** First document of the stretch of 64 from `from` on in which any is allowed. */
function firstAllowed(allowed: usize, from: u32, docCount: u32): u32 {
  let doc = from & ~63;
  while (doc < docCount && load<u64>(allowed + (doc >>> 3)) === 0) doc += 64;
  return doc;
}

function countUnion(base: usize, lists: u32, allowed: usize, wanted: u32): u32 {
  const docCount = wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT);
  let counted: u32 = 0;
  // Stretches begin small: there is much to count in few documents, or little in many.
  let docs = FIRST_COUNT_DOCS;
  for (let from: u32 = 0; from < docCount && counted < wanted; from += docs) {
    if (allowed !== 0) from = firstAllowed(allowed, from, docCount);
    memory.fill(base + COUNT_BITS, 0, COUNT_DOCS >>> 3);
    docs = min<u32>(COUNT_DOCS, 2 * docs);
    const to = min<u32>(docCount, from + docs);
    for (let index: u32 = 0; index < lists; index++) markList(base, base + LISTS + index * LIST_BYTES, from, to);
    counted += countBits(base + COUNT_BITS, allowed, from);
  }
  for (let index: u32 = 0; index < lists; index++) setWord(base + LISTS + index * LIST_BYTES, LIST_NEXT, 0);
  return counted;
}
