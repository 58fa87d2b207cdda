// @ts-ignore: decorator
@inline
function maskOf(width: u32): v128 {
  return i32x4.splat(<i32>((<u64>1 << width) - 1));
}

/** Four neighbours whose bits begin at bit `bit` of each lane, with what lies above them. */
// @ts-ignore: decorator
@inline
function row(source: usize, bit: u32): v128 {
  const at = source + ((bit >>> 5) << 4);
  const shift = bit & 31;
  // Two shifts, since one by 32 would be one by 0.
  const upper = i32x4.shl(i32x4.shl(v128.load(at, 16), 1), 31 - shift);
  return v128.or(i32x4.shr_u(v128.load(at), shift), upper);
}

/**
 * Unpacks 128 values of `width` bits (0..31; its low five bits count) from 4 x width words at `source` to u32 x 128 at
 * `target`; reads up to 16 bytes behind them, which lie inside the segment's memory. One loop for all widths: code of its own for each
 * width takes a third of the time when it is warm, which it is not when each block has another width.
 */
export function unpack(source: usize, width: u32, target: usize): void {
  width &= 31;
  if (width === 0) {
    memory.fill(target, 0, 512);
    return;
  }
  const mask = maskOf(width);
  let bit: u32 = 0;
  for (const end = target + 512; target < end; target += 64) {
    v128.store(target, v128.and(row(source, bit), mask));
    v128.store(target, v128.and(row(source, bit + width), mask), 16);
    v128.store(target, v128.and(row(source, bit + 2 * width), mask), 32);
    v128.store(target, v128.and(row(source, bit + 3 * width), mask), 48);
    bit += 4 * width;
  }
}
