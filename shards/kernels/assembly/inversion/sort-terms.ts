import {
  RECORD_BYTES,
  STATE_KEY_ENDS,
  STATE_KEYS,
  STATE_RANKS,
  STATE_RECORDS,
  STATE_TERM_COUNT,
} from '../../inversion-layout.ts';
import { state } from './words.ts';

/** Shorter ranges are sorted by insertion. */
const FEW: usize = 12 * RECORD_BYTES;

/** A record: the eight bytes of a key under comparison, highest first; its term's id; how many of the eight it has. */
const PREFIX = 0;
const ID = 8;
const LENGTH = 12;

/** xorshift32 (Marsaglia 2003): no document can tell which pivots are chosen next to each other. */
let random: u32 = 0x9e3779b9;

function nextRandom(): u32 {
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return random;
}

/** Turns a record to the key's bytes from `depth` on. */
function loadPrefix(record: usize, depth: u32): void {
  const id = load<u32>(record, ID);
  const ends = state(STATE_KEY_ENDS) + (id << 2);
  const start = load<u32>(ends) + depth;
  const length = min<u32>(8, load<u32>(ends, 4) - start);
  const bytes = bswap<u64>(load<u64>(state(STATE_KEYS) + start));
  store<u64>(record, length === 0 ? 0 : bytes & (~(<u64>0) << <u64>(64 - 8 * length)), PREFIX);
  store<u32>(record, length, LENGTH);
}

/** Whether the bytes under comparison are less than (prefix, length). */
// @ts-ignore: decorator
@inline
function isLess(record: usize, prefix: u64, length: u32): bool {
  const own = load<u64>(record, PREFIX);
  return own < prefix || (own === prefix && load<u32>(record, LENGTH) < length);
}

// @ts-ignore: decorator
@inline
function isGreater(record: usize, prefix: u64, length: u32): bool {
  const own = load<u64>(record, PREFIX);
  return own > prefix || (own === prefix && load<u32>(record, LENGTH) > length);
}

/** Whether the key of id `a` is less than that of id `b`, both alike before `depth`. */
function isKeyLess(a: u32, b: u32, depth: u32): bool {
  const ends = state(STATE_KEY_ENDS);
  const keys = state(STATE_KEYS);
  let first = load<u32>(ends + (a << 2)) + depth;
  let second = load<u32>(ends + (b << 2)) + depth;
  const firstEnd = load<u32>(ends + (a << 2), 4);
  const secondEnd = load<u32>(ends + (b << 2), 4);
  for (; first < firstEnd && second < secondEnd; first++, second++) {
    const difference = <i32>load<u8>(keys + first) - <i32>load<u8>(keys + second);
    if (difference !== 0) return difference < 0;
  }
  return first === firstEnd && second < secondEnd;
}

function insertionSort(low: usize, high: usize, depth: u32): void {
  for (let next = low + RECORD_BYTES; next < high; next += RECORD_BYTES) {
    const record = v128.load(next);
    const prefix = load<u64>(next, PREFIX);
    const id = load<u32>(next, ID);
    const length = load<u32>(next, LENGTH);
    let at = next;
    for (; at > low; at -= RECORD_BYTES) {
      const before = at - RECORD_BYTES;
      if (!isGreater(before, prefix, length)) {
        if (length < 8 || isLess(before, prefix, length)) break;
        if (!isKeyLess(id, load<u32>(before, ID), depth + 8)) break;
      }
      v128.store(at, v128.load(before));
    }
    v128.store(at, record);
  }
}

// @ts-ignore: decorator
@inline
function swap(a: usize, b: usize): void {
  const record = v128.load(a);
  v128.store(a, v128.load(b));
  v128.store(b, record);
}

/**
 * Sorts the records from `low` to before `high`, whose keys are alike before `depth`: multikey quicksort (Bentley and
 * Sedgewick, "Fast algorithms for sorting and searching strings", SODA 1997) with eight bytes at a time.
 */
function sortRange(low: usize, high: usize, depth: u32): void {
  while (high - low > FEW) {
    const count = <u32>((high - low) / RECORD_BYTES);
    const pivot = low + (nextRandom() % count) * RECORD_BYTES;
    const prefix = load<u64>(pivot, PREFIX);
    const length = load<u32>(pivot, LENGTH);
    let less = low;
    let greater = high;
    for (let at = low; at < greater; ) {
      if (isLess(at, prefix, length)) {
        swap(at, less);
        less += RECORD_BYTES;
        at += RECORD_BYTES;
      } else if (isGreater(at, prefix, length)) {
        greater -= RECORD_BYTES;
        swap(at, greater);
      } else {
        at += RECORD_BYTES;
      }
    }
    if (length === 8 && greater - less > <usize>RECORD_BYTES) {
      for (let at = less; at < greater; at += RECORD_BYTES) loadPrefix(at, depth + 8);
      sortRange(less, greater, depth + 8);
    }
    // The larger side goes on here, so that calls nest no deeper than the logarithm of the count.
    if (less - low < high - greater) {
      sortRange(low, less, depth);
      low = greater;
    } else {
      sortRange(greater, high, depth);
      high = less;
    }
  }
  insertionSort(low, high, depth);
}

/** Fills the ranks with the term ids in rising order of the terms' bytes. Twin: Buffer.compare. */
export function sortTerms(): void {
  const records = state(STATE_RECORDS);
  const termCount = state(STATE_TERM_COUNT);
  for (let id: u32 = 0; id < termCount; id++) {
    const record = records + id * RECORD_BYTES;
    store<u32>(record, id, ID);
    loadPrefix(record, 0);
  }
  sortRange(records, records + termCount * RECORD_BYTES, 0);
  const ranks = state(STATE_RANKS);
  for (let rank: u32 = 0; rank < termCount; rank++) {
    store<u32>(ranks + (rank << 2), load<u32>(records + rank * RECORD_BYTES, ID));
  }
}
