import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { Fetcher, type FetcherOptions, type FetchResult } from '../../../crawler/fetch/fetcher.ts';
import { FETCH_LIMITS } from '../../../crawler/fetch/limits.ts';
import { trustNormalUrl } from '../../../shards/index.ts';
import { fastClock } from '../../helpers/fast-clock.ts';

/** A server that answers each connection's requests by hand. */
const startRaw = async (
  context: TestContext,
  answer: (socket: Socket, request: string, count: number) => void,
): Promise<number> => {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (request) => answer(socket, request.toString(), ++count));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
};

const fetcherFor = (context: TestContext, options: Partial<FetcherOptions> = {}): Fetcher => {
  const fetcher = new Fetcher({
    clock: fastClock(1),
    limits: FETCH_LIMITS,
    agent: 'quarry/test',
    lookUp: () => Promise.resolve(['127.0.0.1']),
    mayBePrivate: () => true,
    connectionsPerOrigin: 1,
    ...options,
  });
  context.after(() => fetcher.close());
  return fetcher;
};

const get = (fetcher: Fetcher, port: number, path = '/'): Promise<FetchResult> =>
  fetcher.fetch({ url: trustNormalUrl(`http://a.test:${port}${path}`) });

const textOf = (result: FetchResult): string =>
  result.kind === 'answer' ? Buffer.from(result.body).toString() : result.failure;

describe('fetcher', () => {
  it('keeps one connection, sends who it is, and reports address and headers', async (context) => {
    const sockets = new Set<Socket>();
    const requests: string[] = [];
    const port = await startRaw(context, (socket, request) => {
      sockets.add(socket);
      requests.push(request);
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 2\r\n\r\nhi',
      );
    });
    const fetcher = fetcherFor(context, { from: 'me@example.org' });
    const first = await get(fetcher, port, '/p?q=1');
    await get(fetcher, port);
    assert.equal(sockets.size, 1);
    assert.match(requests[0] ?? '', /^GET \/p\?q=1 HTTP\/1\.1\r\n/);
    assert.match(requests[0] ?? '', /\r\nuser-agent: quarry\/test\r\n/i);
    assert.match(requests[0] ?? '', /\r\nfrom: me@example\.org\r\n/i);
    assert.ok(first.kind === 'answer');
    assert.deepEqual(
      [first.status, first.ip, first.headers['x-a'], textOf(first), first.truncated],
      [200, '127.0.0.1', '1, 2', 'hi', ''],
    );
  });

  it('follows no redirect', async (context) => {
    const port = await startRaw(context, (socket) =>
      socket.write('HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n'),
    );
    const result = await get(fetcherFor(context), port);
    assert.equal(result.kind === 'answer' && result.status, 302);
  });

  it('keeps the part of a body that came before it broke off, was too long, too slow or too late', async (context) => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
    const port = await startRaw(context, (socket, request) => {
      if (request.startsWith('GET /cut')) socket.end(`${head}Content-Length: 100\r\n\r\npart`);
      if (request.startsWith('GET /long')) socket.write(`${head}Content-Length: 50\r\n\r\n${'x'.repeat(50)}`);
      if (request.startsWith('GET /late')) socket.write(`${head}Content-Length: 50\r\n\r\nsome`);
      if (request.startsWith('GET /drip')) {
        socket.write(`${head}\r\n`);
        const timer = setInterval(() => socket.write('.'), 10);
        socket.on('close', () => clearInterval(timer));
      }
    });
    const limits = { ...FETCH_LIMITS, maxBodyBytes: 20, totalMs: 400, slowGraceMs: 50 };
    const fetcher = fetcherFor(context, { limits });
    const results = [];
    for (const path of ['/cut', '/long', '/drip', '/late']) results.push(await get(fetcher, port, path));
    assert.deepEqual(
      results.map((result) => result.kind === 'answer' && result.truncated),
      ['disconnect', 'length', 'time', 'time'],
    );
    assert.deepEqual(
      [results[0], results[1], results[3]].map((result) => textOf(result as FetchResult)),
      ['part', 'x'.repeat(20), 'some'],
    );
  });

  it('leaves sounds, films and endless parts as soon as it has read their headers', async (context) => {
    const port = await startRaw(context, (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 99999999\r\n\r\nID3'),
    );
    const result = await get(fetcherFor(context), port);
    assert.deepEqual(result.kind === 'answer' && [result.truncated, result.body.length], ['type', 0]);
  });

  it('tells failures apart', async (context) => {
    const port = await startRaw(context, (socket, request) => {
      if (request.startsWith('GET /garbage')) socket.end('SMTP ready\r\n');
      if (request.startsWith('GET /reset')) socket.resetAndDestroy();
      if (request.startsWith('GET /huge'))
        socket.write(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`);
    });
    const limits = { ...FETCH_LIMITS, totalMs: 300 };
    const fetcher = fetcherFor(context, { limits });
    const kinds: string[] = [];
    for (const path of ['/garbage', '/reset', '/huge', '/silent'])
      kinds.push(textOf(await get(fetcher, port, path)));
    kinds.push(textOf(await get(fetcher, 1)));
    assert.deepEqual(kinds, ['bad-response', 'reset', 'bad-response', 'total-timeout', 'connect-refused']);
    const tls = await fetcher.fetch({ url: trustNormalUrl(`https://a.test:${port}/garbage`) });
    assert.equal(tls.kind, 'failure');
  });

  it('asks once more, without a failure, when the server had closed a kept connection', async (context) => {
    const port = await startRaw(context, (socket, _request, count) => {
      if (count === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    });
    const fetcher = fetcherFor(context);
    assert.equal(textOf(await get(fetcher, port)), 'hi');
    assert.equal(textOf(await get(fetcher, port)), 'hi');
  });

  it('refuses private addresses when it connects: by name, literal, and in IPv6', async (context) => {
    let contacts = 0;
    const port = await startRaw(context, () => {
      contacts += 1;
    });
    const fetcher = fetcherFor(context, { mayBePrivate: () => false });
    for (const host of ['a.test', '127.0.0.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254']) {
      const result = await fetcher.fetch({ url: trustNormalUrl(`http://${host}:${port}/`) });
      assert.equal(textOf(result), 'private-address', host);
    }
    assert.equal(contacts, 0);
  });

  it('asks nothing when it is aborted before it begins', async (context) => {
    let requestCount = 0;
    const port = await startRaw(context, () => {
      requestCount += 1;
    });
    const url = trustNormalUrl(`http://a.test:${port}/`);
    const result = await fetcherFor(context).fetch({ url, signal: AbortSignal.abort() });
    assert.deepEqual([result.kind, requestCount], ['failure', 0]);
  });

  it('ends at once when the crawl stops', async (context) => {
    const port = await startRaw(context, () => undefined);
    const stop = new AbortController();
    const fetcher = fetcherFor(context);
    const result = fetcher.fetch({ url: trustNormalUrl(`http://a.test:${port}/`), signal: stop.signal });
    setTimeout(() => stop.abort(), 30);
    assert.equal((await result).kind, 'failure');
  });
});
