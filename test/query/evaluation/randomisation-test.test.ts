import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { randomisationTest } from '../../../query/evaluation/randomisation-test.ts';
import { seededRandom } from '../../../query/evaluation/seeded-random.ts';

/** Every one of the 2^n assignments of signs: the exact probability that the sampled one estimates. */
const exactPValue = (differences: readonly number[]): number => {
  const observed = Math.abs(differences.reduce((a, b) => a + b, 0));
  let asLarge = 0;
  for (let signs = 0; signs < 2 ** differences.length; signs++) {
    const total = differences.reduce(
      (sum, value, index) => ((signs >> index) & 1 ? sum + value : sum - value),
      0,
    );
    if (Math.abs(total) >= observed - 1e-9) asLarge++;
  }
  return asLarge / 2 ** differences.length;
};

describe('paired randomisation test', () => {
  it('is near the exact probability over all assignments', () => {
    const ours = [0.9, 0.4, 0.7, 0.2, 0.8, 0.65, 0.3, 0.9];
    const baseline = [0.5, 0.45, 0.3, 0.1, 0.8, 0.25, 0.35, 0.2];
    const exact = exactPValue(ours.map((value, index) => value - (baseline[index] ?? 0)));
    const { pValue, meanDifference } = randomisationTest(ours, baseline, seededRandom(1));
    assert.ok(Math.abs(pValue - exact) < 0.015, `${pValue} instead of ${exact}`);
    assert.ok(Math.abs(meanDifference - 0.2375) < 1e-12);
  });

  it('says 1 for equal rankings and little for a large one-sided difference', () => {
    const values = Array.from({ length: 30 }, (_value, index) => index / 30);
    assert.equal(randomisationTest(values, values, seededRandom(1)).pValue, 1);
    const better = values.map((value) => value + 0.1);
    assert.equal(randomisationTest(better, values, seededRandom(1)).pValue, 1 / 10_001);
  });

  it('gives the same answer for the same seed, and the same p-value either way round', () => {
    const values = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      {
        minLength: 1,
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(values, fc.integer(), (pairs, seed) => {
        const ours = pairs.map(([a]) => a);
        const baseline = pairs.map(([, b]) => b);
        const one = randomisationTest(ours, baseline, seededRandom(seed), 200);
        assert.deepEqual(randomisationTest(ours, baseline, seededRandom(seed), 200), one);
        assert.equal(randomisationTest(baseline, ours, seededRandom(seed), 200).pValue, one.pValue);
        assert.ok(one.pValue > 0 && one.pValue <= 1);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses lists that are no pairs', () => {
    assert.throws(() => randomisationTest([1], [], seededRandom(1)), RangeError);
    assert.throws(() => randomisationTest([], [], seededRandom(1)), RangeError);
  });
});

describe('seeded random numbers', () => {
  it('are uniform enough and differ by seed', () => {
    const random = seededRandom(42);
    const bins = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 10_000; draw++) {
      const bin = Math.floor(random() * 10);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    for (const count of bins) assert.ok(count > 850 && count < 1150, String(bins));
    assert.notEqual(seededRandom(1)(), seededRandom(2)());
    assert.equal(seededRandom(7)(), seededRandom(7)());
  });
});
