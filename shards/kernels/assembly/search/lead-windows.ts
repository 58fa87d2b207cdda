import {
  ABSENT,
  BOUND_CLASSES,
  SPAN_WINDOWS,
  WINDOW_BOUNDS,
  WINDOW_LISTS,
  WINDOW_LISTS_COUNT,
  WINDOW_ORDER,
} from './conjunction-layout.ts';
import { boundOver, Cursor } from './list-cursor.ts';
import { setWord, wordOf } from './words.ts';

/** Windows are blocks of the leading list: what is known of those of a span, and the order in which they are evaluated. */

/** Classes of bounds by which windows are put in order. */
const CLASS_BITS: u32 = 6;
const CLASSES: u32 = 64;

// @ts-ignore: decorator
@inline
export function boundOfWindow(base: usize, window: u32): u32 {
  return wordOf(base + WINDOW_BOUNDS, window);
}

// @ts-ignore: decorator
@inline
export function setBoundOfWindow(base: usize, window: u32, bound: u32): void {
  setWord(base + WINDOW_BOUNDS, window, bound);
}

// @ts-ignore: decorator
@inline
export function windowInOrder(base: usize, place: u32): u32 {
  return wordOf(base + WINDOW_ORDER, place);
}

// @ts-ignore: decorator
@inline
function entryOf(base: usize, cursor: Cursor, window: u32): usize {
  return base + WINDOW_LISTS + ((cursor.index * SPAN_WINDOWS + window) << 3);
}

/** As boundOver over the documents of the window, which is noted for `recallBound`. */
export function noteBound(base: usize, cursor: Cursor, window: u32, from: u32, to: u32): u32 {
  const bound = boundOver(base, cursor, from, to);
  if (cursor.index < WINDOW_LISTS_COUNT) {
    const entry = entryOf(base, cursor, window);
    store<u32>(entry, cursor.boundRecord | (cursor.isAbsent === 0 ? 0 : ABSENT));
    store<u32>(entry, bound, 4);
  }
  return bound;
}

/** What noteBound gave for the window, and the cursor as it was then. */
export function recallBound(base: usize, cursor: Cursor, window: u32, from: u32, to: u32): u32 {
  if (cursor.index >= WINDOW_LISTS_COUNT) return boundOver(base, cursor, from, to);
  const entry = entryOf(base, cursor, window);
  const record = load<u32>(entry);
  cursor.boundRecord = record & ~ABSENT;
  cursor.isAbsent = record >>> 31;
  return load<u32>(entry, 4);
}

/** Puts the windows in order of falling bound, by 64 classes of bounds, windows of a class by document. */
export function orderWindows(base: usize, count: u32): void {
  const bounds = base + WINDOW_BOUNDS;
  const starts = base + BOUND_CLASSES;
  let largest: u32 = 0;
  for (let window: u32 = 0; window < count; window++) largest = max<u32>(largest, wordOf(bounds, window));
  const shift = max<i32>(0, 32 - CLASS_BITS - clz(largest));
  memory.fill(starts, 0, (CLASSES + 1) << 2);
  for (let window: u32 = 0; window < count; window++) {
    const next = CLASSES - (wordOf(bounds, window) >>> shift);
    setWord(starts, next, wordOf(starts, next) + 1);
  }
  for (let next: u32 = 1; next < CLASSES; next++) setWord(starts, next, wordOf(starts, next) + wordOf(starts, next - 1));
  for (let window: u32 = 0; window < count; window++) {
    const own = CLASSES - 1 - (wordOf(bounds, window) >>> shift);
    const place = wordOf(starts, own);
    setWord(base + WINDOW_ORDER, place, window);
    setWord(starts, own, place + 1);
  }
}
