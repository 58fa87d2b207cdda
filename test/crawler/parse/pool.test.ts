import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ParseInput } from '../../../crawler/index.ts';
import { createParsePool } from '../../../crawler/index.ts';
import { QuarryError } from '../../../shards/index.ts';
import { HandClock } from '../../helpers/hand-clock.ts';
import { PAGE_URL, parseHtml } from '../../helpers/parse-html.ts';

const rudeWorker = new URL('../../helpers/rude-worker.js', import.meta.url);

const inputOf = (html: string, more: Partial<ParseInput> = {}): ParseInput => ({
  url: PAGE_URL,
  body: Buffer.from(html),
  headers: { 'content-type': 'text/html; charset=utf-8' },
  agent: 'quarry',
  ...more,
});

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return error instanceof QuarryError ? error.code : String(error);
  }
  return 'parsed';
};

test('parse pool: a thread says what the function says', async () => {
  await using pool = createParsePool({ size: 2 });
  const pages = Array.from({ length: 40 }, (_, index) => `<title>${index}</title><a href=${index}>x</a>`);
  const parsed = await Promise.all(pages.map((html) => pool.parse(inputOf(html))));
  parsed.forEach((page, index) => {
    const { body, ...said } = page;
    const { body: wantedBody, ...wanted } = parseHtml(pages[index] ?? '');
    assert.deepEqual(said, wanted);
    assert.deepEqual(Buffer.from(body), Buffer.from(wantedBody));
  });
});

test('parse pool: the body is handed over and comes back without its coding', async () => {
  await using pool = createParsePool({ size: 1 });
  const html = '<p>x'.repeat(10_000);
  const body = new Uint8Array(gzipSync(html));
  const page = await pool.parse(inputOf('', { body, contentEncoding: 'gzip' }));
  assert.equal(Buffer.from(page.body).toString(), html);
  assert.equal(body.byteLength, 0, 'transferred, not copied');
  const part = Buffer.from('<p>whole<p>rest').subarray(0, 8);
  assert.equal(Buffer.from((await pool.parse(inputOf('', { body: part }))).body).toString(), '<p>whole');
  assert.equal(part.toString(), '<p>whole', 'others may share the buffer of a part');
});

test('parse pool: a crash fails one page; the next gets a new thread', async () => {
  await using pool = createParsePool({ size: 1, workerUrl: rudeWorker, maxHeapMb: 64 });
  const work = ['<p>a', 'crash', '<p>b', 'throw', '<p>c', 'fail', '<p>d', 'exhaust', '<p>e'].map((html) =>
    codeOf(pool.parse(inputOf(html))),
  );
  assert.deepEqual(await Promise.all(work), [
    'parsed',
    'CRAWL_PARSE_CRASHED',
    'parsed',
    'CRAWL_PARSE_CRASHED',
    'parsed',
    'CRAWL_PARSE_FAILED',
    'parsed',
    'CRAWL_PARSE_CRASHED',
    'parsed',
  ]);
});

test('parse pool: a page that takes too long fails, and no other', async () => {
  const clock = new HandClock();
  await using pool = createParsePool({ size: 1, workerUrl: rudeWorker, clock, timeLimitMs: 30_000 });
  const slow = codeOf(pool.parse(inputOf('hang')));
  const next = codeOf(pool.parse(inputOf('<p>x')));
  clock.advance(29_999);
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1);
  assert.equal(await slow, 'CRAWL_PARSE_TIMEOUT');
  assert.equal(await next, 'parsed');
});

test('parse pool: abort takes a page out of the queue or ends its thread', async () => {
  await using pool = createParsePool({ size: 1, workerUrl: rudeWorker });
  const controllers = [new AbortController(), new AbortController()] as const;
  const atWork = codeOf(pool.parse(inputOf('hang'), controllers[0].signal));
  const waiting = codeOf(pool.parse(inputOf('hang'), controllers[1].signal));
  const last = codeOf(pool.parse(inputOf('<p>x')));
  controllers[1].abort('second');
  controllers[0].abort('first');
  assert.deepEqual(await Promise.all([atWork, waiting, last]), ['first', 'second', 'parsed']);
  assert.equal(await codeOf(pool.parse(inputOf('x'), AbortSignal.abort('early'))), 'early');
});

test('parse pool: closing rejects what is not done, twice is once', async () => {
  const pool = createParsePool({ size: 1, workerUrl: rudeWorker });
  const work = ['hang', '<p>x'].map((html) => codeOf(pool.parse(inputOf(html))));
  await Promise.all([pool.close(), pool.close()]);
  assert.deepEqual(await Promise.all(work), ['CRAWL_PARSE_CLOSED', 'CRAWL_PARSE_CLOSED']);
  assert.equal(await codeOf(pool.parse(inputOf('x'))), 'CRAWL_PARSE_CLOSED');
});

test('parse pool: what cannot be sent to a thread fails alone', async () => {
  await using pool = createParsePool({ size: 1 });
  const odd = { ...inputOf('x'), selectors: { content: (() => 'x') as unknown as string } };
  assert.match(await codeOf(pool.parse(odd)), /DataCloneError/);
  assert.equal(await codeOf(pool.parse(inputOf('x'))), 'parsed');
});
