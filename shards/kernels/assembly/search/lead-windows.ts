import {
  BOUND_CLASSES,
  SPAN_WINDOWS,
  WINDOW_BOUNDS,
  WINDOW_ORDER,
  WINDOW_RECORDS,
  WINDOW_RECORDS_LISTS,
} from './conjunction-layout.ts';
import { Cursor } from './list-cursor.ts';
import { setWord, wordOf } from './words.ts';

/** Windows are blocks of the leading list: what is known of those of a span, and the order in which they are evaluated. */

/** Classes of bounds by which windows are put in order. */
const CLASS_BITS: u32 = 8;
const CLASSES: u32 = 256;

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
function recordsOf(base: usize, cursor: Cursor): usize {
  return base + WINDOW_RECORDS + cursor.index * (SPAN_WINDOWS << 2);
}

/** Notes where the range of the window begins in the list, for which a bound was just asked. */
// @ts-ignore: decorator
@inline
export function noteRecord(base: usize, cursor: Cursor, window: u32): void {
  if (cursor.index < WINDOW_RECORDS_LISTS) setWord(recordsOf(base, cursor), window, cursor.boundRecord);
}

/** Lets the next search of a bound begin where it began for the window. */
// @ts-ignore: decorator
@inline
export function recallRecord(base: usize, cursor: Cursor, window: u32): void {
  if (cursor.index < WINDOW_RECORDS_LISTS) cursor.boundRecord = wordOf(recordsOf(base, cursor), window);
}

/** Puts the windows in order of falling bound, by 256 classes of bounds, windows of a class by document. */
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
