import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { inflate, MAX_BODY_BYTES } from '../../../crawler/index.ts';

const text = Buffer.from('All work and no play makes Jack a dull boy. '.repeat(500));
const same = (body: Uint8Array, encoding: string): void => {
  const inflated = inflate(body, encoding);
  assert.equal(inflated.truncated, '', encoding);
  assert.ok(text.equals(inflated.body), encoding);
};

test('inflate: every coding, in layers, under any name that servers give it', () => {
  same(text, '');
  same(text, 'identity');
  same(gzipSync(text), 'gzip');
  same(gzipSync(text), ' X-GZip ');
  same(deflateSync(text), 'deflate');
  same(deflateRawSync(text), 'deflate');
  same(gzipSync(text), 'deflate');
  same(brotliCompressSync(text), 'br');
  same(gzipSync(gzipSync(text)), 'gzip, gzip');
  same(brotliCompressSync(gzipSync(text)), 'gzip, identity, br');
  same(Buffer.concat([gzipSync(text.subarray(0, 1000)), gzipSync(text.subarray(1000))]), 'gzip');
  same(Buffer.concat([gzipSync(text), Buffer.from('<!-- served by cache -->')]), 'gzip');
});

test('inflate: the header lies', () => {
  same(text, 'gzip');
  same(text, 'deflate');
  same(text, 'br');
  same(gzipSync(text), 'gzip, gzip');
  same(text, 'compress');
  assert.deepEqual(inflate(new Uint8Array(), 'gzip'), { body: new Uint8Array(), truncated: '' });
});

test('inflate: of four layers three are undone', () => {
  const four = gzipSync(gzipSync(gzipSync(gzipSync(text))));
  assert.ok(gzipSync(text).equals(inflate(four, 'gzip, gzip, gzip, gzip').body));
});

test('inflate: a stream that ends early or breaks yields what came before', () => {
  const noise = randomBytes(200_000);
  for (const [coded, encoding] of [
    [gzipSync(noise), 'gzip'],
    [deflateSync(noise), 'deflate'],
    [deflateRawSync(noise), 'deflate'],
    [brotliCompressSync(noise), 'br'],
  ] as const) {
    const cut = inflate(coded.subarray(0, 100_000), encoding);
    assert.equal(cut.truncated, 'disconnect');
    assert.ok(cut.body.length > 50_000 && cut.body.length <= 100_000, `${encoding} ${cut.body.length}`);
    assert.ok(noise.subarray(0, cut.body.length).equals(cut.body));
  }
  const broken = Buffer.from(gzipSync(text, { level: 1 }));
  broken.fill(0xff, broken.length >> 1);
  const { body, truncated } = inflate(broken, 'gzip');
  assert.equal(truncated, 'disconnect');
  assert.ok(body.length > 0 && body.length < text.length);
});

test('inflate: bombs stop at the cap and at the ratio', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const capped = inflate(bomb, 'gzip');
  assert.equal(capped.truncated, 'length');
  assert.ok(capped.body.length <= MAX_BODY_BYTES && capped.body.length > MAX_BODY_BYTES / 2);
  const small = gzipSync(Buffer.alloc(6 * 1024 * 1024));
  const rationed = inflate(small, 'gzip');
  assert.equal(rationed.truncated, 'length');
  assert.ok(rationed.body.length <= Math.max(200 * small.length, 1024 * 1024));
  assert.equal(inflate(gzipSync(Buffer.alloc(1024 * 1024)), 'gzip').truncated, '');
  const layered = inflate(gzipSync(bomb), 'gzip, gzip');
  assert.equal(layered.truncated, 'length');
  assert.ok(layered.body.length <= MAX_BODY_BYTES);
  assert.deepEqual(inflate(Buffer.alloc(20), '', { maxBytes: 10 }), {
    body: Buffer.alloc(10),
    truncated: 'length',
  });
});

test('inflate: no bytes make it throw', () => {
  const encodings = fc.constantFrom('gzip', 'deflate', 'br', 'gzip, br', 'br, deflate, gzip', 'x,y');
  const start = fc.constantFrom(
    [],
    [0x1f, 0x8b, 8],
    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
    [0x78, 0x9c],
    [0x1b],
  );
  fc.assert(
    fc.property(encodings, start, fc.uint8Array({ maxLength: 300 }), (encoding, head, tail) => {
      const { body } = inflate(Buffer.concat([Buffer.from(head), tail]), encoding);
      assert.ok(body.length <= MAX_BODY_BYTES);
    }),
    { numRuns: 500 },
  );
});
