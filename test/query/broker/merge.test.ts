import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareHits, mergeHits } from '../../../query/broker/merge.ts';
import { type ShardHit, trustUrlKey } from '../../../shards/index.ts';

/** Few scores and keys, so that ties and duplicates abound. */
const hit = fc.record({
  key: fc.bigInt(0n, 12n).map((key) => trustUrlKey(key + 2n ** 63n)),
  score: fc.nat(4),
  shard: fc.nat(6),
  segment: fc.constant(0),
  doc: fc.nat(9),
});

const naive = (hits: readonly ShardHit[], count: number): ShardHit[] => {
  const seen = new Set<bigint>();
  return [...hits]
    .sort(compareHits)
    .filter(({ key }) => !seen.has(key) && seen.add(key))
    .slice(0, count);
};

const place = ({ key, score }: ShardHit) => `${key} ${score}`;

describe('mergeHits', () => {
  it('equals sorting all hits and keeping the first of each key', () => {
    fc.assert(
      fc.property(fc.array(fc.array(hit)), fc.nat(30), (lists, count) => {
        const sorted = lists.map((list) => [...list].sort(compareHits));
        assert.deepEqual(mergeHits(sorted, count).hits.map(place), naive(lists.flat(), count).map(place));
      }),
    );
  });

  it('gives the same order however hits are spread over shards', () => {
    const distinct = fc.uniqueArray(hit, { selector: ({ key }) => key });
    fc.assert(
      fc.property(distinct, fc.integer({ min: 1, max: 9 }), fc.nat(12), (hits, shardCount, count) => {
        const lists = Array.from({ length: shardCount }, (_, shard) =>
          hits.filter(({ key }) => Number(key % BigInt(shardCount)) === shard).sort(compareHits),
        );
        const one = [...hits].sort(compareHits);
        assert.deepEqual(mergeHits(lists, count).hits, mergeHits([one], count).hits);
      }),
    );
  });

  it('makes the first results a prefix of more results, ties included', () => {
    fc.assert(
      fc.property(fc.array(fc.array(hit)), fc.nat(10), fc.nat(10), (lists, few, more) => {
        const sorted = lists.map((list) => [...list].sort(compareHits));
        const long = mergeHits(sorted, few + more).hits;
        assert.deepEqual(mergeHits(sorted, few).hits, long.slice(0, few));
      }),
    );
  });

  it('counts the copies that it left out', () => {
    const a = { key: trustUrlKey(1n), score: 5, shard: 0, segment: 0, doc: 0 };
    const copy = { ...a, shard: 1, score: 3 };
    const b = { ...a, key: trustUrlKey(2n), score: 1 };
    assert.deepEqual(mergeHits([[a, b], [copy]], 10), { hits: [a, b], duplicateCount: 1 });
    assert.deepEqual(mergeHits([], 10), { hits: [], duplicateCount: 0 });
  });
});
