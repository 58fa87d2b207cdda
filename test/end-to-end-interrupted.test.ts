import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { RunningProgram } from '../bench/program.ts';
import { readUrlRecords } from '../crawler/index.ts';
import type { CrawlSummary, IndexSummary } from '../index.ts';
import { type GeneratedWeb, seededRandom, startGeneratedWeb } from './helpers/generated-web.ts';
import {
  crawlAndIndex,
  differences,
  type ExportedRow,
  exported,
  IMPOLITE,
  objectsOf,
  quarry,
  until,
} from './helpers/quarry-program.ts';
import { tempFolder } from './helpers/temp-folder.ts';
import type { TestWeb } from './helpers/web.ts';

interface Summary {
  readonly kind: string;
  readonly crawl: CrawlSummary;
  readonly index?: IndexSummary;
}

const PAGES = 220;
/** More of them, since each kill costs what was not yet committed. */
const KILLED_PAGES = 280;
const KILLS = 4;

const words = (data: string, { seeds }: GeneratedWeb): string[] => [
  ...IMPOLITE,
  '--concurrency',
  '4',
  '--data',
  data,
  '--json',
  '--quiet',
  ...seeds,
];

/** Sends the signal when the web has been asked so many more times. */
const signalAfter =
  (web: TestWeb, requestCount: number, signal: NodeJS.Signals) =>
  ({ kill }: RunningProgram): void => {
    const goal = web.log.length + requestCount;
    until(() => web.log.length >= goal, `the web was asked ${requestCount} times`).then(
      () => kill(signal),
      () => kill('SIGKILL'),
    );
  };

/** URLs asked for since a place in the web's log, robots.txt apart. */
const askedSince = ({ log, url }: TestWeb, start: number): string[] =>
  log
    .slice(start)
    .filter(({ path }) => path !== '/robots.txt')
    .map(({ host, path }) => url(host, path));

/** Every group of pages with the same text has one page in the index, which its copies name. */
const assertHoldsAll = (
  rows: ReadonlyMap<string, ExportedRow>,
  { documents, statuses }: GeneratedWeb,
): void => {
  for (const group of documents) {
    const kept = group.filter(
      (url) => rows.get(url)?.status === 200 && rows.get(url)?.duplicateOf === undefined,
    );
    assert.equal(kept.length, 1, `kept of ${group.join(' ')}: ${kept.join(' ')}`);
    for (const url of group) {
      if (url !== kept[0]) assert.equal(rows.get(url)?.duplicateOf, kept[0], url);
    }
  }
  assert.deepEqual([...rows.keys()].sort(), Object.keys(statuses).sort());
};

/** The index has each document once, in the shards together and in the answer to a query that all match. */
const assertIndexed = async (data: string, { documents }: GeneratedWeb): Promise<void> => {
  const [status, verified] = objectsOf<{
    readonly kind?: string;
    readonly index?: { readonly documents: number };
  }>(await quarry(['status', '--verify', '--data', data, '--json']));
  assert.equal(status?.index?.documents, documents.length);
  assert.equal(verified?.kind, 'verified');
  const [answer] = objectsOf<{ readonly total: unknown }>(
    await quarry(['search', '--data', data, '--json', '-k', '100', 'forest']),
  );
  assert.deepEqual(answer?.total, { value: documents.length, relation: 'eq' });
};

/** URLs whose visit was committed. */
const acknowledgedUrls = async (data: string): Promise<string[]> => {
  const urls: string[] = [];
  for await (const { url, status } of readUrlRecords(join(data, 'crawl'))) {
    if (status !== 'unfetched') urls.push(url);
  }
  return urls;
};

const assertNotAgain = (asked: readonly string[], acknowledged: ReadonlySet<string>, when: string): void => {
  assert.deepEqual(
    asked.filter((url) => acknowledged.has(url)),
    [],
    `${when}: asked for again`,
  );
};

describe('a crawl that is interrupted', () => {
  it('finds the same after Ctrl-C and a restart as in one go', async (context) => {
    const folder = await tempFolder(context);
    const [whole, broken] = [join(folder, 'whole'), join(folder, 'broken')];
    await using generated = await startGeneratedWeb({ pageCount: PAGES, delayMs: 5 });
    const { web } = generated;
    const first = await crawlAndIndex(words(whole, generated));
    assert.equal(first.status, 0, first.stderr);
    const [{ crawl, index } = assert.fail()] = objectsOf<Summary>(first);
    assert.equal(crawl.stopped, 'done');
    assert.equal(crawl.queued, 0);
    assert.equal(crawl.asked, PAGES);
    assert.equal(index?.documents, generated.documents.length);
    assertHoldsAll(await exported(whole), generated);
    assert.equal(new Set(askedSince(web, 0)).size, askedSince(web, 0).length, 'each URL was asked for once');

    const start = web.log.length;
    const interrupted = await crawlAndIndex(words(broken, generated), {
      onStart: signalAfter(web, PAGES / 2, 'SIGINT'),
    });
    assert.equal(interrupted.status, 130, interrupted.stderr);
    const [summary] = objectsOf<Summary>(interrupted);
    assert.equal(summary?.crawl.stopped, 'interrupted');
    assert.equal(summary?.index, undefined);
    assert.ok((summary?.crawl.queued ?? 0) > 0, 'the signal came in the middle');

    const resumed = await crawlAndIndex(words(broken, generated));
    assert.equal(resumed.status, 0, resumed.stderr);
    assert.equal(objectsOf<Summary>(resumed)[0]?.crawl.asked, PAGES);
    const asked = askedSince(web, start);
    assert.equal(new Set(asked).size, asked.length, 'Ctrl-C saves all: nothing is asked for twice');
    assert.deepEqual(differences(await exported(broken), await exported(whole)), []);
    await assertIndexed(broken, generated);
  });

  it('keeps every acknowledged page through kill -9, and has none twice', async (context) => {
    const data = join(await tempFolder(context), 'data');
    await using generated = await startGeneratedWeb({ pageCount: KILLED_PAGES, delayMs: 60 });
    const { web } = generated;
    const random = seededRandom(Number(process.env['FC_SEED'] ?? 20_261_130));
    const acknowledged = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const requestCount = 45 + Math.floor(random() * 55);
      const start = web.log.length;
      const killed = await crawlAndIndex(words(data, generated), {
        onStart: signalAfter(web, requestCount, 'SIGKILL'),
      });
      const when = `kill ${kill + 1}, ${requestCount} requests after the start`;
      assert.equal(killed.status, 137, `${when}: ${killed.stderr}`);
      assertNotAgain(askedSince(web, start), acknowledged, when);
      const rows = await exported(data);
      for (const url of await acknowledgedUrls(data)) acknowledged.add(url);
      for (const url of acknowledged) {
        if (generated.statuses[url] !== 200) continue;
        assert.equal(rows.get(url)?.status, 200, `${when}: ${url} is acknowledged and not in the page log`);
      }
    }
    assert.ok(acknowledged.size > 20, `${acknowledged.size} acknowledged`);
    const indexing = await crawlAndIndex(words(data, generated), {
      onStart: ({ kill }) => {
        const begun = until(() => existsSync(join(data, 'scratch-index')), 'the index is being made');
        begun.finally(() => kill('SIGKILL')).catch(() => undefined);
      },
    });
    assert.equal(indexing.status, 137, indexing.stderr);
    for (const url of await acknowledgedUrls(data)) acknowledged.add(url);
    assert.equal(acknowledged.size, KILLED_PAGES);
    const start = web.log.length;
    const last = await crawlAndIndex(words(data, generated));
    assert.equal(last.status, 0, last.stderr);
    assertNotAgain(askedSince(web, start), acknowledged, 'at the end');
    assertHoldsAll(await exported(data), generated);
    await assertIndexed(data, generated);
  });
});
