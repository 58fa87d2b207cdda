import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { buildIndex, type CrawlEvent, crawl, openIndex, QuarryError, serve } from '../index.ts';
import { folderDigest } from './helpers/folder-digest.ts';
import { startGeneratedWeb } from './helpers/generated-web.ts';
import { tempFolder } from './helpers/temp-folder.ts';

const PAGES = 60;

/** A library prints nothing: standard output and standard error hear of it when this one does. */
const listen = (context: TestContext): string[] => {
  const heard: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    context.mock.method(stream, 'write', (text: string | Uint8Array) => {
      heard.push(text.toString());
      return true;
    });
  }
  return heard;
};

const settings = (seeds: readonly string[]) => ({
  seeds: [...seeds],
  delayMs: 0,
  politeness: 0,
  allowPrivate: true,
  concurrency: 4,
});

const refused = (code: string, exit: 1 | 2) => (error: unknown) => {
  assert.ok(error instanceof QuarryError);
  assert.equal(error.code, code);
  assert.equal(error.exit, exit);
  return true;
};

describe('the library', () => {
  it('crawls, indexes, searches and serves without printing a word', async (context) => {
    const data = join(await tempFolder(context), 'data');
    await using generated = await startGeneratedWeb({ pageCount: PAGES });
    const heard = listen(context);
    const events: CrawlEvent[] = [];
    const crawled = await crawl({
      data,
      settings: settings(generated.seeds),
      onEvent: (event) => events.push(event),
    });
    assert.equal(crawled.stopped, 'done');
    assert.equal(crawled.asked, PAGES);
    assert.ok(events.some(({ kind }) => kind === 'page'));
    const steps = new Set<string>();
    const indexed = await buildIndex({
      data,
      settings: { shards: 2 },
      onProgress: ({ step }) => steps.add(step),
    });
    assert.equal(indexed.documents, generated.documents.length);
    assert.equal(indexed.shards, 2);
    assert.ok(steps.has('documents'));
    await using index = await openIndex({ data });
    const answer = await index.search({ q: 'number7', k: 5 });
    assert.deepEqual(
      answer.hits.map(({ title }) => title),
      ['Page 7'],
    );
    const [hit] = answer.hits;
    assert.match((await index.page(hit?.url ?? ''))?.text ?? '', /number7/);
    assert.equal(await index.page('http://127.0.3.1/none'), undefined);
    await using served = await serve({ data, port: 0 });
    const response = await fetch(`${served.url}api/search?q=number7`);
    assert.deepEqual(((await response.json()) as typeof answer).hits, answer.hits);
    await served.close();
    assert.deepEqual(heard, []);
  });

  it('stops at an abort with everything saved, and goes on at the next call', async (context) => {
    const data = join(await tempFolder(context), 'data');
    await using generated = await startGeneratedWeb({ pageCount: PAGES, delayMs: 10 });
    const controller = new AbortController();
    const interrupted = await crawl({
      data,
      settings: settings(generated.seeds),
      signal: controller.signal,
      onEvent: ({ kind }) => {
        if (kind === 'page' && generated.web.log.length > PAGES / 3) controller.abort();
      },
    });
    assert.equal(interrupted.stopped, 'interrupted');
    assert.ok(interrupted.queued > 0);
    const finished = await crawl({ data, settings: settings(generated.seeds) });
    assert.equal(finished.stopped, 'done');
    assert.equal(finished.asked, PAGES);
    const before = folderDigest(data);
    await assert.rejects(buildIndex({ data, signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.deepEqual(folderDigest(data), before);
    assert.equal((await buildIndex({ data })).documents, generated.documents.length);
    await using index = await openIndex({ data });
    await assert.rejects(index.search({ q: 'tree', signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  it('throws errors with a code', async (context) => {
    const folder = await tempFolder(context);
    const data = join(folder, 'data');
    await assert.rejects(
      crawl({ data, settings: { seeds: ['ftp://a.test'] } }),
      refused('CRAWL_SEED_NOT_HTTP', 2),
    );
    await assert.rejects(crawl({ data, settings: {} }), refused('CRAWL_NO_SEEDS', 2));
    await assert.rejects(crawl({ data, settings: { colour: 1 } }), refused('CONFIG_UNKNOWN_KEY', 2));
    await assert.rejects(buildIndex({ data }), refused('INDEXER_FOLDER_MISSING', 2));
    await assert.rejects(openIndex({ data }), refused('INDEXER_FOLDER_MISSING', 2));
    await assert.rejects(serve({ data }), refused('INDEXER_FOLDER_MISSING', 2));
    await assert.rejects(
      crawl({
        data,
        settings: { seeds: ['http://a.test'] },
        resolver: { resolve: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })) },
      }),
      refused('CRAWL_SEED_UNRESOLVED', 1),
    );
    assert.deepEqual(folderDigest(folder), {});
  });
});
