import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mostFrequent } from '../../../shards/statistics/most-frequent.ts';
import type { IndexStatistics } from '../../../shards/statistics/statistics.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { epochNumber } from '../../../shards/values/ids.ts';

/** Frequencies by the length of a term, so that many are alike. */
const statistics: IndexStatistics = {
  epoch: epochNumber(1),
  docCount: 10,
  averageLengths: Object.fromEntries(FIELD_NAMES.map((field) => [field, 1])) as Record<FieldName, number>,
  highTierThreshold: 0,
  documentFrequency: (term) => term.length % 4,
  languages: [],
};

const terms = fc.uniqueArray(fc.string({ maxLength: 8 }), { maxLength: 100 });
const limit = fc.integer({ min: 1, max: 12 });

test('mostFrequent - the first of all terms by falling frequency, then by their own order', () => {
  fc.assert(
    fc.property(terms, limit, (given, count) => {
      const sorted = [...given].sort((a, b) => (b.length % 4) - (a.length % 4) || (a < b ? -1 : 1));
      assert.deepEqual(mostFrequent(given, statistics, count), sorted.slice(0, count));
    }),
  );
});

test('mostFrequent - however terms are spread over sets, the best of the best are the best of all', () => {
  fc.assert(
    fc.property(fc.array(terms, { maxLength: 6 }), limit, (sets, count) => {
      const parts = sets.flatMap((set) => mostFrequent(set, statistics, count));
      const all = new Set(sets.flat());
      assert.deepEqual(mostFrequent(new Set(parts), statistics, count), mostFrequent(all, statistics, count));
    }),
  );
});
