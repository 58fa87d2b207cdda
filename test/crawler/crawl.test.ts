import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { after, describe, it, type TestContext } from 'node:test';
import { type CrawlEvent, readCrawlStatus } from '../../crawler/index.ts';
import type { LogRecord } from '../../indexer/index.ts';
import { closeParsers, crawlWeb } from '../helpers/crawl-web.ts';
import { fastClock } from '../helpers/fast-clock.ts';
import { MemoryPageLog } from '../helpers/memory-page-log.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { html, site, startWeb, type TestWeb, type WebHost } from '../helpers/web.ts';

after(closeParsers);

const serve = async (context: TestContext, hosts: Readonly<Record<string, WebHost>>): Promise<TestWeb> => {
  const web = await startWeb(hosts);
  context.after(() => web.close());
  return web;
};
/** Paths of the pages that a host was asked for, robots.txt left out, in sorted order. */
const asked = (web: TestWeb, host: string): string[] =>
  web.log
    .filter((request) => request.host === host && request.path !== '/robots.txt')
    .map((request) => request.path)
    .sort();

describe('crawl', () => {
  it('follows links within the hosts of its seeds, each URL once, and archives what it finds', async (context) => {
    const web = await serve(context, {
      'a.test': site({
        '/': html('Home', 'start', ['/one', 'two', '/one#x', 'http://other.test/', '/missing']),
        '/one': html('One', 'first', ['/', '/two']),
        '/two': html('Two', 'second'),
      }),
      'other.test': site({ '/': html('Other', 'elsewhere') }),
    });
    const hostCounts: number[] = [];
    const { summary, pages, records } = await crawlWeb(
      web,
      await tempFolder(context),
      { seeds: [web.url('a.test')] },
      { onProgress: (event) => event.kind === 'statistics' && hostCounts.push(event.statistics.hosts) },
    );
    assert.equal(hostCounts.at(-1), 1, 'nothing waits any more, and the host has answered');
    assert.deepEqual(asked(web, 'a.test'), ['/', '/missing', '/one', '/two']);
    assert.deepEqual(asked(web, 'other.test'), []);
    assert.deepEqual(pages.pages.map((page) => page.title).sort(), ['Home', 'One', 'Two']);
    assert.equal(pages.latest.get(web.url('a.test', '/missing'))?.kind, 'gone');
    assert.equal(pages.syncedCount, pages.records.length);
    assert.deepEqual(
      [summary.asked, summary.ok, summary.byStatus, summary.hosts, summary.stopped],
      [4, 3, { 200: 3, 404: 1 }, 1, 'done'],
    );
    assert.equal(records.get(web.url('a.test', '/one'))?.depth, 1);
    assert.equal(records.get(web.url('a.test', '/missing'))?.status, 'gone');
  });

  it('asks for robots.txt first and obeys it, for redirects too', async (context) => {
    const web = await serve(context, {
      'a.test': site({
        '/robots.txt': { body: 'User-agent: quarry\nDisallow: /private\n' },
        '/': html('Home', 'start', ['/private/x', '/to-private']),
        '/to-private': { status: 302, headers: { location: '/private/y' } },
      }),
    });
    const { records, summary } = await crawlWeb(web, await tempFolder(context), {
      seeds: [web.url('a.test')],
    });
    assert.equal(web.log[0]?.path, '/robots.txt');
    assert.equal(web.log.filter((request) => request.path === '/robots.txt').length, 1);
    assert.deepEqual(asked(web, 'a.test'), ['/', '/to-private']);
    assert.equal(records.get(web.url('a.test', '/private/y'))?.status, 'excluded');
    assert.deepEqual(summary.errors, { robots: 2 });
  });

  it('takes a robots.txt from where it is redirected to, and nothing while it answers 503', async (context) => {
    const web = await serve(context, {
      'a.test': site({
        '/robots.txt': { status: 301, headers: { location: '/rules' } },
        '/rules': { status: 302, headers: { location: `http://b.test:${0}/rules` } },
        '/': html('Home', 'start', ['/no', '/yes']),
        '/yes': html('Yes', 'allowed'),
      }),
      'down.test': site({ '/robots.txt': { status: 503 }, '/': html('Never', 'asked for') }),
    });
    const rules = { status: 302, headers: { location: web.url('b.test', '/rules') } };
    await web.close();
    const again = await serve(context, {
      'a.test': site({
        '/robots.txt': { status: 301, headers: { location: '/rules' } },
        '/rules': ({ host }) => ({ ...rules, headers: { location: again.url('b.test', `/of-${host}`) } }),
        '/': html('Home', 'start', ['/no', '/yes']),
        '/yes': html('Yes', 'allowed'),
      }),
      'b.test': site({ '/of-a.test': { body: 'User-agent: *\nDisallow: /no\n' } }),
      'down.test': site({ '/robots.txt': { status: 503 }, '/': html('Never', 'asked for') }),
    });
    const { records } = await crawlWeb(
      again,
      await tempFolder(context),
      { seeds: [again.url('a.test'), again.url('down.test')], allowPrivate: true },
      { clock: fastClock(20) },
    );
    assert.deepEqual(asked(again, 'a.test'), ['/', '/rules', '/yes']);
    assert.deepEqual(asked(again, 'down.test'), []);
    assert.equal(records.get(again.url('down.test'))?.reason, 'robots-unreachable');
  });

  it('records each redirect, follows it as a URL of its own, and stops at loops and after ten hops', async (context) => {
    const chain = Object.fromEntries(
      Array.from({ length: 14 }, (_, hop) => [
        `/hop${hop}`,
        { status: 301, headers: { location: `/hop${hop + 1}` } },
      ]),
    );
    const web = await serve(context, {
      'a.test': site({
        ...chain,
        '/': html('Home', 'start', ['/old', '/loop1', '/hop0', '/self']),
        '/old': { status: 301, headers: { location: '/new#part' } },
        '/new': html('New', 'moved here'),
        '/loop1': { status: 302, headers: { location: '/loop2' } },
        '/loop2': { status: 302, headers: { location: '/loop1' } },
        '/self': { status: 302, headers: { location: '/self' } },
      }),
    });
    const { pages, records } = await crawlWeb(web, await tempFolder(context), { seeds: [web.url('a.test')] });
    assert.deepEqual(pages.latest.get(web.url('a.test', '/old')), {
      ...(pages.latest.get(web.url('a.test', '/old')) as object),
      kind: 'redirect',
      target: web.url('a.test', '/new'),
      status: 301,
    });
    const page = pages.pages.find(({ title }) => title === 'New');
    assert.deepEqual(page?.redirects, [web.url('a.test', '/old')]);
    assert.equal(page?.depth, 1, 'a hop adds no depth');
    assert.equal(records.get(web.url('a.test', '/self'))?.reason, 'redirect loop');
    assert.equal(records.get(web.url('a.test', '/loop2'))?.reason, 'redirect loop');
    assert.equal(records.get(web.url('a.test', '/hop10'))?.reason, 'redirects');
    assert.equal(records.get(web.url('a.test', '/hop11')), undefined);
    assert.ok(asked(web, 'a.test').every((path, index, paths) => path !== paths[index + 1]));
  });

  it('widens the scope to where a seed redirects, and says so; other redirects stay inside', async (context) => {
    const web = await serve(context, {
      'a.test': site({
        '/': (request) => ({ status: 301, headers: { location: `http://www.a.test:${portOf(request)}/` } }),
      }),
      'www.a.test': site({
        '/': html('Home', 'start', ['/page', '/away']),
        '/page': html('Page', 'inside'),
        '/away': (request) => ({ status: 302, headers: { location: `http://b.test:${portOf(request)}/` } }),
      }),
      'b.test': site({ '/': html('Other', 'outside') }),
    });
    const settings = { seeds: [web.url('a.test')], allowPrivate: true };
    const { events, pages } = await crawlWeb(web, await tempFolder(context), settings);
    assert.deepEqual(asked(web, 'www.a.test'), ['/', '/away', '/page']);
    assert.deepEqual(asked(web, 'b.test'), []);
    assert.deepEqual(
      events.flatMap((event) => (event.kind === 'scope' ? [event.host] : [])),
      ['www.a.test'],
    );
    assert.deepEqual(pages.pages.map(({ title }) => title).sort(), ['Home', 'Page']);
  });

  it('keeps out what says noindex, follows no link of what says nofollow, reads both also from headers', async (context) => {
    const web = await serve(context, {
      'a.test': site({
        '/': html('Home', 'start', ['/noindex', '/nofollow', '/header']),
        '/noindex': html(
          'Hidden',
          'not listed',
          ['/behind-noindex'],
          '<meta name="robots" content="noindex">',
        ),
        '/nofollow': html('Dead end', 'listed', ['/x'], '<meta name="robots" content="nofollow">'),
        '/header': {
          ...html('Header', 'neither', ['/y']),
          headers: { 'content-type': 'text/html', 'x-robots-tag': 'none' },
        },
        '/behind-noindex': html('Behind', 'found'),
      }),
    });
    const { pages } = await crawlWeb(web, await tempFolder(context), { seeds: [web.url('a.test')] });
    assert.deepEqual(asked(web, 'a.test'), ['/', '/behind-noindex', '/header', '/nofollow', '/noindex']);
    assert.deepEqual(pages.pages.map(({ title }) => title).sort(), ['Behind', 'Dead end', 'Home']);
    const gone = pages.latest.get(web.url('a.test', '/noindex'));
    assert.equal(gone?.kind === 'gone' && gone.reason, 'noindex');
  });

  it('names the page that showed a text first, archives its copies all the same', async (context) => {
    const copies = Object.fromEntries(
      ['/a', '/b', '/c'].map((path) => [path, html('Copy', 'the same text')]),
    );
    const web = await serve(context, {
      'a.test': site({ ...copies, '/': html('Home', 'start', ['/a', '/b', '/c']) }),
    });
    const { summary, pages, records } = await crawlWeb(web, await tempFolder(context), {
      seeds: [web.url('a.test')],
      concurrency: 1,
    });
    assert.equal(summary.duplicates, 2);
    assert.equal(pages.pages.length, 4);
    const copiesOf = ['/a', '/b', '/c'].map((path) => records.get(web.url('a.test', path))?.duplicateOf);
    assert.deepEqual(copiesOf, ['', web.url('a.test', '/a'), web.url('a.test', '/a')]);
  });

  it('does not drown in a trap that shows one text under ever new URLs', async (context) => {
    const web = await serve(context, {
      'a.test': {
        answer: (path) =>
          path === '/robots.txt'
            ? { status: 404 }
            : html('Calendar', 'nothing today', [
                `/x${path.length}?d=${path}1`,
                `/x${path.length}?d=${path}2`,
              ]),
      },
    });
    const { summary } = await crawlWeb(web, await tempFolder(context), {
      seeds: [web.url('a.test')],
      maxPages: 2000,
    });
    assert.equal(summary.stopped, 'done');
    assert.ok(summary.asked <= 1 + 32 * 2, `${summary.asked} URLs were asked for`);
  });

  it('stops at its limits and goes on at the next run', async (context) => {
    const pages = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `/${index}`,
        html(`Page ${index}`, `text ${index}`, [`/${index + 1}`]),
      ]),
    );
    const web = await serve(context, { 'a.test': site(pages) });
    const folder = await tempFolder(context);
    const settings = { seeds: [web.url('a.test', '/0')], maxPages: 5 };
    const first = await crawlWeb(web, folder, settings);
    assert.deepEqual([first.summary.ok, first.summary.stopped], [5, 'limit']);
    const second = await crawlWeb(web, folder, settings);
    assert.deepEqual([second.summary.ok, second.summary.stopped], [5, 'limit']);
    const third = await crawlWeb(web, folder, { ...settings, maxPages: 0 });
    assert.deepEqual([third.summary.ok, third.summary.stopped], [2, 'done']);
    const shallow = await crawlWeb(web, await tempFolder(context), { ...settings, maxPages: 0, maxDepth: 3 });
    assert.deepEqual(
      [...shallow.records.values()].map(({ depth }) => depth).sort((a, b) => a - b),
      [0, 1, 2, 3],
    );
  });

  it('goes on where it was interrupted', async (context) => {
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `/${index}`,
        { ...html(`Page ${index}`, `text ${index}`, [`/${2 * index + 1}`, `/${2 * index + 2}`]), delayMs: 5 },
      ]),
    );
    const web = await serve(context, { 'a.test': site(pages) });
    const folder = await tempFolder(context);
    const stop = new AbortController();
    const settings = { seeds: [web.url('a.test', '/0')], concurrency: 2 };
    const first = await crawlWeb(web, folder, settings, {
      signal: stop.signal,
      onProgress: (event) => event.kind === 'page' && event.url.endsWith('/6') && stop.abort(),
    });
    assert.equal(first.summary.stopped, 'interrupted');
    assert.equal((await readCrawlStatus(folder)).state, 'open');
    const second = await crawlWeb(web, folder, settings, { pages: first.pages });
    assert.equal(second.summary.stopped, 'done');
    assert.deepEqual([second.summary.ok, second.summary.byStatus], [30, { 200: 30, 404: 31 }]);
    assert.equal(second.pages.pages.length, 30);
    assert.equal(asked(web, 'a.test').length, 61, 'no URL twice, none left out');
    const status = await readCrawlStatus(folder);
    assert.deepEqual([status.state, status.queued, status.knownUrls], ['finished', 0, 61]);
  });

  it('visits a finished web again by conditional requests when pages are due', async (context) => {
    let version = 1;
    const etags = { '/': () => `"home${version}"`, '/same': () => '"same"', '/gone': () => '"gone"' };
    const page =
      (path: keyof typeof etags, title: string, links: string[] = []) =>
      (request: { headers: object }) => {
        const etag = etags[path]();
        const { 'if-none-match': known } = request.headers as Record<string, string>;
        if (path === '/gone' && version === 2) return { status: 410 };
        if (known === etag) return { status: 304, headers: { etag } };
        const answer = html(`${title} ${version}`, `${title} text ${version}`, links);
        return { ...answer, headers: { ...answer.headers, etag } };
      };
    const web = await serve(context, {
      'a.test': site({
        '/': page('/', 'Home', ['/same', '/gone']),
        '/same': page('/same', 'Same'),
        '/gone': page('/gone', 'Gone'),
      }),
    });
    const folder = await tempFolder(context);
    const settings = { seeds: [web.url('a.test')] };
    const first = await crawlWeb(web, folder, settings);
    version = 2;
    const idle = await crawlWeb(web, folder, settings);
    assert.equal(idle.summary.asked, 0, 'nothing is due yet');
    const again = await crawlWeb(web, folder, { ...settings, fresh: true }, { pages: first.pages });
    assert.deepEqual(again.summary.byStatus, { 200: 1, 304: 1, 410: 1 });
    const { latest } = again.pages;
    assert.deepEqual(
      ['/', '/same', '/gone'].map((path) => latest.get(web.url('a.test', path))?.kind),
      ['page', 'page', 'gone'],
    );
    const home = again.records.get(web.url('a.test'));
    assert.deepEqual([home?.title, home?.checks, home?.changes], ['Home 2', 1, 1]);
    assert.equal(again.records.get(web.url('a.test', '/same'))?.status, 'notModified');
  });

  it('visits everything again when other links are to be followed', async (context) => {
    const web = await serve(context, {
      'a.test': site({
        '/': {
          ...html('Home', 'start', ['/in', '/out']),
          headers: { 'content-type': 'text/html', etag: '"1"' },
        },
        '/in': html('In', 'a'),
        '/out': html('Out', 'b'),
      }),
    });
    const folder = await tempFolder(context);
    await crawlWeb(web, folder, { seeds: [web.url('a.test')], exclude: ['/out'] });
    assert.deepEqual(asked(web, 'a.test'), ['/', '/in']);
    await crawlWeb(web, folder, { seeds: [web.url('a.test')] });
    assert.deepEqual(asked(web, 'a.test'), ['/', '/', '/in', '/in', '/out']);
  });

  it('stops when the page log fails, acknowledges nothing that is not in it, and goes on later', async (context) => {
    const pages = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `/${index}`,
        html(`Page ${index}`, `text ${index}`, [`/${index + 1}`]),
      ]),
    );
    const web = await serve(context, { 'a.test': site(pages) });
    const folder = await tempFolder(context);
    const settings = { seeds: [web.url('a.test', '/0')], concurrency: 1 };
    const log = new MemoryPageLog();
    let isFull = true;
    const failing = {
      append: async (record: LogRecord) => {
        if (isFull && record.url.endsWith('/7')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        return log.append(record);
      },
      sync: () =>
        isFull ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) : log.sync(),
      close: () => log.close(),
    };
    await assert.rejects(crawlWeb(web, folder, settings, { pages: failing }), { code: 'CRAWL_DISK_FULL' });
    log.records.length = 0;
    isFull = false;
    const { summary } = await crawlWeb(web, folder, settings, { pages: failing });
    assert.equal(summary.stopped, 'done');
    assert.equal(log.pages.length, 20, 'what was lost with the log was fetched again');
  });

  it('stops in order when whoever listens to it throws, and goes on later', async (context) => {
    const web = await serve(context, {
      'a.test': site({ '/': html('Home', 'start', ['/x']), '/x': html('X', 'x') }),
    });
    const folder = await tempFolder(context);
    const settings = { seeds: [web.url('a.test')] };
    const onProgress = ({ kind }: CrawlEvent): void => {
      if (kind === 'statistics') throw new Error('no more paper');
    };
    await assert.rejects(crawlWeb(web, folder, settings, { onProgress }), {
      code: 'CRAWL_STAGE_FAILED',
      message: /in stage watch: no more paper/,
    });
    const { summary } = await crawlWeb(web, folder, settings);
    assert.equal(summary.stopped, 'done');
    assert.equal(asked(web, 'a.test').filter((path) => path === '/x').length, 1);
  });

  it('says what is wrong with its seeds', async (context) => {
    const web = await serve(context, {
      'a.test': site({ '/': html('Home', 'start') }),
      'no.test': site({ '/robots.txt': { body: 'User-agent: *\nDisallow: /\n' } }),
    });
    const folder = await tempFolder(context);
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], 'CRAWL_NO_SEEDS'],
      [['ftp://a.test/'], 'CRAWL_SEED_NOT_HTTP'],
      [['http://'], 'CRAWL_SEED_INVALID'],
      [['http://nowhere.test/'], 'CRAWL_SEED_UNRESOLVED'],
      [['nowhere.test'], 'CRAWL_SEED_UNRESOLVED'],
      [[web.url('no.test')], 'CRAWL_SEED_DISALLOWED'],
      [[web.url('a.test', '/not-there')], 'CRAWL_SEED_UNREACHABLE'],
      [[web.url('a.test').replace(/\d+\/$/, '1/')], 'CRAWL_SEED_UNREACHABLE'],
    ];
    for (const [seeds, code] of cases) {
      await assert.rejects(
        crawlWeb(web, `${folder}/crawl`, { seeds }),
        { code },
        `${seeds.join()} is ${code}`,
      );
      assert.equal(existsSync(`${folder}/crawl/data.mdb`), false, `${code} leaves nothing behind`);
    }
    for (const [settings, code] of [
      [{ exclude: ['('] }, 'CRAWL_BAD_PATTERN'],
      [{ content: 'p[' }, 'CRAWL_BAD_SELECTOR'],
      [{ agent: '(none)' }, 'CRAWL_AGENT_INVALID'],
      [{ scorer: 'no-such-module' }, 'CRAWL_SCORER_INVALID'],
    ] as const) {
      const all = { seeds: [web.url('a.test')], ...settings };
      await assert.rejects(crawlWeb(web, `${folder}/crawl`, all), { code });
      assert.equal(existsSync(`${folder}/crawl/data.mdb`), false, `${code} leaves nothing behind`);
    }
    const { events, summary } = await crawlWeb(web, `${folder}/crawl`, {
      seeds: [web.url('a.test'), 'http://nowhere.test/'],
    });
    assert.equal(summary.ok, 1);
    assert.deepEqual(
      events.flatMap((event) => (event.kind === 'warning' ? [event.code] : [])),
      ['CRAWL_SEED_UNRESOLVED'],
    );
  });

  it('reads content and title by the selectors of the crawl and of single hosts', async (context) => {
    const page = html('Site - Page', 'noise</p><main><h1>Real title</h1>kept</main><p>');
    const web = await serve(context, { 'a.test': site({ '/': page }), 'b.test': site({ '/': page }) });
    const { pages } = await crawlWeb(web, await tempFolder(context), {
      seeds: [web.url('a.test'), web.url('b.test')],
      title: 'h1',
      hosts: { 'b.test': { content: 'main' } },
    });
    const bodyOf = (host: string): string | undefined =>
      pages.pages.find(({ url }) => url === web.url(host))?.fields.find(({ field }) => field === 'body')
        ?.text;
    assert.deepEqual(
      pages.pages.map(({ title }) => title),
      ['Real title', 'Real title'],
    );
    assert.match(bodyOf('a.test') ?? '', /noise/);
    assert.doesNotMatch(bodyOf('b.test') ?? '', /noise/);
    assert.match(bodyOf('b.test') ?? '', /kept/);
  });

  it('scores pages by a module of the user and hands the score to their links', async (context) => {
    const folder = await tempFolder(context);
    const module = `${folder}/scorer.mjs`;
    await writeFile(
      module,
      'export const createScorer = () => ({ score: (page) => page.title === "Good" ? 1 : 0.25 });',
    );
    const web = await serve(context, {
      'a.test': site({
        '/': html('Home', 'start', ['/good']),
        '/good': html('Good', 'very', ['/next']),
        '/next': html('Next', 'so so'),
      }),
    });
    const { records } = await crawlWeb(web, folder, { seeds: [web.url('a.test')], scorer: module });
    const scores = ['/', '/good', '/next'].map((path) => {
      const record = records.get(web.url('a.test', path));
      return [record?.parentScore, record?.score, record?.level];
    });
    assert.deepEqual(scores, [
      [0, 0.25, 0],
      [0.25, 1, 6],
      [1, 0.25, 0],
    ]);
  });

  it('tries https, then http, for a seed without a scheme', async (context) => {
    const web = await serve(context, { 'a.test': site({ '/x': html('Home', 'start') }) });
    const { pages } = await crawlWeb(web, await tempFolder(context), { seeds: [`a.test:${web.port}/x`] });
    assert.deepEqual(
      pages.pages.map(({ url }) => url),
      [web.url('a.test', '/x')],
    );
  });

  it('connects to private addresses only for hosts of its seeds, unless it may', async (context) => {
    const web = await serve(context, {
      'a.test': site({ '/': (request) => html('Home', 'start', [`http://b.test:${portOf(request)}/`]) }),
      'b.test': site({ '/': html('Inside', 'secret') }),
    });
    const settings = { seeds: [web.url('a.test')], scope: 'any' };
    const { records } = await crawlWeb(web, await tempFolder(context), settings);
    assert.equal(
      web.log.some(({ host }) => host === 'b.test'),
      false,
    );
    assert.equal(records.get(web.url('b.test'))?.status, 'failed');
    await crawlWeb(web, await tempFolder(context), { ...settings, allowPrivate: true });
    assert.deepEqual(asked(web, 'b.test'), ['/']);
  });
});

const portOf = ({ headers }: { readonly headers: { readonly host?: string | undefined } }): string =>
  headers.host?.split(':')[1] ?? '';
