import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { closeParsers, crawlWeb } from '../helpers/crawl-web.ts';
import { fastClock } from '../helpers/fast-clock.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import {
  html,
  site,
  startWeb,
  type TestWeb,
  type WebAnswer,
  type WebHost,
  type WebRequest,
} from '../helpers/web.ts';

after(closeParsers);

const serve = async (context: TestContext, hosts: Readonly<Record<string, WebHost>>): Promise<TestWeb> => {
  const web = await startWeb(hosts);
  context.after(() => web.close());
  return web;
};

const star = (count: number, answer: Partial<WebAnswer> = {}): WebHost =>
  site({
    '/': html(
      'Home',
      'start',
      Array.from({ length: count }, (_, index) => `/${index}`),
    ),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `/${index}`,
        { ...html(`P${index}`, `t${index}`), ...answer },
      ]),
    ),
  });

/** Waits between the end of an answer and the next request, in order of time. */
const gapsOf = (requests: readonly WebRequest[]): number[] =>
  requests.slice(1).map((request, index) => request.startMs - (requests[index] as WebRequest).endMs);

/** The server's clock starts when it has read the request, ours when we send it. */
const TOLERANCE_MS = 2;

describe('politeness, as the server sees it', () => {
  it('leaves a host alone for the delay, with one request at a time and over one connection', async (context) => {
    const web = await serve(context, { 'a.test': star(6), 'b.test': star(6) });
    await crawlWeb(web, await tempFolder(context), {
      seeds: [web.url('a.test'), web.url('b.test')],
      delayMs: 60,
    });
    for (const host of ['a.test', 'b.test']) {
      const requests = web.log.filter((request) => request.host === host);
      assert.equal(requests.length, 8);
      for (const gap of gapsOf(requests)) assert.ok(gap >= 60 - TOLERANCE_MS, `a gap of ${gap} ms`);
      assert.ok(requests.every(({ parallel }) => parallel === 1));
      assert.equal(new Set(requests.map(({ connection }) => connection)).size, 1);
    }
  });

  it('waits in proportion to the time that an answer took', async (context) => {
    const web = await serve(context, { 'a.test': star(3, { delayMs: 40 }) });
    await crawlWeb(web, await tempFolder(context), {
      seeds: [web.url('a.test')],
      delayMs: 1,
      politeness: 3,
    });
    const requests = web.log.filter(({ path }) => /^\/\d$/.test(path));
    assert.equal(requests.length, 3);
    for (const gap of gapsOf(requests)) assert.ok(gap >= 120, `a gap of ${gap} ms after 40 ms`);
  });

  it('keeps hosts that share an address from being asked at once', async (context) => {
    const hosts = Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [`${name}.test`, { ...star(3, { delayMs: 10 }), address: '127.0.3.9' }]),
    );
    const web = await serve(context, hosts);
    await crawlWeb(web, await tempFolder(context), {
      seeds: Object.keys(hosts).map((host) => web.url(host)),
      delayMs: 20,
    });
    assert.equal(web.log.length, 15);
    for (const gap of gapsOf(web.log))
      assert.ok(gap >= 5 - TOLERANCE_MS, `a gap of ${gap} ms on the address`);
  });

  it('asks many at once when it is told not to wait', async (context) => {
    const web = await serve(context, { 'a.test': star(20, { delayMs: 30 }) });
    await crawlWeb(web, await tempFolder(context), { seeds: [web.url('a.test')] });
    assert.ok(Math.max(...web.log.map(({ parallel }) => parallel)) > 4);
  });

  it('honours Crawl-delay even then', async (context) => {
    const rules: WebAnswer = { body: 'User-agent: *\nCrawl-delay: 0.08\n' };
    const web = await serve(context, {
      'a.test': {
        answer: (path, request) => (path === '/robots.txt' ? rules : star(4).answer(path, request)),
      },
    });
    await crawlWeb(web, await tempFolder(context), { seeds: [web.url('a.test')] });
    assert.equal(web.log.length, 6);
    for (const gap of gapsOf(web.log)) assert.ok(gap >= 80 - TOLERANCE_MS, `a gap of ${gap} ms`);
  });

  it('honours Retry-After to the letter, in seconds and as a date, and asks the page again', async (context) => {
    const factor = 40;
    const clock = fastClock(factor);
    let refusals = 0;
    const refuse = (page: WebAnswer, retryAfter: () => string) => (): WebAnswer => {
      refusals += 1;
      return refusals === 1 ? { status: 503, headers: { 'retry-after': retryAfter() } } : page;
    };
    const inSeconds = await serve(context, {
      'a.test': site({ '/': refuse(html('A', 'text'), () => '8') }),
    });
    const { pages } = await crawlWeb(
      inSeconds,
      await tempFolder(context),
      { seeds: [inSeconds.url('a.test')] },
      { clock },
    );
    const attempts = inSeconds.log.filter(({ path }) => path === '/');
    assert.equal(attempts.length, 2);
    const [gapMs = 0] = gapsOf(attempts);
    assert.ok(gapMs * factor >= 8000 - 10 * factor, `asked again after ${gapMs * factor} ms`);
    assert.equal(pages.pages.length, 1);

    refusals = 0;
    const byDate = await serve(context, {
      'a.test': site({
        '/': refuse(html('A', 'text'), () => new Date(clock.nowMs() + 9000).toUTCString()),
      }),
    });
    await crawlWeb(byDate, await tempFolder(context), { seeds: [byDate.url('a.test')] }, { clock });
    const [dateGapMs = 0] = gapsOf(byDate.log.filter(({ path }) => path === '/'));
    assert.ok(dateGapMs * factor >= 8000 - 10 * factor, `asked again after ${dateGapMs * factor} ms`);
  });

  it('gives a host up for the run rather than asking before the time it named', async (context) => {
    const web = await serve(context, {
      'a.test': site({
        '/': html('Home', 'start', ['/1', '/2', '/3']),
        '/1': { status: 429, headers: { 'retry-after': '864000' } },
        '/2': { status: 429, headers: { 'retry-after': '864000' } },
        '/3': { status: 429, headers: { 'retry-after': '864000' } },
      }),
    });
    const { records, summary } = await crawlWeb(web, await tempFolder(context), {
      seeds: [web.url('a.test')],
      delayMs: 5,
    });
    assert.equal(web.log.filter(({ status }) => status === 429).length, 1);
    assert.equal(summary.queued, 0);
    const paused = ['/1', '/2', '/3'].map((path) => records.get(web.url('a.test', path)));
    for (const record of paused) {
      assert.equal(record?.status, 'failed');
      assert.ok((record?.dueAtMs ?? 0) > Date.now() + 863_000_000);
    }
  });

  it('asks again after its own back-off when a server fails without a word, then gives the page up', async (context) => {
    const web = await serve(context, {
      'a.test': site({ '/': html('Home', 'start', ['/bad']), '/bad': { status: 500 } }),
    });
    const clock = fastClock(600);
    const { records } = await crawlWeb(
      web,
      await tempFolder(context),
      { seeds: [web.url('a.test')] },
      { clock },
    );
    const attempts = web.log.filter(({ path }) => path === '/bad');
    assert.equal(attempts.length, 3);
    const gaps = gapsOf(attempts).map((gap) => gap * 600);
    assert.ok((gaps[0] ?? 0) > 50_000 && (gaps[1] ?? 0) > 100_000, `waits of ${gaps.join(' and ')} ms`);
    assert.equal(records.get(web.url('a.test', '/bad'))?.reason, 'http 500');
  });
});
