import { POSITION_TABLES } from '../../search-layout.ts';

/** Fewer positions than this in a block or tail are varints. Twin: LEAST_SPLIT of postings/positions.ts. */
const LEAST_SPLIT: u32 = 8;
const HIGH_CODE: u32 = 15;
const WIDEST_HIGH: u32 = 17;

/**
 * Of each low width (0..15), how a group of eight values, which fills `width` whole bytes, becomes u32 lanes: 64 bytes,
 *
 *   0   u8 x 16   the four bytes in which each of the first four values begins, for swizzle
 *   16  u32 x 4   2^(7 - r), r the bit in the first of those bytes at which it begins: the product has it from bit 7 on
 *   32  the same for the other four
 */
const TABLE_BYTES: u32 = 64;
const LOWS_BIT: u32 = 7;
/** The largest low width there is. */
const WIDEST_LOW: u32 = 15;

/** Writes the tables: once per instance. */
function fillTables(): void {
  for (let width: u32 = 0; width <= WIDEST_LOW; width++) {
    for (let value: u32 = 0; value < 8; value++) {
      const bit = value * width;
      const half = POSITION_TABLES + width * TABLE_BYTES + ((value >>> 2) << 5);
      const lane = (value & 3) << 2;
      for (let byte: u32 = 0; byte < 4; byte++) store<u8>(half + lane + byte, (bit >>> 3) + byte);
      store<u32>(half + 16 + lane, 1 << (LOWS_BIT - (bit & 7)));
    }
  }
}
fillTables();

/** The low bits of `groupCount` groups of eight at `source`, to u32 at `target`. */
function unpackLows(source: usize, width: u32, groupCount: u32, target: usize): void {
  const table = <usize>(POSITION_TABLES + width * TABLE_BYTES);
  const firstBytes = v128.load(table);
  const firstFactors = v128.load(table, 16);
  const secondBytes = v128.load(table, 32);
  const secondFactors = v128.load(table, 48);
  const mask = i32x4.splat((1 << width) - 1);
  for (const end = target + (<usize>groupCount << 5); target < end; target += 32) {
    const bytes = v128.load(source);
    const first = i32x4.mul(i8x16.swizzle(bytes, firstBytes), firstFactors);
    const second = i32x4.mul(i8x16.swizzle(bytes, secondBytes), secondFactors);
    v128.store(target, v128.and(i32x4.shr_u(first, LOWS_BIT), mask));
    v128.store(target, v128.and(i32x4.shr_u(second, LOWS_BIT), mask), 16);
    source += width;
  }
}

/** Set bits in front of bit `index` of the bits at `source`. */
function rankOf(source: usize, index: u32): u32 {
  let rank: u32 = 0;
  for (const end = source + ((index >>> 6) << 3); source < end; source += 8) rank += <u32>popcnt(load<u64>(source));
  return rank + <u32>popcnt(load<u64>(source) & ((<u64>1 << (index & 63)) - 1));
}

/** Adds the high bits of the long ones among the differences first..first+count-1, which stand at `target`. */
function addHighs(longs: usize, highs: usize, low: u32, high: u32, first: u32, count: u32, target: usize): void {
  const mask = (1 << high) - 1;
  // Most runs are short and have no long difference: the ones in front of them need not be counted then.
  let bit: u32 = 0;
  let isRanked = false;
  for (let done: u32 = 0; done < count; done += 32) {
    const at = first + done;
    let rest = <u32>(load<u64>(longs + (at >>> 3)) >>> (at & 7));
    if (count - done < 32) rest &= (1 << (count - done)) - 1;
    if (rest !== 0 && !isRanked) {
      bit = rankOf(longs, first) * high;
      isRanked = true;
    }
    for (; rest !== 0; rest &= rest - 1) {
      const place = target + ((done + ctz(rest)) << 2);
      const value = (load<u32>(highs + (bit >>> 3)) >>> (bit & 7)) & mask;
      store<u32>(place, load<u32>(place) | (value << low));
      bit += high;
    }
  }
}

/**
 * Adds the `count` differences at `source` up, from `before` on, to positions at `target`, which may be the same address. What
 * stands behind them is 0xffffffff, four times.
 */
// @ts-ignore: decorator
@inline
export function addUp(source: usize, target: usize, count: u32, before: u32): void {
  const end = target + (<usize>count << 2);
  let last = i32x4.splat(before);
  for (let at = target; at < end; at += 16) {
    let sums = v128.load(source);
    source += 16;
    sums = i32x4.add(sums, v128.shuffle<i32>(i32x4.splat(0), sums, 0, 4, 5, 6));
    sums = i32x4.add(sums, v128.shuffle<i32>(i32x4.splat(0), sums, 0, 1, 4, 5));
    sums = i32x4.add(sums, last);
    v128.store(at, sums);
    last = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
  }
  v128.store(end, i32x4.splat(-1));
}

function decodeVarints(source: usize, first: u32, count: u32, target: usize): void {
  let at = source;
  for (let left = first; left > 0; left--) while (load<u8>(at++) >= 128) {}
  for (let i: u32 = 0; i < count; i++) {
    let byte = <u32>load<u8>(at++);
    let value = byte & 127;
    for (let shift: u32 = 7; byte >= 128 && shift < 35; shift += 7) {
      byte = <u32>load<u8>(at++);
      value |= (byte & 127) << shift;
    }
    store<u32>(target + (i << 2), value);
  }
}

/** What `decodePositions` may write in front of its target, and behind the positions. */
export const POSITIONS_SLACK_BYTES: usize = 32;

/**
 * Differences first..first+count-1 of the block or tail at `source`, which has `total` of them: u32 x count at `target`, with
 * POSITIONS_SLACK_BYTES around. Reads up to 15 bytes behind the block, which lie inside the segment's memory.
 */
export function decodeDifferences(source: usize, total: u32, first: u32, count: u32, target: usize): void {
  if (total < LEAST_SPLIT) {
    decodeVarints(source, first, count, target);
    return;
  }
  const widths = <u32>load<u8>(source);
  const low = widths & 15;
  const code = widths >>> 4;
  const high = code === HIGH_CODE ? WIDEST_HIGH : code;
  const longs = source + 1;
  const lows = longs + (high === 0 ? 0 : (total + 7) >>> 3);
  const group = first >>> 3;
  const groupCount = ((first + count + 7) >>> 3) - group;
  unpackLows(lows + group * low, low, groupCount, target - ((first & 7) << 2));
  if (high > 0) addHighs(longs, lows + ((total * low + 7) >>> 3), low, high, first, count, target);
}

/**
 * Positions first..first+count-1 of the block or tail at `source`, which has `total` of them: u32 x count at `target`,
 * added up from `before` on (0, or the position in front of the first, of one posting in one field), with four times
 * 0xffffffff behind. Reads as `decodeDifferences`. Twin: PositionReader of postings/positions.ts.
 */
export function decodePositions(
  source: usize,
  total: u32,
  first: u32,
  count: u32,
  before: u32,
  target: usize,
): void {
  decodeDifferences(source, total, first, count, target);
  addUp(target, target, count, before);
}
