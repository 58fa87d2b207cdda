import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  averagePrecision,
  meanOf,
  measure,
  ndcg,
  precision,
  recall,
  reciprocalRank,
  relevantCount,
} from '../../../query/evaluation/metrics.ts';

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} instead of ${expected}`);

describe('metrics of a ranking', () => {
  // Judged: a 3, b 2, c 1, d 0. Ranking: b x a d c.
  const grades = new Map([
    ['a', 3],
    ['b', 2],
    ['c', 1],
    ['d', 0],
  ]);
  const ranking = ['b', 'x', 'a', 'd', 'c'];

  it('nDCG: gain is the grade, discount log2(rank + 1)', () => {
    // DCG = 2/log2(2) + 3/log2(4) + 1/log2(6) = 2 + 1.5 + 0.386852807; ideal = 3 + 2/log2(3) + 1/2 = 4.761859507.
    near(ndcg(ranking, grades, 10), 3.886852807234542 / 4.761859507142915);
    near(ndcg(ranking, grades, 2), 2 / (3 + 2 / Math.log2(3)));
    near(ndcg(['a', 'b', 'c'], grades, 10), 1);
    near(ndcg([], grades, 10), 0);
    near(ndcg(['x'], new Map([['d', 0]]), 10), 0);
  });

  it('nDCG counts a grade below zero as no gain', () => {
    near(
      ndcg(
        ['n', 'a'],
        new Map([
          ['n', -1],
          ['a', 1],
        ]),
        10,
      ),
      1 / Math.log2(3),
    );
  });

  it('average precision divides by all relevant ones, found or not', () => {
    near(averagePrecision(ranking, grades), (1 / 1 + 2 / 3 + 3 / 5) / 3);
    near(averagePrecision(['b'], grades), 1 / 3);
    near(averagePrecision(['x'], new Map()), 0);
  });

  it('precision divides by the cut, also when fewer were found', () => {
    near(precision(ranking, grades, 10), 0.3);
    near(precision(ranking, grades, 2), 0.5);
  });

  it('reciprocal rank is that of the first relevant one, 0 beyond the cut', () => {
    near(reciprocalRank(ranking, grades, 10), 1);
    near(reciprocalRank(['x', 'd', 'c'], grades, 10), 1 / 3);
    near(reciprocalRank(['x', 'd', 'c'], grades, 2), 0);
  });

  it('recall', () => {
    near(recall(ranking, grades, 3), 2 / 3);
    near(recall(ranking, grades, 100), 1);
    near(recall(['x'], new Map([['d', 0]]), 100), 0);
  });

  it('takes means measure by measure', () => {
    const means = meanOf([measure(ranking, grades), measure(['x'], grades)]);
    near(means.p10, 0.15);
    near(means.mrr10, 0.5);
    near(means.recall100, 0.5);
    near(means.map, averagePrecision(ranking, grades) / 2);
    near(means.ndcg10, ndcg(ranking, grades, 10) / 2);
  });
});

describe('metrics, properties', () => {
  const names = fc.integer({ min: 0, max: 30 }).map(String);
  const judged = fc
    .array(fc.tuple(names, fc.integer({ min: -1, max: 4 })), { maxLength: 20 })
    .map((pairs) => new Map(pairs));
  const ranked = fc.uniqueArray(names, { maxLength: 25 });

  it('stay between 0 and 1', () => {
    fc.assert(
      fc.property(ranked, judged, (ranking, grades) => {
        for (const value of Object.values(measure(ranking, grades)))
          assert.ok(value >= 0 && value <= 1 + 1e-12);
      }),
    );
  });

  it('are 1 for the ideal ranking, when anything is relevant', () => {
    fc.assert(
      fc.property(judged, (grades) => {
        fc.pre(relevantCount(grades) > 0);
        const ideal = [...grades].sort(([, a], [, b]) => b - a).map(([name]) => name);
        const { ndcg10, map, mrr10, recall100 } = measure(ideal, grades);
        for (const value of [ndcg10, map, mrr10, recall100]) near(value, 1);
      }),
    );
  });

  it('agree with the definitions written as sums over ranks', () => {
    fc.assert(
      fc.property(ranked, judged, (ranking, grades) => {
        const gain = (rank: number, list: readonly string[]): number =>
          Math.max(0, grades.get(list[rank - 1] ?? '') ?? 0);
        const ranks = Array.from({ length: 10 }, (_value, index) => index + 1);
        const ideal = [...grades.keys()].sort((a, b) => (grades.get(b) ?? 0) - (grades.get(a) ?? 0));
        const total = (list: readonly string[]): number =>
          ranks.reduce((sum, rank) => sum + gain(rank, list) * (Math.LN2 / Math.log(rank + 1)), 0);
        const expected = total(ideal) === 0 ? 0 : total(ranking) / total(ideal);
        near(ndcg(ranking, grades, 10), expected);
        const relevant = ranking.map((name) => Number((grades.get(name) ?? 0) > 0));
        const precisionAt = (rank: number): number =>
          relevant.slice(0, rank).reduce((a, b) => a + b, 0) / rank;
        const summed = relevant.reduce((sum, flag, index) => sum + flag * precisionAt(index + 1), 0);
        near(averagePrecision(ranking, grades), summed / Math.max(1, relevantCount(grades)));
      }),
    );
  });

  it('do not fall when a relevant result changes places with an irrelevant one before it', () => {
    fc.assert(
      fc.property(ranked, judged, fc.nat(), (ranking, grades, seed) => {
        fc.pre(ranking.length >= 2);
        const at = seed % (ranking.length - 1);
        const [first = '', second = ''] = ranking.slice(at, at + 2);
        fc.pre((grades.get(first) ?? 0) < 1 && (grades.get(second) ?? 0) >= 1);
        const better = ranking.with(at, second).with(at + 1, first);
        const before = measure(ranking, grades);
        const after = measure(better, grades);
        for (const name of ['ndcg10', 'map', 'p10', 'mrr10', 'recall100'] as const) {
          assert.ok(after[name] >= before[name] - 1e-12, name);
        }
      }),
    );
  });
});
