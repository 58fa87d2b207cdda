/** Index of the first of `count` rising u32 at `address` that is not below `target`; `count` when all are. */
export function firstNotBelow(address: usize, count: u32, target: u32): u32 {
  const wanted = i32x4.splat(target);
  let index: u32 = 0;
  while (index + 4 <= count) {
    const below = i32x4.bitmask(i32x4.lt_u(v128.load(address + (<usize>index << 2)), wanted));
    if (below !== 15) return index + ctz(~below);
    index += 4;
  }
  while (index < count && load<u32>(address + (<usize>index << 2)) < target) index++;
  return index;
}
