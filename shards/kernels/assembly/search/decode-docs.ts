import { unpack } from './unpack.ts';

/** Sums of the first one, two, three and four lanes. */
// @ts-ignore: decorator
@inline
function prefixSums(values: v128): v128 {
  const pairs = i32x4.add(values, v128.shuffle<i32>(i32x4.splat(0), values, 0, 4, 5, 6));
  return i32x4.add(pairs, v128.shuffle<i32>(i32x4.splat(0), pairs, 0, 1, 4, 5));
}

/** Gaps at `at` become documents; `before` is the last one before in all lanes, and what comes back the last one here. */
// @ts-ignore: decorator
@inline
function addUp(at: usize, sums: v128, before: v128): v128 {
  const docs = i32x4.add(before, sums);
  v128.store(at, docs);
  return v128.shuffle<i32>(docs, docs, 3, 3, 3, 3);
}

/**
 * Documents of a full block: u32 x 128 at `target` from 4 x width words of gaps at `source`. `previousDoc` is the last
 * document of the block before, -1 in front of the first. Twin: decodeDocs of postings/block-codec.ts.
 */
export function decodeDocs(source: usize, width: u32, previousDoc: i32, target: usize): void {
  unpack(source, width, target);
  const steps = i32x4(1, 2, 3, 4);
  let last = i32x4.splat(previousDoc);
  for (const end = target + 512; target < end; target += 64) {
    // The sums inside rows do not wait for each other; only the carried document does.
    const first = i32x4.add(prefixSums(v128.load(target)), steps);
    const second = i32x4.add(prefixSums(v128.load(target, 16)), steps);
    const third = i32x4.add(prefixSums(v128.load(target, 32)), steps);
    const fourth = i32x4.add(prefixSums(v128.load(target, 48)), steps);
    last = addUp(target, first, last);
    last = addUp(target + 16, second, last);
    last = addUp(target + 32, third, last);
    last = addUp(target + 48, fourth, last);
  }
}
