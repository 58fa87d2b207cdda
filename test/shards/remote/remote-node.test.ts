import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFrame, type Frame, FrameReader } from '../../../shards/remote/frame.ts';
import type { ServedNode } from '../../../shards/remote/handlers.ts';
import { FrameKind, MAX_FRAME_BYTES, MORE_BIT } from '../../../shards/remote/kinds.ts';
import { pageOperation, searchOperation } from '../../../shards/remote/operations.ts';
import { pack } from '../../../shards/remote/payload.ts';
import { parseNodeAddress } from '../../../shards/remote/remote-node.ts';
import { trustUrlKey } from '../../../shards/values/hash.ts';
import { epochNumber, trustNormalUrl } from '../../../shards/values/ids.ts';
import { FakeNode } from '../../helpers/fake-node.ts';
import { HandClock } from '../../helpers/hand-clock.ts';
import { connectTest, LOOPBACK, startShardServer } from '../../helpers/shard-servers.ts';
import { EMPTY_CLAUSES, requestOf } from '../../helpers/word-plans.ts';

const KEY = trustUrlKey(5n);
const PAGE = {
  url: trustNormalUrl('http://a.test/'),
  title: 'T',
  text: 'x',
  lang: 'en',
  type: 'text/html',
  fetchedAtMs: 1,
};
const STATUS = {
  generation: 1,
  commit: 1,
  epoch: 1,
  epochs: [1],
  shardCount: 1,
  analyser: 'default',
  shards: [],
};
const WELCOME = {
  kind: FrameKind.welcome,
  id: 0,
  payload: pack({ protocol: 1, version: '0', status: STATUS }),
};

/** A server that speaks frames and does with each what the test says. */
const startFakeServer = async (
  context: TestContext,
  onFrame: (frame: Frame, send: (frame: Frame | Buffer) => void, socket: Socket) => void,
): Promise<{ readonly port: number; readonly connectionCount: () => number }> => {
  let connectionCount = 0;
  const server = createServer((socket) => {
    connectionCount += 1;
    const send = (frame: Frame | Buffer) =>
      void socket.write(Buffer.isBuffer(frame) ? frame : encodeFrame(frame));
    const reader = new FrameReader({
      peer: 'client',
      maxPayloadBytes: MAX_FRAME_BYTES,
      onFrame: (frame) => (frame.kind === FrameKind.hello ? send(WELCOME) : onFrame(frame, send, socket)),
    });
    socket.on('data', (chunk) => reader.push(chunk));
    socket.on('error', () => undefined);
    context.after(() => socket.destroy());
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  context.after(() => server.close());
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connectionCount: () => connectionCount,
  };
};

const answerTo = ({ kind, id }: Frame, payload = pageOperation.writeAnswer(PAGE)): Frame => ({
  kind: kind | 0x80,
  id,
  payload,
});

test('what a node answers wrongly fails that node, and soon', async (context) => {
  const wrong: Record<
    string,
    [string, (frame: Frame, send: (f: Frame | Buffer) => void, s: Socket) => void]
  > = {
    'an id never used': ['SHARDS_PROTOCOL_VIOLATED', (f, send) => send({ ...answerTo(f), id: f.id + 7 })],
    'another kind': ['SHARDS_PROTOCOL_VIOLATED', (f, send) => send({ ...answerTo(f), kind: 0x91 })],
    'a payload of no form': ['SHARDS_PROTOCOL_VIOLATED', (f, send) => send(answerTo(f, pack({ url: 1 })))],
    'bytes that are no MessagePack': [
      'SHARDS_PROTOCOL_VIOLATED',
      (f, send) => send(answerTo(f, Buffer.from('ddffffffff', 'hex'))),
    ],
    'bytes that are no frames': [
      'SHARDS_MESSAGE_TOO_LONG',
      (_f, send) => send(Buffer.from('HTTP/1.1 200 OK')),
    ],
    'half a frame, then the end': [
      'SHARDS_NODE_LOST',
      (f, send, socket) => {
        send(encodeFrame(answerTo(f)).subarray(0, 12));
        socket.end();
      },
    ],
    'a reset': ['SHARDS_NODE_LOST', (_f, _send, socket) => void socket.resetAndDestroy()],
    'a failure of its own': [
      'SHARDS_PAGE_GONE',
      ({ id }, send) =>
        send({
          kind: FrameKind.failure,
          id,
          payload: pack({ code: 'SHARDS_PAGE_GONE', exit: 1, message: 'gone' }),
        }),
    ],
    'a long answer beyond its limit': [
      'SHARDS_MESSAGE_TOO_LONG',
      (f, send) => {
        const part = { kind: f.kind | 0x80 | MORE_BIT, id: f.id, payload: new Uint8Array(MAX_FRAME_BYTES) };
        for (let count = 0; count < 257; count += 1) send(part);
      },
    ],
  };
  for (const [name, [code, answer]] of Object.entries(wrong)) {
    const { port } = await startFakeServer(context, answer);
    const client = connectTest(context, port);
    await assert.rejects(client.page(KEY), { code }, name);
  }
});

test('hits that belong to no answer are refused: too many, of another shard', () => {
  const hit = { key: KEY, score: 1, shard: 0, segment: 1, doc: 0 };
  const answer = {
    shard: 0,
    status: 'ok' as const,
    hits: [hit],
    total: { value: 1, relation: 'eq' as const },
    docCount: 1,
  };
  const plan = { epoch: epochNumber(1), ...EMPTY_CLAUSES };
  const read = (shards: (typeof answer)[]) =>
    searchOperation.readAnswer(
      searchOperation.writeAnswer({ shards, queueMs: 0, searchMs: 0 }),
      'node',
      requestOf(plan, { k: 1 }),
    );
  assert.deepEqual(read([answer]).shards, [answer]);
  assert.throws(() => read([{ ...answer, hits: [hit, hit] }]), { code: 'SHARDS_PROTOCOL_VIOLATED' });
  assert.throws(() => read([{ ...answer, shard: 1 }]), { code: 'SHARDS_PROTOCOL_VIOLATED' });
});

test('an answer that comes late is passed over, and does not pass for a later one', async (context) => {
  let late: Frame | undefined;
  const cancelled: number[] = [];
  const { port, connectionCount } = await startFakeServer(context, (frame, send) => {
    if (frame.kind === FrameKind.cancel) cancelled.push(frame.id);
    else if (late === undefined)
      late = answerTo(frame, pageOperation.writeAnswer({ ...PAGE, title: 'late' }));
    else {
      send(late);
      send(answerTo(frame));
      send(late);
    }
  });
  const client = connectTest(context, port);
  const controller = new AbortController();
  const search = client.search(requestOf({ epoch: epochNumber(1), ...EMPTY_CLAUSES }), controller.signal);
  setTimeout(() => controller.abort(new Error('too slow')), 20);
  await assert.rejects(search, /too slow/);
  assert.equal((await client.page(KEY))?.title, 'T');
  assert.equal((await client.page(KEY))?.title, 'T');
  assert.deepEqual(cancelled, [1]);
  assert.equal(connectionCount(), 1);
});

test('silence ends the connection; the next request makes a new one', async (context) => {
  let isSilent = true;
  const { port, connectionCount } = await startFakeServer(context, (frame, send) => {
    if (!isSilent && frame.kind === pageOperation.kind) send(answerTo(frame));
  });
  const client = connectTest(context, port, { requestTimeoutMs: 30 });
  await assert.rejects(client.page(KEY), { code: 'SHARDS_NODE_LATE' });
  isSilent = false;
  await sleep(1);
  assert.equal((await client.page(KEY))?.title, 'T');
  assert.equal(connectionCount(), 2);
});

test('a node that is not there fails at once until the delay is over, which doubles', async (context) => {
  const placeholder = createServer().listen(0, LOOPBACK);
  await once(placeholder, 'listening');
  const address = placeholder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  placeholder.close();
  await once(placeholder, 'close');
  const clock = new HandClock();
  const client = connectTest(context, port, { clock, random: () => 1 });
  await assert.rejects(client.status(), { code: 'SHARDS_NODE_UNREACHABLE' });
  const { port: back } = await startShardServer(context, { node: new ServedFake() }, port);
  assert.equal(back, port);
  clock.advance(49);
  await assert.rejects(client.status(), { code: 'SHARDS_NODE_UNREACHABLE' });
  clock.advance(1);
  assert.equal((await client.status()).generation, 1);
});

/** A node that can be held up. */
class ServedFake extends FakeNode implements ServedNode {
  held: Promise<void> | undefined;
  readonly signals: (AbortSignal | undefined)[] = [];

  constructor() {
    super({ pages: [{ url: 'http://a.test/', text: 'stone' }] });
  }

  override async search(...[request, signal]: Parameters<ServedNode['search']>) {
    this.signals.push(signal);
    await this.held;
    return super.search(request);
  }

  async epochBytes(): Promise<Uint8Array> {
    return new Uint8Array(0);
  }
}

const search = requestOf({ epoch: epochNumber(1), ...EMPTY_CLAUSES });

/** A promise and its key. */
const latch = () => {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
};

const untilCount = async (node: ServedFake, count: number) => {
  while (node.signals.length < count) await sleep(1);
};

test('a shard server refuses what is above its limit with busy, and works on', async (context) => {
  const node = new ServedFake();
  const { promise, open } = latch();
  node.held = promise;
  const { port } = await startShardServer(context, { node, maxRequests: 2 });
  const client = connectTest(context, port);
  const two = [client.search(search), client.search(search)];
  await untilCount(node, 2);
  await assert.rejects(client.search(search), { code: 'SHARDS_NODE_BUSY' });
  open();
  for (const answer of await Promise.all(two)) assert.equal(answer.shards.length, 1);
  assert.equal((await client.search(search)).shards.length, 1);
});

test('giving up and going away abort the work in the server', async (context) => {
  const node = new ServedFake();
  node.held = new Promise(() => undefined);
  const { port } = await startShardServer(context, { node });
  const client = connectTest(context, port);
  const controller = new AbortController();
  const given = client.search(search, controller.signal);
  await untilCount(node, 1);
  controller.abort(new Error('enough'));
  await assert.rejects(given, /enough/);
  while (node.signals[0]?.aborted !== true) await sleep(1);
  const lost = client.search(search);
  await untilCount(node, 2);
  await client.close();
  await assert.rejects(lost, { code: 'SHARDS_NODE_LOST' });
  while (node.signals[1]?.aborted !== true) await sleep(1);
});

test('a server that drains answers what is open, refuses the rest, and closes', async (context) => {
  const node = new ServedFake();
  const { promise, open } = latch();
  node.held = promise;
  const { server, port } = await startShardServer(context, { node });
  const client = connectTest(context, port);
  const answer = client.search(search);
  await untilCount(node, 1);
  const drained = server.drain(60_000);
  while ((await client.status().catch(() => undefined)) !== undefined) await sleep(1);
  open();
  assert.equal((await answer).shards.length, 1);
  await drained;
  await assert.rejects(client.status(), { code: 'SHARDS_NODE_UNREACHABLE' });
});

test('a token is asked for', async (context) => {
  const { port } = await startShardServer(context, { node: new ServedFake(), token: 'sesame' });
  await assert.rejects(connectTest(context, port).status(), { code: 'SHARDS_NODE_FORBIDDEN' });
  await assert.rejects(connectTest(context, port, { token: 'sesam' }).status(), {
    code: 'SHARDS_NODE_FORBIDDEN',
  });
  assert.equal((await connectTest(context, port, { token: 'sesame' }).status()).generation, 1);
});

/** What a server says to bytes, until it closes. */
const replyTo = async (port: number, bytes: Uint8Array): Promise<Frame[]> => {
  const frames: Frame[] = [];
  const reader = new FrameReader({
    peer: 'server',
    maxPayloadBytes: MAX_FRAME_BYTES,
    onFrame: ({ payload, ...rest }) => frames.push({ ...rest, payload: Uint8Array.from(payload) }),
  });
  const socket = connect({ host: LOOPBACK, port });
  socket.on('data', (chunk) => reader.push(chunk));
  socket.on('error', () => undefined);
  socket.end(bytes);
  await once(socket, 'close');
  return frames;
};

test('a shard server outlives any bytes', async (context) => {
  const { port } = await startShardServer(context, { node: new ServedFake() });
  const hello = (newest: number) =>
    encodeFrame({
      kind: FrameKind.hello,
      id: 0,
      payload: pack({ magic: 'quarry-shard', oldest: newest, newest }),
    });
  const [refusal] = await replyTo(port, hello(99));
  assert.equal(refusal?.kind, FrameKind.failure);
  assert.match(Buffer.from(refusal?.payload ?? []).toString(), /SHARDS_PROTOCOL_VERSION/);
  const ask = (kind: number, id: number, payload: Uint8Array) => encodeFrame({ kind, id, payload });
  const strangers: Buffer[] = [
    Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
    Buffer.alloc(100_000, 0xff),
    hello(1).subarray(0, 20),
    ask(0x12, 1, pack(null)),
    Buffer.concat([hello(1), ask(0x77, 1, pack(null))]),
    Buffer.concat([hello(1), ask(0x12, 0, pack(null))]),
    Buffer.concat([hello(1), ask(0x12, 1, Buffer.alloc(200_000, 0x91))]),
    Buffer.concat([hello(1), ...[1, 2, 3, 4, 5, 6].map((id) => ask(0x10 | MORE_BIT, id, pack(null)))]),
    Buffer.concat([hello(1), ask(0x03, 4, pack(null)), Buffer.from([5, 0])]),
  ];
  for (let round = 0; round < 40; round += 1) {
    // xorshift: the same bytes in every run.
    let seed = (round + 1) * 0x9e3779b1;
    const noise = Buffer.from(
      Array.from({ length: 60 }, () => {
        seed ^= seed << 13;
        seed ^= seed >>> 17;
        seed ^= seed << 5;
        return seed & 0xff;
      }),
    );
    noise.writeUInt32LE(5 + (round % 50), 0);
    strangers.push(Buffer.concat([hello(1), noise]));
  }
  await Promise.all(strangers.map((bytes) => replyTo(port, bytes)));
  assert.equal((await connectTest(context, port).status()).generation, 1);
});

test('parseNodeAddress - host and port, IPv6 in brackets, nothing else', () => {
  assert.deepEqual(parseNodeAddress('a.test:81'), { host: 'a.test', port: 81 });
  assert.deepEqual(parseNodeAddress('[::1]:65535'), { host: '::1', port: 65_535 });
  for (const bad of ['', 'a.test', 'a.test:', ':81', 'a:0', 'a:65536', '::1:80', 'http://a:80', 'a:8x']) {
    assert.throws(() => parseNodeAddress(bad), { code: 'SHARDS_BAD_NODE_NAME' }, bad);
  }
});
