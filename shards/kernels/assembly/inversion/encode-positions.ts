import { WIDTH_COUNTS } from '../../inversion-layout.ts';
import { putVarint, widthOf } from './words.ts';

const LEAST_SPLIT: u32 = 8;
const MAX_LOW_WIDTH: u32 = 15;
const WIDEST_HIGH: u32 = 17;
const WIDEST_HIGH_CODE: u32 = 15;

function bytesOf(bits: u32): u32 {
  return (bits >>> 3) + ((bits & 7) !== 0 ? 1 : 0);
}

/** The widths that take the fewest bytes, low + 256 x high. */
function bestWidths(deltas: usize, count: u32): u32 {
  memory.fill(WIDTH_COUNTS, 0, 33 * 4);
  let union: u32 = 0;
  for (let at = deltas, end = deltas + (<usize>count << 2); at < end; at += 4) {
    const delta = load<u32>(at);
    union |= delta;
    const counter = WIDTH_COUNTS + (widthOf(delta) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  const widest = widthOf(union);
  const bitmap = bytesOf(count);
  let best: u32 = 0;
  let bestBytes: u32 = u32.MAX_VALUE;
  let longCount = count;
  for (let low: u32 = 0; low <= min(widest, MAX_LOW_WIDTH); low++) {
    longCount -= load<u32>(WIDTH_COUNTS + (low << 2));
    const missing = widest - low;
    const high = missing >= WIDEST_HIGH_CODE ? WIDEST_HIGH : missing;
    if (low + high < widest) continue;
    const bytes: u32 = (high === 0 ? 0 : bitmap) + bytesOf(count * low) + bytesOf(longCount * high);
    if (bytes >= bestBytes) continue;
    best = low | (high << 8);
    bestBytes = bytes;
  }
  return best;
}

/** A bit per delta: whether it has more than `low` bits. */
function putBitmap(deltas: usize, count: u32, low: u32, target: usize): usize {
  let rest = count;
  for (; rest >= 8; rest -= 8) {
    const first = i32x4.bitmask(i32x4.ne(i32x4.shr_u(v128.load(deltas), low), i32x4.splat(0)));
    const second = i32x4.bitmask(i32x4.ne(i32x4.shr_u(v128.load(deltas, 16), low), i32x4.splat(0)));
    store<u8>(target++, first | (second << 4));
    deltas += 32;
  }
  if (rest === 0) return target;
  let bits: u32 = 0;
  for (let i: u32 = 0; i < rest; i++, deltas += 4) bits |= (load<u32>(deltas) >>> low !== 0 ? 1 : 0) << i;
  store<u8>(target, bits);
  return target + 1;
}

/** The low bits of all deltas. Stores eight bytes at a time. */
function putLows(deltas: usize, count: u32, low: u32, target: usize): usize {
  const mask: u64 = (<u64>1 << low) - 1;
  let pending: u64 = 0;
  let used: u64 = 0;
  for (const end = deltas + (<usize>count << 2); deltas < end; deltas += 4) {
    pending |= (<u64>load<u32>(deltas) & mask) << used;
    used += low;
    store<u64>(target, pending);
    target += <usize>(used >>> 3);
    pending >>>= used & 56;
    used &= 7;
  }
  return used === 0 ? target : target + 1;
}

/** The bits above the low ones, of the long deltas. */
function putHighs(deltas: usize, count: u32, low: u32, high: u32, target: usize): usize {
  let pending: u64 = 0;
  let used: u64 = 0;
  for (const end = deltas + (<usize>count << 2); deltas < end; deltas += 4) {
    const value = load<u32>(deltas) >>> low;
    if (value === 0) continue;
    pending |= <u64>value << used;
    used += high;
    store<u64>(target, pending);
    target += <usize>(used >>> 3);
    pending >>>= used & 56;
    used &= 7;
  }
  return used === 0 ? target : target + 1;
}

/**
 * Codes `count` deltas (u32) of a block or tail at `target`; returns the address behind. Bytes behind that may have changed
 * too. Twin: encodePositions in postings/positions.ts.
 */
export function encodePositions(deltas: usize, count: u32, target: usize): usize {
  if (count < LEAST_SPLIT) {
    for (const end = deltas + (<usize>count << 2); deltas < end; deltas += 4) {
      target = putVarint(target, load<u32>(deltas));
    }
    return target;
  }
  const widths = bestWidths(deltas, count);
  const low = widths & 255;
  const high = widths >>> 8;
  store<u8>(target++, low | ((high === WIDEST_HIGH ? WIDEST_HIGH_CODE : high) << 4));
  if (high !== 0) target = putBitmap(deltas, count, low, target);
  if (low !== 0) target = putLows(deltas, count, low, target);
  return high === 0 ? target : putHighs(deltas, count, low, high, target);
}
