import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { evaluate, type ShardQuery } from '../../../shards/search/evaluate.ts';
import { segmentsToAsk } from '../../../shards/search/tiers.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { epochNumber } from '../../../shards/values/ids.ts';
import { MemorySegment } from '../../helpers/memory-segment.ts';

const TERMS = ['a', 'b', 'c', 'd'];
const scorer = createScorer({
  averageLengths: Object.fromEntries(FIELD_NAMES.map((field) => [field, 4])) as Record<FieldName, number>,
});

const TIERS = ['high', 'low', 'fresh'] as const;
type Tier = (typeof TIERS)[number];

const document = fc.record({
  body: fc.array(fc.constantFrom(...TERMS), { maxLength: 6 }),
  staticScore: fc.constantFrom(0, 1000, 300_000),
  isDeleted: fc.constantFrom(false, false, false, true),
});
const segment = fc.record({
  tier: fc.constantFrom<Tier>(...TIERS),
  documents: fc.array(document, { minLength: 1, maxLength: 25 }),
});

/** As a writer makes them: what is not in the low tier scores high by itself. */
const segmentOf = (
  { tier, documents }: typeof segment extends fc.Arbitrary<infer T> ? T : never,
  id: number,
) =>
  new MemorySegment({
    id,
    tier,
    documents: documents.map(({ body, staticScore }, index) => ({
      url: `http://h.test/${id}/${index}`,
      fields: { body: body.map((term, position) => ({ term, position })) },
      staticScore: tier === 'high' ? staticScore + 400_000 : staticScore,
    })),
    deleted: [...documents.keys()].filter((index) => documents[index]?.isDeleted),
  });

const group = fc.record({
  terms: fc.uniqueArray(fc.constantFrom(...TERMS, 'unknown'), { minLength: 1, maxLength: 2 }),
  weight: fc.constantFrom(0, 1, 700, 9000),
});
const query: fc.Arbitrary<ShardQuery> = fc
  .record({
    segments: fc.array(segment, { minLength: 1, maxLength: 5 }),
    optional: fc.array(group, { maxLength: 3 }),
    required: fc.oneof(fc.constant([]), fc.array(group, { maxLength: 2 })),
    k: fc.constantFrom(0, 1, 2, 5, 20),
    countLimit: fc.constantFrom(0, 2, 1000),
  })
  .map(({ segments, optional, required, k, countLimit }) => ({
    segments: segments.map((shape, index) => segmentOf(shape, index + 1)),
    plan: {
      epoch: epochNumber(1),
      optional,
      required,
      phrases: [],
      excluded: [],
      excludedPhrases: [],
      sites: [],
      excludedSites: [],
    },
    scorer,
    k,
    countLimit,
    evaluation: 'pruned',
    isLate: () => false,
  }));

test('tiers - the guaranteed rule gives the exhaustive answer, and skips a low tier that has no part in it', () => {
  let skipped = 0;
  fc.assert(
    fc.property(query, (asked) => {
      const { hits, total, lowTier } = evaluate(asked);
      const oracle = evaluate({ ...asked, evaluation: 'exhaustive', tiers: 'all' });
      assert.deepEqual({ hits, total }, { hits: oracle.hits, total: oracle.total });
      const hasLow = asked.segments.some(({ tier }) => tier === 'low');
      assert.equal(lowTier === undefined, !hasLow);
      if (lowTier !== 'skipped' || oracle.lowTier !== 'searched') return;
      skipped += 1;
      assert.ok(hits.every(({ segmentIndex }) => asked.segments[segmentIndex]?.tier !== 'low'));
    }),
    { numRuns: 1000 },
  );
  assert.ok(skipped > 20, `${skipped} of the runs could skip`);
});

test('tiers - the two rounds of the count rule are the two halves of the answer', () => {
  fc.assert(
    fc.property(query, (asked) => {
      const all = evaluate({ ...asked, tiers: 'all', countLimit: 1000 });
      const upper = evaluate({ ...asked, tiers: 'upper', countLimit: 1000 });
      const low = evaluate({ ...asked, tiers: 'low', countLimit: 1000 });
      assert.ok(upper.hits.every(({ segmentIndex }) => asked.segments[segmentIndex]?.tier !== 'low'));
      assert.ok(low.hits.every(({ segmentIndex }) => asked.segments[segmentIndex]?.tier === 'low'));
      assert.equal(upper.total.value + low.total.value, all.total.value);
      const merged = [...upper.hits, ...low.hits]
        .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
        .slice(0, asked.k);
      assert.deepEqual(merged, all.hits);
      assert.notEqual(upper.lowTier, 'searched');
    }),
    { numRuns: 300 },
  );
});

test('tiers - asked in the order high, fresh, low, each with its place in the list', () => {
  const documents = [{ url: 'http://h.test/', fields: {} }];
  const segments = (['low', 'fresh', 'high', 'low', 'high'] as const).map(
    (tier, index) => new MemorySegment({ documents, tier, id: index + 1 }),
  );
  const order = (choice: Parameters<typeof segmentsToAsk>[1]) =>
    segmentsToAsk(segments, choice).map(({ index }) => index);
  assert.deepEqual(order('guaranteed'), [2, 4, 1, 0, 3]);
  assert.deepEqual(order('all'), [2, 4, 1, 0, 3]);
  assert.deepEqual(order('upper'), [2, 4, 1]);
  assert.deepEqual(order('low'), [0, 3]);
});
