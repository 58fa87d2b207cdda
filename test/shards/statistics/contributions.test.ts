import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContributionCounter, contributionVersion } from '../../../shards/statistics/contribution-counter.ts';
import {
  type Contribution,
  decodeContribution,
  encodeContribution,
} from '../../../shards/statistics/contribution-file.ts';
import { collectShardStatistics, liveDocumentFrequency } from '../../../shards/statistics/count-segment.ts';
import { sortByHash } from '../../../shards/statistics/sort-by-hash.ts';
import {
  STATIC_BUCKETS,
  StaticScores,
  staticBucket,
  staticBucketFloor,
} from '../../../shards/statistics/static-scores.ts';
import { frequenciesOf, sumFrequencies } from '../../../shards/statistics/term-frequencies.ts';
import { HandClock } from '../../helpers/hand-clock.ts';
import { MemorySegment, type MemorySegmentOptions } from '../../helpers/memory-segment.ts';

const place = (terms: readonly string[]) => terms.map((term, position) => ({ term, position }));

class CountedSegment extends MemorySegment {
  readonly contentName: string;
  timesRead = 0;

  constructor(contentName: string, options: MemorySegmentOptions) {
    super(options);
    this.contentName = contentName;
  }

  override *hashedTerms() {
    this.timesRead++;
    yield* super.hashedTerms();
  }
}

const segment = (name: string, ...bodies: readonly string[]) =>
  new CountedSegment(name, {
    documents: bodies.map((body, index) => ({
      url: `http://${name}.test/${index}`,
      fields: { body: place(body.split(' ')) },
      staticScore: 100 * index,
      lang: 'en',
    })),
  });

test('static buckets - rise with the score, within 1/64 of it, and begin at their floor', () => {
  const score = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 31 - 1 }));
  fc.assert(
    fc.property(score, score, (a, b) => {
      const bucket = staticBucket(a);
      assert.ok(bucket < STATIC_BUCKETS);
      const floor = staticBucketFloor(bucket);
      assert.ok(floor <= a && a - floor <= a / 64, `${a} in a bucket from ${floor}`);
      assert.equal(staticBucket(floor), bucket);
      if (a <= b) assert.ok(bucket <= staticBucket(b));
    }),
    { numRuns: 2000 },
  );
  assert.equal(staticBucket(2 ** 31 - 1), STATIC_BUCKETS - 1);
});

const scoresOf = (values: readonly number[]): StaticScores => {
  const scores = new StaticScores();
  for (const value of values) scores.add(value);
  return scores;
};

test('high tier - from the best 15 % on, as near as ties allow; one tier where none can be told apart', () => {
  assert.equal(scoresOf(Array.from({ length: 100 }, (_, index) => index)).highTierThreshold(), 85);
  assert.equal(scoresOf(Array.from({ length: 100 }, () => 7)).highTierThreshold(), 0);
  assert.equal(scoresOf([]).highTierThreshold(), 0);
  assert.equal(
    scoresOf(Array.from({ length: 100 }, (_, index) => (index < 60 ? 9 : 5))).highTierThreshold(),
    0,
  );
  assert.equal(
    scoresOf(Array.from({ length: 100 }, (_, index) => (index < 2 ? 9 : 5))).highTierThreshold(),
    9,
  );
  // 10 % score 9 and 40 % at least 5: the former is nearer.
  const steps = Array.from({ length: 100 }, (_, index) => (index < 10 ? 9 : index < 40 ? 5 : 0));
  assert.equal(scoresOf(steps).highTierThreshold(), 9);
});

test('sort by hash, frequencies - as a map adds up', () => {
  const entries = fc.array(
    fc.tuple(fc.oneof(fc.bigInt(0n, 40n), fc.bigInt(0n, 2n ** 64n - 1n)), fc.nat({ max: 5 })),
    {
      maxLength: 200,
    },
  );
  fc.assert(
    fc.property(fc.array(entries, { maxLength: 5 }), (lists) => {
      const sum = new Map<bigint, number>();
      for (const [hash, count] of lists.flat()) sum.set(hash, (sum.get(hash) ?? 0) + count);
      const expected = [...sum].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
      const sources = lists.map((list) => ({
        hashes: BigUint64Array.from(list.map(([hash]) => hash)),
        counts: Uint32Array.from(list.map(([, count]) => count)),
      }));
      const found = sumFrequencies(sources.map(frequenciesOf));
      assert.deepEqual(
        [...found.hashes].map((hash, index) => [hash, found.counts[index]]),
        expected,
      );
      assert.equal(found.firstOutOfOrder(), -1);
      for (const [hash, count] of expected) assert.equal(found.counts[found.indexOf(hash)], count);
    }),
    { numRuns: 200 },
  );
  const sorted = sortByHash({
    hashes: BigUint64Array.of(3n, 1n, 2n ** 63n, 2n),
    counts: Uint32Array.of(30, 10, 63, 20),
  });
  assert.deepEqual([...sorted.hashes], [1n, 2n, 3n, 2n ** 63n]);
  assert.deepEqual([...sorted.counts], [10, 20, 30, 63]);
});

test('live document frequency - deleted documents left out, in short lists and long ones', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 80 }), (list) => {
      const documents = list.map(([holds], index) => ({
        url: `http://h.test/${index}`,
        fields: { body: place(holds ? ['a'] : ['b']) },
      }));
      const deleted = [...list.keys()].filter((doc) => list[doc]?.[1]);
      const expected = list.filter(([holds, isDeleted]) => holds && !isDeleted).length;
      assert.equal(liveDocumentFrequency([new MemorySegment({ documents, deleted })], 'a'), expected);
    }),
    { numRuns: 200 },
  );
});

test('contribution counter - counts new segments alone and forgets those that are gone', async () => {
  const counter = new ContributionCounter(new HandClock());
  const [one, two, three] = [segment('one', 'a b', 'b'), segment('two', 'b c'), segment('three', 'd')];
  const first = await counter.count(0, [one, two]);
  const second = await counter.count(0, [two, three, one]);
  assert.deepEqual([one.timesRead, two.timesRead, three.timesRead], [1, 1, 1]);
  assert.deepEqual(second.statistics, collectShardStatistics([one, two, three]));
  assert.deepEqual(first.statistics.frequencies, collectShardStatistics([one, two]).frequencies);
  assert.notEqual(first.version, second.version);
  assert.equal(second.version, contributionVersion([one, two, three]));
  one.timesRead = 0;
  await counter.count(0, [three]);
  await counter.count(0, [one]);
  assert.equal(one.timesRead, 1);
});

const sample = (): Contribution => ({
  shard: 3,
  version: 'v1',
  countedAtMs: 1_700_000_000_000,
  statistics: collectShardStatistics([segment('a', 'quarry stone', 'stone')]),
});

test('contribution file - reads back, and is the golden file of version 1', () => {
  const file = 'test/golden/contribution-v1/03.contribution';
  const bytes = encodeContribution(sample());
  if (process.env['QUARRY_WRITE_GOLDEN'] !== undefined) writeFileSync(file, bytes);
  assert.deepEqual(readFileSync(file), Buffer.from(bytes));
  assert.deepEqual(decodeContribution(bytes, file), sample());
});

test('contribution file - any changed or missing byte is an error', () => {
  const bytes = encodeContribution(sample());
  for (let index = 0; index < bytes.length; index++) {
    const damaged = Buffer.from(bytes);
    damaged[index] = (damaged[index] ?? 0) ^ 0x10;
    assert.throws(() => decodeContribution(damaged, 'x'), { name: 'QuarryError' }, `byte ${index}`);
    assert.throws(() => decodeContribution(bytes.subarray(0, index), 'x'), { name: 'QuarryError' });
  }
});
