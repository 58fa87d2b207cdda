import { unpack } from './unpack.ts';

/**
 * Body frequencies of a full block: u32 x 128 at `target` from 4 x width words at `source`, each plus `base` (0 or 1).
 * Twin: decodeBodyFrequencies of postings/block-codec.ts.
 */
export function decodeFrequencies(source: usize, width: u32, base: u32, target: usize): void {
  unpack(source, width, target);
  if (base === 0) return;
  const one = i32x4.splat(1);
  for (const end = target + 512; target < end; target += 32) {
    v128.store(target, i32x4.add(v128.load(target), one));
    v128.store(target, i32x4.add(v128.load(target, 16), one), 16);
  }
}
