import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { RunningProgram } from '../bench/program.ts';
import { type DemoWeb, startDemoWeb } from '../cli/demo/index.ts';
import { type Answer, type CrawlSummary, type IndexSummary, openIndex } from '../index.ts';
import { browserSkip, launchBrowser } from './helpers/browser.ts';
import { type NameServer, startNameServer } from './helpers/name-server.ts';
import { crawlAndIndex, exported, IMPOLITE, objectsOf, quarry, until } from './helpers/quarry-program.ts';
import { makeTempFolder, removeTempFolder, tempFolder } from './helpers/temp-folder.ts';

const QUERIES = [
  'license',
  'mit license',
  '"permission is hereby granted"',
  'changelog',
  'parse html',
  'stream -node',
  'typescript compiler options',
  'site:npm.localhost packages',
  'async iterator',
  'the',
  'zyzzyvaxqj',
];

interface Serving {
  readonly kind: 'serving';
  readonly url: string;
}

/** Runs `quarry serve` as long as `use` takes. */
const whileServing = async (data: string, use: (url: string) => Promise<void>): Promise<void> => {
  let running: RunningProgram | undefined;
  const served = quarry(['serve', '--data', data, '--port', '0', '--json', '--quiet'], {
    onStart: (program) => {
      running = program;
    },
  });
  await until(() => running?.output().endsWith('\n') === true, 'the server listens');
  const url = (JSON.parse(running?.output() ?? '') as Serving).url;
  try {
    await use(url);
  } finally {
    running?.kill('SIGINT');
  }
  const result = await served;
  assert.equal(result.status, 0, result.stderr);
  assert.equal(result.stderr, '');
  assert.deepEqual(objectsOf(result), [{ kind: 'serving', url }]);
};

describe('the whole path over the web of the installed packages', () => {
  let web: DemoWeb;
  let names: NameServer;
  let data: string;
  let summary: { readonly crawl: CrawlSummary; readonly index: IndexSummary };

  let folder: string;
  before(async () => {
    folder = await makeTempFolder();
    web = await startDemoWeb();
    names = await startNameServer(
      Object.fromEntries(web.seeds.map((seed) => [new URL(seed).hostname, { v4: ['127.0.0.1'], ttlS: 60 }])),
    );
    data = join(folder, 'data');
    const words = [...IMPOLITE, '--dns', names.address, '--data', data, '--json', ...web.seeds];
    const made = await crawlAndIndex(words);
    assert.equal(made.status, 0, made.stderr);
    const rows = objectsOf<{ readonly kind: string } & typeof summary>(made);
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['summary'],
    );
    summary = rows[0] ?? assert.fail();
  });
  after(async () => {
    await web.close();
    await names[Symbol.asyncDispose]();
    await removeTempFolder(folder);
  });

  it('fetches every page of the web, and its index has each text once', async () => {
    const { crawl, index } = summary;
    assert.equal(crawl.stopped, 'done');
    assert.equal(crawl.queued, 0);
    assert.equal(crawl.ok, web.pageCount);
    assert.equal(crawl.byStatus['200'], web.pageCount);
    const rows = [...(await exported(data)).values()];
    const good = rows.filter(({ status }) => status === 200);
    const copies = good.filter(({ duplicateOf }) => duplicateOf !== undefined);
    assert.equal(good.length, web.pageCount);
    assert.equal(copies.length, index.duplicates);
    assert.equal(index.documents, good.length - copies.length);
    for (const { duplicateOf } of copies) assert.ok(good.some(({ url }) => url === duplicateOf));
  });

  it('answers a search with the page that it is about, in JSON and in words', async () => {
    const [answer] = objectsOf<Answer>(
      await quarry(['search', '--data', data, '--json', '--quiet', 'undici', 'dispatcher']),
    );
    assert.equal(answer?.query, 'undici dispatcher');
    assert.equal(answer.partial, false);
    assert.equal(answer.shards.ok, 4);
    assert.equal(answer.total.relation, 'eq');
    const [hit] = answer.hits;
    assert.match(hit?.url ?? '', /^http:\/\/undici\.localhost:\d+\/undici\/.*dispatcher/i);
    assert.ok(hit?.snippet.some((piece) => piece.hit && /dispatcher/i.test(piece.text)));
    const scores = answer.hits.map(({ score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
    const words = await quarry(['search', '--data', data, 'undici', 'dispatcher']);
    assert.equal(words.status, 0);
    assert.ok(words.stdout.includes(hit?.url ?? 'no hit'));
  });

  it('serves the same hits over HTTP, and a page that shows them', async () => {
    const [expected] = objectsOf<Answer>(await quarry(['search', '--data', data, '--json', 'mit license']));
    await whileServing(data, async (url) => {
      const response = await fetch(`${url}api/search?q=mit+license`);
      assert.equal(response.status, 200);
      const answer = (await response.json()) as Answer;
      assert.deepEqual(answer.hits, expected?.hits);
      assert.deepEqual(answer.total, expected?.total);
      const page = await fetch(`${url}search?q=mit+license`, { headers: { accept: 'text/html' } });
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
      const text = await page.text();
      for (const { url: found } of answer.hits) assert.ok(text.includes(`href="${found}"`), found);
      assert.equal((await fetch(`${url}healthz`)).status, 200);
      const bad = await fetch(`${url}api/search?q=a&k=many`);
      assert.equal(bad.status, 400);
      assert.match(bad.headers.get('content-type') ?? '', /^application\/problem\+json/);
    });
  });

  it('can be searched in a browser with the keyboard, up to the page that was found', {
    skip: browserSkip(),
  }, async () => {
    await whileServing(data, async (url) => {
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(url);
        await page.keyboard.type('undici dispatcher');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/search?q=undici+dispatcher*');
        const title = await page.locator('.hit .title').first().textContent();
        await page.keyboard.press('/');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL(/^http:\/\/undici\.localhost:/);
        assert.equal(await page.title(), title);
        await page.goBack();
        await page.waitForURL('**/search?q=undici+dispatcher*');
        assert.equal(await page.locator('#q').inputValue(), 'undici dispatcher');
      } finally {
        await browser.close();
      }
    });
  });

  it('has the same hits with the same scores in one shard and in eight', async (context) => {
    const place = await tempFolder(context);
    const answersOf = async (shards: number): Promise<readonly unknown[]> => {
      const copy = join(place, `shards-${shards}`);
      cpSync(data, copy, { recursive: true });
      const made = await quarry(['index', '--shards', String(shards), '--quiet', '--json', '--data', copy]);
      assert.equal(made.status, 0, made.stderr);
      assert.equal(objectsOf<{ readonly moved: { readonly shards: number } }>(made)[0]?.moved.shards, shards);
      // Answers must be whole, however busy the machine is.
      await using index = await openIndex({ data: copy, settings: { timeoutMs: 60_000 } });
      const answers: unknown[] = [];
      for (const q of QUERIES) {
        const { hits, total } = await index.search({ q, k: 100 });
        answers.push({ q, total, hits: hits.map(({ url, score }) => ({ url, score })) });
      }
      return answers;
    };
    const one = await answersOf(1);
    assert.deepEqual(await answersOf(8), one);
    const found = one as readonly { readonly hits: readonly { readonly score: number }[] }[];
    const tieCount = found.flatMap(({ hits }) =>
      hits.filter((hit, i) => i > 0 && hit.score === hits[i - 1]?.score),
    );
    assert.ok(tieCount.length > 0, 'some hits have equal scores');
    assert.ok(found.filter(({ hits }) => hits.length > 0).length >= 9);
    assert.equal(found.at(-1)?.hits.length, 0);
  });
});
