import type { ShardHit } from '../../shards/index.ts';

/** The best hits over all lists. */
export interface Merged {
  readonly hits: readonly ShardHit[];
  /** Hits left out because a better one had the same key. */
  readonly duplicateCount: number;
}

/** The order of results everywhere: score falling, then key rising; the shard only tells copies of one page apart. */
export const compareHits = (a: ShardHit, b: ShardHit): number => {
  if (a.score !== b.score) return b.score - a.score;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.shard - b.shard;
};

/** A list and how far it has been taken. */
interface Run {
  readonly hits: readonly ShardHit[];
  next: number;
  head: ShardHit;
}

const siftDown = (heap: Run[], from: number): void => {
  let at = from;
  for (;;) {
    let best = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const candidate = heap[child];
      const current = heap[best];
      if (candidate !== undefined && current !== undefined && compareHits(candidate.head, current.head) < 0) {
        best = child;
      }
    }
    const [parent, child] = [heap[at], heap[best]];
    if (best === at || parent === undefined || child === undefined) return;
    heap[at] = child;
    heap[best] = parent;
    at = best;
  }
};

/**
 * Merges lists that are each in the order of compareHits into the first `count` hits with distinct keys, by a binary
 * heap over the heads of the lists: O((count + duplicates) log lists). The outcome does not depend on how hits are
 * spread over lists.
 */
export const mergeHits = (lists: readonly (readonly ShardHit[])[], count: number): Merged => {
  const heap: Run[] = lists.flatMap((hits) =>
    hits[0] === undefined ? [] : [{ hits, next: 1, head: hits[0] }],
  );
  for (let at = (heap.length >> 1) - 1; at >= 0; at -= 1) siftDown(heap, at);
  const merged: ShardHit[] = [];
  const keys = new Set<bigint>();
  let duplicateCount = 0;
  for (let run = heap[0]; run !== undefined && merged.length < count; run = heap[0]) {
    if (keys.has(run.head.key)) duplicateCount += 1;
    else merged.push(run.head);
    keys.add(run.head.key);
    const following = run.hits[run.next];
    if (following !== undefined) {
      run.head = following;
      run.next += 1;
    } else {
      const last = heap.pop();
      if (last !== undefined && last !== run) heap[0] = last;
    }
    siftDown(heap, 0);
  }
  return { hits: merged, duplicateCount };
};
