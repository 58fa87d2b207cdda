import { HEADER_KEYS, HITS } from '../../search-layout.ts';
import { header } from './words.ts';

/** The best hits as a binary heap with the worst on top: score in the high, document in the low half. Twin: search/top-k.ts. */
let heap: usize = 0;
let capacity: u32 = 0;
let size: u32 = 0;
let keys: usize = 0;
/** Smallest score that could still enter; equal ones are told apart by their keys. */
let least: u32 = 0;

/** Empties the heap. `threshold`: scores below it are of no use. */
export function startHits(base: usize, k: u32, threshold: u32): void {
  heap = base + HITS;
  capacity = k;
  size = 0;
  keys = header(HEADER_KEYS);
  least = threshold;
}

// @ts-ignore: decorator
@inline
export function threshold(): u32 {
  return least;
}

export function hitCount(): u32 {
  return size;
}

/** Says that so many documents as are wanted have at least that score. */
export function raiseThreshold(score: u32): void {
  if (score > least) least = score;
}

// @ts-ignore: decorator
@inline
function hit(index: u32): u64 {
  return load<u64>(heap + (<usize>index << 3));
}

// @ts-ignore: decorator
@inline
function setHit(index: u32, value: u64): void {
  store<u64>(heap + (<usize>index << 3), value);
}

// @ts-ignore: decorator
@inline
function keyOf(value: u64): u64 {
  return load<u64>(keys + (<usize>(<u32>(value >>> 32)) << 3));
}

/** Whether `a` stands before `b`: higher score, then lower key. */
// @ts-ignore: decorator
@inline
function isBetter(a: u64, b: u64): bool {
  const scoreA = <u32>a;
  const scoreB = <u32>b;
  return scoreA !== scoreB ? scoreA > scoreB : keyOf(a) < keyOf(b);
}

function rise(value: u64): void {
  let index = size++;
  while (index > 0) {
    const parent = (index - 1) >>> 1;
    if (!isBetter(hit(parent), value)) break;
    setHit(index, hit(parent));
    index = parent;
  }
  setHit(index, value);
}

/** Puts `value` in the place of the top and lets it sink. */
function sink(value: u64): void {
  let index: u32 = 0;
  for (;;) {
    let child: u32 = 2 * index + 1;
    if (child >= size) break;
    if (child + 1 < size && isBetter(hit(child), hit(child + 1))) child++;
    if (!isBetter(value, hit(child))) break;
    setHit(index, hit(child));
    index = child;
  }
  setHit(index, value);
}

export function offerHit(doc: u32, score: u32): void {
  if (score < least) return;
  const value = (<u64>doc << 32) | <u64>score;
  if (size < capacity) {
    rise(value);
  } else {
    if (!isBetter(value, hit(0))) return;
    sink(value);
  }
  if (size === capacity) raiseThreshold(<u32>hit(0));
}

/** Sorts the hits, best first. */
export function finishHits(): u32 {
  const count = size;
  while (size > 1) {
    const worst = hit(0);
    const last = hit(--size);
    sink(last);
    setHit(size, worst);
  }
  return count;
}
