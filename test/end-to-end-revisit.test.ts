import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { RunningProgram } from '../bench/program.ts';
import type { Answer, CrawlSummary, IndexSummary } from '../index.ts';
import { crawlAndIndex, exported, IMPOLITE, objectsOf, quarry, until } from './helpers/quarry-program.ts';
import { tempFolder } from './helpers/temp-folder.ts';
import { html, notFound, startWeb, type TestWeb, type WebAnswer } from './helpers/web.ts';

const HOST = '127.0.3.1';
const OTHERS = Array.from({ length: 20 }, (_, index) => `/page/${index}`);

/** Pages with validators that can be changed and removed while the web runs. */
class ChangingWeb {
  readonly texts = new Map<string, string>();
  delayMs = 0;
  web: TestWeb | undefined;

  async start(): Promise<TestWeb> {
    this.texts.set('/', 'start of everything');
    for (const path of OTHERS) this.texts.set(path, `ordinary words of ${path.replace('/page/', 'number')}`);
    this.web = await startWeb({
      [HOST]: {
        address: HOST,
        answer: (path, { headers }) => ({
          ...this.#answer(path, headers['if-none-match']),
          delayMs: this.delayMs,
        }),
      },
    });
    return this.web;
  }

  #answer(path: string, noneMatch: string | undefined): WebAnswer {
    const text = this.texts.get(path);
    if (text === undefined) return notFound;
    const etag = `"${text.length}-${text.slice(0, 8).replace(/\W/g, '')}"`;
    if (noneMatch === etag) return { status: 304, headers: { etag } };
    const page = html(path, text, path === '/' ? OTHERS : ['/']);
    return { ...page, headers: { ...page.headers, etag } };
  }
}

const urlsOf = async (data: string, query: string): Promise<string[]> => {
  const [answer] = objectsOf<Answer>(await quarry(['search', '--data', data, '--json', '-k', '50', query]));
  return answer?.hits.map(({ url }) => new URL(url).pathname).sort() ?? assert.fail();
};

const crawlOf = (result: Parameters<typeof objectsOf>[0]): CrawlSummary =>
  objectsOf<{ readonly crawl: CrawlSummary }>(result).at(-1)?.crawl ?? assert.fail();

describe('a finished crawl that is run again', () => {
  it('asks by conditional requests, finds what changed, forgets what vanished', async (context) => {
    const data = join(await tempFolder(context), 'data');
    const changing = new ChangingWeb();
    await using web = await changing.start();
    const words = [...IMPOLITE, '--quiet', '--json', '--data', data, web.url(HOST)];
    const first = await crawlAndIndex(words);
    assert.equal(first.status, 0, first.stderr);
    assert.equal(crawlOf(first).ok, OTHERS.length + 1);
    assert.deepEqual(await urlsOf(data, 'number7'), ['/page/7']);

    const idleStart = web.log.length;
    const idle = await crawlAndIndex(words);
    assert.equal(idle.status, 0, idle.stderr);
    assert.equal(crawlOf(idle).asked, 0, 'nothing is due yet');
    assert.deepEqual(
      web.log.slice(idleStart).filter(({ path }) => path !== '/robots.txt'),
      [],
    );

    const spread = await crawlAndIndex([...words, '--shards', '2']);
    const [{ index } = assert.fail()] = objectsOf<{ readonly index: IndexSummary }>(spread);
    assert.deepEqual([index.shards, index.isRebuilt, index.updated], [2, false, 0]);
    assert.deepEqual(await urlsOf(data, 'number7'), ['/page/7']);

    changing.texts.set('/page/7', 'a marvellous rhinoceros instead');
    changing.texts.delete('/page/8');
    const start = web.log.length;
    const again = await crawlAndIndex([...words, '--fresh']);
    assert.equal(again.status, 0, again.stderr);
    const visits = web.log.slice(start).filter(({ path }) => path !== '/robots.txt');
    assert.equal(visits.length, OTHERS.length + 1);
    const byStatus = (status: number): string[] =>
      visits.filter((visit) => visit.status === status).map(({ path }) => path);
    assert.deepEqual(byStatus(200), ['/page/7']);
    assert.deepEqual(byStatus(404), ['/page/8']);
    assert.equal(byStatus(304).length, OTHERS.length - 1);
    assert.ok(visits.every(({ headers }) => headers['if-none-match'] !== undefined));
    assert.deepEqual(await urlsOf(data, 'rhinoceros'), ['/page/7']);
    assert.deepEqual(await urlsOf(data, 'number7'), []);
    assert.deepEqual(await urlsOf(data, 'number8'), []);
    assert.deepEqual(await urlsOf(data, 'number9'), ['/page/9']);
    const rows = await exported(data);
    assert.equal(rows.get(web.url(HOST, '/page/8'))?.status, 404);
    assert.equal(rows.get(web.url(HOST, '/page/9'))?.status, 200);
  });

  it('with --serve answers while it crawls, and from the new index when it has', async (context) => {
    const data = join(await tempFolder(context), 'data');
    const changing = new ChangingWeb();
    await using web = await changing.start();
    const words = [...IMPOLITE, '--concurrency', '1', '--json', '--data', data, web.url(HOST)];
    const first = await crawlAndIndex([...words, '--quiet']);
    assert.equal(first.status, 0, first.stderr);

    changing.texts.set('/page/7', 'a marvellous rhinoceros instead');
    changing.delayMs = 150;
    const visitsBefore = web.log.length;
    let running: RunningProgram | undefined;
    const ended = crawlAndIndex([...words, '--fresh', '--serve', '0'], {
      onStart: (program) => {
        running = program;
      },
    });
    const output = (): string => running?.output() ?? '';
    await until(() => /search at http:\S+\//.test(output()), 'the page is open');
    const [, url = ''] = /search at (http:\S+\/)/.exec(output()) ?? [];
    const search = async (query: string): Promise<string[]> => {
      const response = await fetch(`${url}api/search?q=${query}`);
      assert.equal(response.status, 200);
      const { hits } = (await response.json()) as Answer;
      return hits.map((hit) => new URL(hit.url).pathname);
    };
    assert.deepEqual(await search('number7'), ['/page/7']);
    assert.ok(web.log.length < visitsBefore + OTHERS.length, 'the crawl is not at its end');
    assert.doesNotMatch(output(), /"kind":"summary"/);
    await until(() => output().includes('"kind":"serving"'), 'the crawl has ended');
    // The page looks for a new index now and then.
    await until(async () => (await search('rhinoceros')).length > 0, 'the page answers from the new index');
    assert.deepEqual(await search('rhinoceros'), ['/page/7']);
    assert.deepEqual(await search('number7'), []);
    running?.kill('SIGINT');
    const result = await ended;
    assert.equal(result.status, 0, result.stderr);
    assert.deepEqual(
      objectsOf<{ readonly kind: string }>(result).map(({ kind }) => kind),
      ['summary', 'serving'],
    );
  });
});
