import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TopK } from '../../../shards/search/top-k.ts';
import { trustUrlKey } from '../../../shards/values/hash.ts';

const arrivals = fc.uniqueArray(fc.record({ key: fc.nat(200), score: fc.nat(5) }), {
  selector: ({ key }) => key,
});

test('TopK - is the head of the sorted list, whatever the order of arrival', () => {
  fc.assert(
    fc.property(arrivals, fc.nat(20), (documents, k) => {
      const top = new TopK(k);
      let threshold = top.threshold;
      for (const { key, score } of documents) {
        top.offer(score, 0, key, (doc) => trustUrlKey(BigInt(doc)));
        assert.ok(top.threshold >= threshold, 'the threshold fell');
        threshold = top.threshold;
      }
      const sorted = documents
        .map(({ key, score }) => ({ key, score }))
        .sort((a, b) => b.score - a.score || a.key - b.key);
      assert.deepEqual(
        top.ranked().map(({ doc, score }) => ({ key: doc, score })),
        sorted.slice(0, k),
      );
    }),
    { numRuns: 500 },
  );
});

test('TopK - asks for a key only when the score may enter', () => {
  const top = new TopK(1);
  top.offer(5, 0, 1, () => trustUrlKey(1n));
  top.offer(4, 0, 2, () => assert.fail('asked'));
  assert.equal(top.threshold, 5);
  assert.equal(new TopK(0).threshold, Number.POSITIVE_INFINITY);
});
