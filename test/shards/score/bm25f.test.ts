import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  contribution,
  createScorer,
  inverseDocumentFrequency,
  MAX_IMPACT,
  termWeight,
  widenBound,
} from '../../../shards/score/bm25f.ts';
import { staticScoreOfInLinks } from '../../../shards/score/static-score.ts';
import { DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS, type WeightTable } from '../../../shards/score/weights.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { decodeLength, lengthCode } from '../../../shards/values/length-code.ts';

const record = (values: readonly number[]): Record<FieldName, number> =>
  Object.fromEntries(FIELD_NAMES.map((field, index) => [field, values[index] ?? 0])) as Record<
    FieldName,
    number
  >;

const perField = <T>(item: fc.Arbitrary<T>) =>
  fc.array(item, { minLength: FIELD_NAMES.length, maxLength: FIELD_NAMES.length });
const averages = perField(fc.double({ min: 0, max: 3000, noNaN: true }));
const frequencies = perField(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 }), fc.nat(100_000)));
const codes = perField(fc.integer({ min: 0, max: 255 }));
const tables = fc.constantFrom<WeightTable>(DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS);

/** The formula in double precision, straight from the paper. */
const plainImpact = (table: WeightTable, means: number[], tf: number[], lengths: number[]): number => {
  let x = 0;
  for (const [index, field] of FIELD_NAMES.entries()) {
    const { weight, b, leastAverage } = table.fields[field];
    const average = Math.max(means[index] ?? 0, leastAverage);
    x += ((tf[index] ?? 0) * weight) / (1 - b + (b * decodeLength(lengths[index] ?? 0)) / average);
  }
  return (MAX_IMPACT * x) / (x + table.k1);
};

test('impact - is the BM25F of the paper, rounded', () => {
  fc.assert(
    fc.property(tables, averages, frequencies, codes, (weights, means, tf, lengths) => {
      const impact = createScorer({ averageLengths: record(means), weights }).impact(tf, lengths);
      assert.ok(Number.isInteger(impact) && impact >= 0 && impact <= MAX_IMPACT);
      assert.ok(Math.abs(impact - plainImpact(weights, means, tf, lengths)) <= 0.75);
    }),
    { numRuns: 1000 },
  );
});

test('impact - known figures', () => {
  const scorer = createScorer({
    averageLengths: record([0, 0, 0, 100, 0, 0]),
    weights: LUCENE_COMPAT_WEIGHTS,
  });
  // tf / (tf + 1.2 x (0.25 + 0.75 x length / 100)); 96 is the length that 100 is stored as.
  assert.equal(decodeLength(lengthCode(100)), 96);
  assert.equal(
    scorer.bodyImpact(1, lengthCode(96)),
    Math.round((65535 * 1) / (1 + 1.2 * (0.25 + 0.75 * 0.96))),
  );
  assert.equal(
    scorer.bodyImpact(3, lengthCode(8)),
    Math.round((65535 * 3) / (3 + 1.2 * (0.25 + 0.75 * 0.08))),
  );
  assert.equal(scorer.bodyImpact(0, 0), 0);
});

test('bodyImpact - equals impact when only the body holds the term', () => {
  fc.assert(
    fc.property(averages, fc.nat(5000), codes, (means, tf, lengths) => {
      const scorer = createScorer({ averageLengths: record(means) });
      const body = FIELD_NAMES.indexOf('body');
      const tfs = FIELD_NAMES.map((_, index) => (index === body ? tf : 0));
      assert.equal(scorer.bodyImpact(tf, lengths[body] ?? 0), scorer.impact(tfs, lengths));
    }),
  );
});

test('impact - never falls when a frequency grows or a length shrinks', () => {
  fc.assert(
    fc.property(
      averages,
      frequencies,
      codes,
      perField(fc.nat(3)),
      perField(fc.nat(40)),
      (...[means, tf, lengths, more, less]) => {
        const scorer = createScorer({ averageLengths: record(means) });
        const grown = tf.map((value, index) => value + (more[index] ?? 0));
        const shorter = lengths.map((code, index) => Math.max(0, code - (less[index] ?? 0)));
        assert.ok(scorer.impact(grown, shorter) >= scorer.impact(tf, lengths));
      },
    ),
    { numRuns: 1500 },
  );
});

test('widening - a bound made under old averages holds under new ones', () => {
  fc.assert(
    fc.property(tables, averages, averages, frequencies, codes, (...[weights, then, now, tf, lengths]) => {
      const stored = createScorer({ averageLengths: record(then), weights }).impact(tf, lengths);
      const scorer = createScorer({ averageLengths: record(now), weights });
      const widening = scorer.widening(then);
      assert.ok(widening >= 1);
      assert.ok(widenBound(stored, widening) >= scorer.impact(tf, lengths));
    }),
    { numRuns: 2000 },
  );
});

test('widening - is 1 where no average grew', () => {
  const scorer = createScorer({ averageLengths: record([1, 2, 3, 50, 5, 6]) });
  assert.equal(scorer.widening([1, 2, 3, 50, 5, 6]), 1);
  assert.equal(scorer.widening([10, 20, 30, 500, 50, 60]), 1);
  assert.equal(scorer.widening([10, 20, 30, 25, 50, 60]), 2);
});

test('contribution - (W x I) >>> 7 of the whole 32-bit product', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 65535 }), fc.integer({ min: 0, max: 65535 }), (weight, impact) => {
      assert.equal(contribution(weight, impact), Number((BigInt(weight) * BigInt(impact)) >> 7n));
    }),
  );
  assert.equal(contribution(65535, 65535), 33_553_408);
});

test('termWeight - idf stays positive and finite, whatever df and N', () => {
  assert.equal(termWeight(inverseDocumentFrequency(1000, 10)), Math.round(2048 * Math.log(1 + 990.5 / 10.5)));
  for (const [docCount, df] of [
    [0, 0],
    [1, 1],
    [10, 10],
    [10, 20],
    [10, -1],
    [1e9, 1],
  ] as const) {
    const weight = termWeight(inverseDocumentFrequency(docCount, df));
    assert.ok(weight > 0 && weight <= 65535, `${docCount} ${df}`);
  }
  assert.equal(termWeight(20, 1000), 65535);
});

test('staticScoreOfInLinks - rises, fits 31 bits', () => {
  assert.equal(staticScoreOfInLinks(0), 0);
  assert.ok(staticScoreOfInLinks(10) > staticScoreOfInLinks(9));
  assert.ok(staticScoreOfInLinks(Number.MAX_SAFE_INTEGER) < 2 ** 31);
});

test('lengthCode - one byte, monotonic, exact below 40, 1/8 at most beyond', () => {
  let last = 0;
  for (let length = 0; length < 5000; length++) {
    const code = lengthCode(length);
    assert.ok(code >= last && code <= 255);
    last = code;
    const decoded = decodeLength(code);
    assert.ok(decoded <= length && length - decoded <= length / 8);
    if (length < 40) assert.equal(decoded, length);
  }
  for (let code = 0; code < 256; code++) assert.equal(lengthCode(decodeLength(code)), code);
  assert.equal(lengthCode(1e12), 255);
});
