/** Index of the first of `count` rising documents (below 2^31) at `address` that is not below `target`; `count` when all are. */
export function firstNotBelow(address: usize, count: u32, target: u32): u32 {
  const wanted = i32x4.splat(target);
  let index: u32 = 0;
  while (index + 4 <= count) {
    const below = i32x4.bitmask(i32x4.lt_s(v128.load(address + (<usize>index << 2)), wanted));
    if (below !== 15) return index + ctz(~below);
    index += 4;
  }
  while (index < count && load<i32>(address + (<usize>index << 2)) < <i32>target) index++;
  return index;
}
