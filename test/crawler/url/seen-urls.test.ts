import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SeenTable } from '../../../crawler/url/seen-urls.ts';

describe('duplicate-URL eliminator', () => {
  it('lets each fingerprint through once, as a Set would, zero and near ones too', () => {
    const near = fc.bigInt({ min: 0n, max: 40n });
    const clustered = near.map((value) => (0xafn << 56n) | (value << 20n));
    const any = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(fc.array(fc.oneof(near, clustered, any), { maxLength: 300 }), (fingerprints) => {
        const table = new SeenTable();
        const oracle = new Set<bigint>();
        for (const fingerprint of fingerprints) {
          assert.equal(table.has(fingerprint), oracle.has(fingerprint));
          assert.equal(table.add(fingerprint), !oracle.has(fingerprint));
          oracle.add(fingerprint);
          assert.equal(table.size, oracle.size);
        }
      }),
    );
  });

  it('forgets nothing when it grows', () => {
    const table = new SeenTable();
    const fingerprintOf = (index: number): bigint =>
      BigInt.asUintN(64, BigInt(index) * 0x9e37_79b9_7f4a_7c15n);
    for (let index = 0; index < 50_000; index += 1) assert.ok(table.add(fingerprintOf(index)));
    assert.equal(table.size, 50_000);
    for (let index = 0; index < 50_000; index += 1) assert.ok(!table.add(fingerprintOf(index)));
    assert.ok(!table.has(fingerprintOf(50_000)));
  });
});
