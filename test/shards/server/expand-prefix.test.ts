import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandPrefix } from '../../../shards/server/expand-prefix.ts';
import type { IndexStatistics } from '../../../shards/statistics/statistics.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { epochNumber } from '../../../shards/values/ids.ts';
import { MemorySegment, type MemorySegmentOptions } from '../../helpers/memory-segment.ts';

class PrefixSegment extends MemorySegment {
  termsFrom(prefix: string): string[] {
    return [...this.terms()].map(({ term }) => term).filter((term) => term.startsWith(prefix));
  }
}

const segmentOf = (texts: readonly string[], more: Partial<MemorySegmentOptions> = {}) =>
  new PrefixSegment({
    documents: texts.map((text, index) => ({
      url: `http://a.test/${index}`,
      fields: { body: text.split(' ').map((term, position) => ({ term, position })) },
    })),
    ...more,
  });

const statisticsOf = (frequencies: Readonly<Record<string, number>>): IndexStatistics => ({
  epoch: epochNumber(1),
  docCount: 100,
  averageLengths: Object.fromEntries(FIELD_NAMES.map((field) => [field, 1])) as Record<FieldName, number>,
  highTierThreshold: 0,
  documentFrequency: (term) => frequencies[term] ?? 0,
  languages: [],
});

test('expandPrefix - by the frequencies of the epoch, not of these segments; each term once', async () => {
  const segments = [segmentOf(['ab ab', 'ab ac', 'b']), segmentOf(['ad ab'])];
  const statistics = statisticsOf({ ab: 3, ac: 5, ad: 3, b: 9 });
  assert.deepEqual(await expandPrefix({ segments, statistics }, { prefix: 'a', limit: 9 }), [
    'ac',
    'ab',
    'ad',
  ]);
  assert.deepEqual(await expandPrefix({ segments, statistics }, { prefix: 'a', limit: 2 }), ['ac', 'ab']);
});

test('expandPrefix - terms that the epoch does not know come last, those of deleted documents alone never', async () => {
  const segments = [segmentOf(['az', 'ay', 'ax', 'ab'], { deleted: [2] }), segmentOf(['aw'])];
  const statistics = statisticsOf({ ab: 1 });
  const expand = (limit: number) => expandPrefix({ segments, statistics }, { prefix: 'a', limit });
  assert.deepEqual(await expand(9), ['ab', 'aw', 'ay', 'az']);
  assert.deepEqual(await expand(3), ['ab', 'aw', 'ay']);
  assert.deepEqual(await expand(1), ['ab']);
});

test('expandPrefix - many terms are walked in turns, and given up when asked to', async () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `a${String(index).padStart(5, '0')}`);
  const segments = [segmentOf([words.join(' ')])];
  const statistics = statisticsOf({ a09999: 2 });
  const vocabulary = { segments, statistics };
  assert.deepEqual(await expandPrefix(vocabulary, { prefix: 'a', limit: 2 }), ['a09999', 'a00000']);
  const wanted = { prefix: 'a', limit: 2 };
  await assert.rejects(expandPrefix(vocabulary, wanted, AbortSignal.abort(new Error('enough'))), /enough/);
});
