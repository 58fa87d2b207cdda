import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import roaring from 'roaring';
import { DocSet } from '../../../shards/search/doc-set.ts';

test('DocSet - has and firstFrom, of a bitmap and of its complement', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.uniqueArray(fc.nat(199)), (docCount, docs) => {
      const members = docs.filter((doc) => doc < docCount);
      const bitmap = new roaring.RoaringBitmap32(members);
      const isMember = (doc: number) => members.includes(doc);
      for (const [set, holds] of [
        [DocSet.of(bitmap, docCount), isMember],
        [DocSet.without(bitmap, docCount), (doc: number) => !isMember(doc)],
      ] as const) {
        for (let doc = 0; doc < docCount; doc++) {
          assert.equal(set.has(doc), holds(doc));
          let first = doc;
          while (first < docCount && !holds(first)) first++;
          assert.equal(set.firstFrom(doc), first);
        }
        assert.equal(set.firstFrom(docCount), docCount);
      }
    }),
    { numRuns: 200 },
  );
});
