import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeJoin } from '../../../indexer/mapreduce/merge-join.ts';

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

const keys = fc
  .uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 20 })
  .map((list) => list.sort(byCodeUnits));
const byCodeUnits = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

test('every left entry comes once, with the right one of its key', async () => {
  await fc.assert(
    fc.asyncProperty(keys, keys, async (left, right) => {
      const joined: (readonly [string, string | undefined])[] = [];
      const rights = streamOf(right.map((key) => ({ key, value: `<${key}>` })));
      for await (const [entry, match] of mergeJoin(streamOf(left), rights, {
        left: (key) => key,
        right: ({ key }) => key,
      })) {
        joined.push([entry, match?.value]);
      }
      assert.deepEqual(
        joined,
        left.map((key) => [key, right.includes(key) ? `<${key}>` : undefined]),
      );
    }),
  );
});
