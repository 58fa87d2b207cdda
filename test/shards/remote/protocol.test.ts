import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFailure, writeFailure } from '../../../shards/remote/failure.ts';
import { encodeFrame, type Frame, FrameReader } from '../../../shards/remote/frame.ts';
import { MAX_FRAME_BYTES, MORE_BIT } from '../../../shards/remote/kinds.ts';
import { MessageParts, splitMessage } from '../../../shards/remote/message-parts.ts';
import * as operations from '../../../shards/remote/operations.ts';
import { pack, payloadReader } from '../../../shards/remote/payload.ts';
import * as schemas from '../../../shards/remote/schemas.ts';
import { QuarryError } from '../../../shards/values/errors.ts';
import { trustUrlKey } from '../../../shards/values/hash.ts';
import { workedExample } from '../../helpers/format-example.ts';

/** The frames that a reader makes of chunks, payloads copied. */
const framesOf = (chunks: readonly Uint8Array[], maxPayloadBytes = MAX_FRAME_BYTES) => {
  const frames: Frame[] = [];
  const onFrame = ({ payload, ...rest }: Frame) =>
    frames.push({ ...rest, payload: Uint8Array.from(payload) });
  const reader = new FrameReader({ peer: 'test', maxPayloadBytes, onFrame });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return { frames, reader };
};

test('the worked example of PROTOCOL.md is a hello and a request for a page', () => {
  const bytes = workedExample('shards/remote/PROTOCOL.md');
  const { frames, reader } = framesOf([bytes]);
  assert.ok(reader.isAtBoundary);
  assert.deepEqual(
    frames.map(({ kind, id }) => [kind, id]),
    [
      [0x01, 0],
      [0x12, 7],
    ],
  );
  const [hello, page] = frames.map(({ payload }) => payload);
  assert.deepEqual(payloadReader('a hello', schemas.hello)(hello ?? assert.fail(), 'test'), {
    magic: 'quarry-shard',
    oldest: 1,
    newest: 1,
  });
  assert.equal(operations.pageOperation.readRequest(page ?? assert.fail(), 'test'), 1n);
  const again = encodeFrame({
    kind: 0x12,
    id: 7,
    payload: operations.pageOperation.writeRequest(trustUrlKey(1n)),
  });
  assert.deepEqual(bytes.subarray(bytes.length - again.length), Uint8Array.from(again));
});

const anyFrame = fc
  .tuple(fc.nat(255), fc.nat(0xffff_ffff), fc.uint8Array({ maxLength: 300 }))
  .map(([kind, id, payload]): Frame => ({ kind, id, payload }));

test('FrameReader - the same frames however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(anyFrame), fc.array(fc.nat(400), { minLength: 1 }), (frames, cuts) => {
      const bytes = Buffer.concat(frames.map(encodeFrame));
      const chunks: Buffer[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const length = 1 + (cuts[turn % cuts.length] ?? 0);
        chunks.push(bytes.subarray(at, at + length));
        at += length;
      }
      const read = framesOf(chunks);
      assert.deepEqual(read.frames, frames);
      assert.ok(read.reader.isAtBoundary);
      const torn = framesOf([bytes, Buffer.from([9, 0])]);
      assert.ok(!torn.reader.isAtBoundary);
    }),
    { numRuns: 100 },
  );
});

test('FrameReader - a length above the limit is refused before its bytes come', () => {
  const claim = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  assert.throws(() => framesOf([claim]), { code: 'SHARDS_MESSAGE_TOO_LONG' });
  assert.throws(() => framesOf([Buffer.from('GET / HTTP/1.1\r\n')]), { code: 'SHARDS_MESSAGE_TOO_LONG' });
  assert.throws(() => framesOf([Buffer.from([4, 0, 0, 0])]), { code: 'SHARDS_PROTOCOL_VIOLATED' });
});

test('a long message goes in frames that others may come between', () => {
  const payload = Uint8Array.from({ length: 2 * MAX_FRAME_BYTES + 5 }, (_, index) => index % 251);
  const frames = splitMessage({ kind: 0x95, id: 3, payload });
  assert.deepEqual(
    frames.map(({ kind, payload: { length } }) => [kind, length]),
    [
      [0x95 | MORE_BIT, MAX_FRAME_BYTES],
      [0x95 | MORE_BIT, MAX_FRAME_BYTES],
      [0x95, 5],
    ],
  );
  const parts = new MessageParts(payload.length);
  for (const frame of frames) parts.add(frame.payload);
  assert.deepEqual(Uint8Array.from(parts.whole()), payload);
  assert.throws(() => parts.add(Uint8Array.of(1)), { code: 'SHARDS_MESSAGE_TOO_LONG' });
  assert.equal(splitMessage({ kind: 1, id: 0, payload: new Uint8Array(0) }).length, 1);
});

test('a failure goes with its code; what is none of ours does not pass for one', () => {
  const error = readFailure(
    writeFailure(new QuarryError('no', { code: 'SHARDS_PAGE_GONE', exit: 2 })),
    'node x',
  );
  assert.deepEqual([error.code, error.exit, error.message], ['SHARDS_PAGE_GONE', 2, 'node x: no']);
  assert.equal(readFailure(writeFailure(new TypeError('oops')), 'node x').code, 'SHARDS_NODE_FAILED');
  const odd = pack({ code: '__proto__', exit: 1, message: 'm' });
  assert.equal(readFailure(odd, 'node x').code, 'SHARDS_NODE_FAILED');
});

const PLAN = {
  epoch: 1,
  optional: [{ terms: ['stone'], weight: 9 }],
  required: [],
  phrases: [],
  excluded: [],
  excludedPhrases: [],
  sites: [],
  excludedSites: [],
};
const SEARCH = { plan: PLAN, k: 10, evaluation: 'pruned', budgetMs: 5 };

test('requests that have not their form are refused', () => {
  const group = { terms: ['x'], weight: 1 };
  const bad: [string, unknown][] = [
    ['no plan', { ...SEARCH, plan: null }],
    ['k', { ...SEARCH, k: 1101 }],
    ['a fraction', { ...SEARCH, k: 1.5 }],
    ['not a number', { ...SEARCH, budgetMs: Number.NaN }],
    ['evaluation', { ...SEARCH, evaluation: 'guessed' }],
    ['an unknown member', { ...SEARCH, shards: [1] }],
    ['weight', { ...SEARCH, plan: { ...PLAN, optional: [{ terms: ['x'], weight: 65_536 }] } }],
    ['too many groups', { ...SEARCH, plan: { ...PLAN, optional: Array.from({ length: 65 }, () => group) } }],
    ['a list', [SEARCH]],
  ];
  assert.equal(operations.searchOperation.readRequest(pack(SEARCH), 'test').k, 10);
  for (const [name, value] of bad) {
    const read = () => operations.searchOperation.readRequest(pack(value), 'test');
    assert.throws(read, { code: 'SHARDS_PROTOCOL_VIOLATED' }, name);
  }
  const half = pack({ hits: new Uint8Array(25), groups: [], passageLength: 1 });
  assert.throws(() => operations.fetchOperation.readRequest(half, 'test'), {
    code: 'SHARDS_PROTOCOL_VIOLATED',
  });
});

/** Bytes that look like MessagePack: headers of containers with false lengths, extensions, depth. */
const nastyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    Buffer.from('ddffffffff', 'hex'),
    Buffer.from('dcffff'.repeat(5000), 'hex'),
    Buffer.from('dfffffffff', 'hex'),
    Buffer.from('c6ffffffff', 'hex'),
    Buffer.from('d472'.repeat(50), 'hex'),
    Buffer.alloc(400_000, 0x91),
    Buffer.alloc(400_000, 0x81),
    Buffer.from('c70378a12aa17a', 'hex'),
    Buffer.from('92d47240c790a16b40', 'hex'),
  ),
  fc.record({ at: fc.nat(200), byte: fc.nat(255) }).map(({ at, byte }) => {
    const bytes = Uint8Array.from(pack(SEARCH));
    bytes[at % bytes.length] = byte;
    return bytes;
  }),
);

test('any bytes as any payload give a value of the right form or an error of the table', () => {
  const readers = Object.values(operations).filter(
    (value): value is (typeof operations)['pageOperation'] =>
      typeof value === 'object' && 'readRequest' in value,
  );
  assert.equal(readers.length, 9);
  const anyRequest = { k: 3, hits: [], prefixes: [], limit: 3 } as never;
  fc.assert(
    fc.property(nastyBytes, fc.constantFrom(...readers), (bytes, { readRequest, readAnswer }) => {
      for (const read of [
        () => readRequest(bytes, 'test'),
        () => readAnswer(bytes, 'test', anyRequest),
        () => readFailure(bytes, 'test'),
      ]) {
        try {
          read();
        } catch (error) {
          assert.ok(error instanceof QuarryError, String(error));
          assert.equal(error.code, 'SHARDS_PROTOCOL_VIOLATED');
        }
      }
      assert.deepEqual(operations.searchOperation.readRequest(pack(SEARCH), 'test'), SEARCH);
    }),
    { numRuns: 400 },
  );
});
