import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelFlags } from '../../../shards/server/cancel-flags.ts';

test('CancelFlags - a flag is seen over the same memory, and by its own request only', () => {
  const here = new CancelFlags();
  const there = new CancelFlags(here.memory);
  assert.ok(![1, 2, 64, 65].some((id) => there.has(id)));
  here.cancel(1);
  here.cancel(2 ** 31 + 5);
  assert.deepEqual(
    [1, 2, 65, 129, 2 ** 31 + 5, 5].map((id) => there.has(id)),
    [true, false, false, false, true, false],
  );
  here.cancel(65);
  assert.deepEqual([there.has(1), there.has(65)], [false, true], 'the place was taken over');
});
