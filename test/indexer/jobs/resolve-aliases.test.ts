import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resolveAliases } from '../../../indexer/jobs/resolve-aliases.ts';
import type { NormalUrl } from '../../../shards/index.ts';

/** Follows one chain step by step; undefined when it runs in a circle. */
const follow = (direct: ReadonlyMap<NormalUrl, NormalUrl>, start: NormalUrl): NormalUrl | undefined => {
  let at = start;
  for (let step = 0; step <= direct.size; step += 1) {
    const next = direct.get(at);
    if (next === undefined) return at;
    at = next;
  }
  return undefined;
};

test('every chain ends where following it step by step ends; circles are left out', () => {
  const url = fc.nat({ max: 12 }).map((n) => `u${n}` as NormalUrl);
  fc.assert(
    fc.property(fc.array(fc.tuple(url, url), { maxLength: 15 }), (pairs) => {
      const direct = new Map(pairs);
      const expected = [...direct.keys()].flatMap((start) => {
        const end = follow(direct, start);
        return end === undefined ? [] : [[start, end]];
      });
      assert.deepEqual(Object.fromEntries(resolveAliases(direct)), Object.fromEntries(expected));
    }),
    { numRuns: 500 },
  );
});

test('a chain of 100,000 redirects takes no recursion', () => {
  const direct = new Map(
    Array.from({ length: 100_000 }, (_, n) => [`u${n}` as NormalUrl, `u${n + 1}` as NormalUrl]),
  );
  const resolved = resolveAliases(direct);
  assert.equal(resolved.get('u0' as NormalUrl), 'u100000');
  assert.equal(resolved.size, 100_000);
});
