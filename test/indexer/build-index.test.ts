import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import {
  buildIndex,
  type DataFolder,
  ensureDataFolder,
  type IndexProgress,
  type LogRecord,
  openPageLogWriter,
  readAliases,
  removePages,
} from '../../indexer/index.ts';
import {
  createScorer,
  currentGeneration,
  DEFAULT_WEIGHTS,
  FIELD_NAMES,
  type FieldName,
  LUCENE_COMPAT_WEIGHTS,
  MAX_IMPACT,
  openGeneration,
  trustNormalUrl,
  urlKey,
  type WeightTable,
} from '../../shards/index.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { goneOf, pageOf, redirectOf } from './archive/page-records.ts';

const folderWith = async (context: TestContext, records: readonly LogRecord[]): Promise<DataFolder> => {
  const folder = await ensureDataFolder(await tempFolder(context));
  await append(folder, records);
  return folder;
};

const append = async (folder: DataFolder, records: readonly LogRecord[]): Promise<void> => {
  await using writer = await openPageLogWriter(folder.pages);
  for (const record of records) await writer.append(record);
};

/** URL, title, text and static score of every live document, by shard. */
const contents = async (folder: DataFolder): Promise<unknown[][]> => {
  const generation = await openGeneration(folder.shards);
  try {
    return generation.shards.map((segments) =>
      segments
        .toSorted((a, b) => (a.tier < b.tier ? -1 : Number(a.tier > b.tier)))
        .flatMap((segment) =>
          Array.from({ length: segment.docCount }, (_, doc) => doc)
            .filter((doc) => segment.deletes?.has(doc) !== true)
            .map((doc) => {
              const { url, title, text } = segment.stored(doc);
              assert.equal(segment.find(urlKey(url)), doc);
              return [url, title, text, segment.staticScore(doc), segment.tier];
            }),
        ),
    );
  } finally {
    generation.close();
  }
};

const site = (host: string, pages: number): LogRecord[] =>
  Array.from({ length: pages }, (_, page) =>
    pageOf(`http://${host}/${page}`, `page ${page} of ${host}`, {
      links: [0, 1, page + 1].map((to) => ({
        url: trustNormalUrl(`http://${host}/${to}`),
        anchor: `to ${to}`,
        rel: '',
      })),
    }),
  );

test('documents land in the shards of their URLs, aliases and epoch beside them', async (context) => {
  const records = [
    ...site('a.test', 30),
    ...site('b.test', 30),
    pageOf('http://a.test/copy-of-0', 'page 0 of a.test', { title: 'Title of http://a.test/0' }),
    redirectOf('http://a.test/home', 'http://a.test/0'),
  ];
  const folder = await folderWith(context, records);
  const steps = new Set<string>();
  const onProgress = ({ step, done, total }: IndexProgress): void => {
    steps.add(step);
    assert.ok(total === 0 || done <= total);
  };
  const summary = await buildIndex({ folder, config: { shards: 3 }, onProgress });
  const { durationMs, bytes, ...counts } = summary;
  assert.deepEqual(counts, {
    documents: 60,
    updated: 60,
    removed: 0,
    isRebuilt: true,
    duplicates: 1,
    redirects: 1,
    shards: 3,
    generation: 1,
    epoch: 1,
  });
  assert.ok(durationMs > 0 && bytes > 1000);
  assert.deepEqual([...steps], ['latest records', 'duplicates', 'links', 'documents', 'shards']);
  const shards = await contents(folder);
  assert.equal(shards.length, 3);
  assert.equal(shards.flat().length, 60);
  assert.deepEqual(Object.fromEntries(await readAliases(folder)), {
    'http://a.test/copy-of-0': 'http://a.test/0',
    'http://a.test/home': 'http://a.test/0',
  });
  assert.deepEqual(
    (await readdir(folder.root)).sort(),
    ['config.json', 'crawl', 'graph', 'pages', 'shards', 'stats'],
    'no scratch folder stays',
  );
});

test('the same records in another order give the same shards', async (context) => {
  const records = [
    ...site('a.test', 12),
    ...site('b.test', 9),
    redirectOf('http://b.test/x', 'http://a.test/1'),
  ];
  const expected = await folderWith(context, records);
  await buildIndex({ folder: expected, config: { shards: 2 } });
  const wanted = await contents(expected);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(records, { minLength: records.length }), async (shuffled) => {
      const folder = await folderWith(context, shuffled);
      await buildIndex({ folder, config: { shards: 2, memoryBytes: 65_536 } });
      assert.deepEqual(await contents(folder), wanted);
    }),
    { numRuns: 4 },
  );
});

test('a rebuild replaces, and a page that is gone leaves the index', async (context) => {
  const folder = await folderWith(context, site('a.test', 5));
  await buildIndex({ folder });
  await append(folder, [goneOf('http://a.test/3'), pageOf('http://a.test/4', 'new text')]);
  const { generation, documents } = await buildIndex({ folder });
  assert.deepEqual({ generation, documents }, { generation: 2, documents: 4 });
  const texts = (await contents(folder)).flat() as [string, string, string, number][];
  assert.deepEqual(texts.find(([url]) => url === 'http://a.test/4')?.[2], 'new text');
  assert.ok(!texts.some(([url]) => url === 'http://a.test/3'));
});

test('another number of shards moves slots and goes on from there; with other settings all is made anew', async (context) => {
  const folder = await folderWith(context, site('a.test', 60));
  await buildIndex({ folder, config: { shards: 2 } });
  await append(folder, [pageOf('http://a.test/new', 'new text'), goneOf('http://a.test/3')]);
  const moved = await buildIndex({ folder, config: { shards: 5 } });
  const { isRebuilt, updated, removed, documents, shards, generation } = moved;
  assert.deepEqual({ isRebuilt, updated, removed }, { isRebuilt: false, updated: 1, removed: 1 });
  assert.deepEqual({ documents, shards, generation }, { documents: 60, shards: 5, generation: 2 });
  const found = await contents(folder);
  const fresh = await folderWith(context, [
    ...site('a.test', 60),
    pageOf('http://a.test/new', 'new text'),
    goneOf('http://a.test/3'),
  ]);
  await buildIndex({ folder: fresh, config: { shards: 5 } });
  const textsOf = (rows: Awaited<ReturnType<typeof contents>>) =>
    rows.map((shard) =>
      (shard as [string, string, string][]).map(([url, title, text]) => [url, title, text].join()).sort(),
    );
  assert.deepEqual(textsOf(found), textsOf(await contents(fresh)));
  const other = await buildIndex({ folder, config: { shards: 3, analyzer: 'lucene-english' } });
  assert.deepEqual([other.isRebuilt, other.shards], [true, 3]);
});

test('nothing to index is an error, and the old generation stays', async (context) => {
  const folder = await folderWith(context, [goneOf('http://a.test/')]);
  await assert.rejects(buildIndex({ folder }), { code: 'INDEXER_NOTHING_TO_INDEX', exit: 1 });
  assert.equal(await currentGeneration(folder.shards), undefined);
  assert.equal((await readAliases(folder)).size, 0);
  await append(folder, [pageOf('http://a.test/')]);
  await buildIndex({ folder });
  await append(folder, [goneOf('http://a.test/')]);
  await assert.rejects(buildIndex({ folder, rebuild: true }), { code: 'INDEXER_NOTHING_TO_INDEX' });
  assert.equal((await currentGeneration(folder.shards))?.generation, 1);
  assert.equal((await contents(folder)).flat().length, 1);
});

test('an abort or a damaged log leaves the old generation and no other files', async (context) => {
  const folder = await folderWith(context, site('a.test', 200));
  await buildIndex({ folder });
  const before = (await readdir(folder.shards)).sort();
  const abort = new AbortController();
  const onProgress = ({ step, done }: IndexProgress): void => {
    if (step === 'documents' && done > 0) abort.abort();
  };
  const aborted = buildIndex({ folder, rebuild: true, onProgress, signal: abort.signal });
  await assert.rejects(aborted, { name: 'AbortError' });
  assert.deepEqual((await readdir(folder.shards)).sort(), before);
  await writeFile(join(folder.pages, '000001.pages'), 'torn');
  await assert.rejects(buildIndex({ folder }), /nothing in the page log|damaged/);
  assert.deepEqual((await readdir(folder.shards)).sort(), before);
  assert.equal((await contents(folder)).flat().length, 200);
  assert.ok(!(await readdir(folder.root)).some((name) => name.startsWith('scratch')));
});

test('settings that are not known or out of range are refused before anything is read', async (context) => {
  const folder = await ensureDataFolder(await tempFolder(context));
  await assert.rejects(buildIndex({ folder, config: { shards: 0 } }), { code: 'CONFIG_BAD_VALUE', exit: 2 });
  await assert.rejects(buildIndex({ folder, config: { sharts: 2 } }), { code: 'CONFIG_UNKNOWN_KEY' });
});

test('an index for a peer with one field prunes by the peer’s scores', async (context) => {
  // Lists of a block and more have stored bounds.
  const folder = await folderWith(context, site('h', 200));
  await buildIndex({ folder, config: { shards: 1, analyzer: 'lucene-english' } });
  const generation = await openGeneration(folder.shards);
  context.after(() => generation.close());
  const segment = generation.shards[0]?.find(({ docCount }) => docCount > 128);
  assert.ok(segment);
  const maxImpact = (weights: WeightTable): number | undefined => {
    const averageLengths = Object.fromEntries(
      FIELD_NAMES.map((field) => [field, segment.totalLength(field) / segment.docCount]),
    ) as Record<FieldName, number>;
    return segment.cursor('page', createScorer({ averageLengths, weights }))?.maxImpact;
  };
  assert.equal(segment.totalLength('title'), 0);
  assert.equal(maxImpact(DEFAULT_WEIGHTS), MAX_IMPACT);
  assert.ok((maxImpact(LUCENE_COMPAT_WEIGHTS) ?? MAX_IMPACT) < MAX_IMPACT);
});

/** URL, title, text and static score of the live documents, in the order of their URLs. */
const liveDocuments = async (folder: DataFolder): Promise<unknown[]> => {
  const generation = await openGeneration(folder.shards);
  try {
    return generation.shards
      .flat()
      .flatMap((segment) =>
        Array.from({ length: segment.docCount }, (_, doc) => doc)
          .filter((doc) => segment.deletes?.has(doc) !== true)
          .map((doc) => {
            const { url, title, text } = segment.stored(doc);
            return { url: String(url), title, text };
          }),
      )
      .sort((a, b) => (a.url < b.url ? -1 : 1));
  } finally {
    generation.close();
  }
};

test('what is new in the log changes only its documents, in a commit of the same generation', async (context) => {
  const folder = await folderWith(context, [...site('a.test', 40), ...site('b.test', 40)]);
  assert.equal((await buildIndex({ folder, config: { shards: 2 } })).isRebuilt, true);
  await append(folder, [
    pageOf('http://a.test/3', 'page 3 anew'),
    pageOf('http://c.test/', 'a page of its own'),
    goneOf('http://b.test/5'),
    // A copy of a page that stays in the index, and a page whose text was another one's until now.
    pageOf('http://b.test/copy', 'page 7 of a.test', { title: 'Title of http://a.test/7' }),
    redirectOf('http://b.test/9', 'http://c.test/'),
  ]);
  const { documents, updated, removed, isRebuilt, generation, duplicates, redirects } = await buildIndex({
    folder,
    config: { shards: 2 },
  });
  assert.deepEqual(
    { documents, updated, removed, isRebuilt, generation, duplicates, redirects },
    { documents: 79, updated: 2, removed: 2, isRebuilt: false, generation: 1, duplicates: 1, redirects: 1 },
  );
  const kept = await liveDocuments(folder);
  assert.equal(kept.length, 79);
  const again = await buildIndex({ folder, config: { shards: 2 } });
  assert.deepEqual([again.updated, again.removed, again.isRebuilt], [0, 0, false]);
  const rebuilt = await buildIndex({ folder, config: { shards: 2 }, rebuild: true });
  assert.deepEqual([rebuilt.isRebuilt, rebuilt.generation, rebuilt.documents], [true, 2, 79]);
  assert.deepEqual(await liveDocuments(folder), kept);
});

test('a duplicate takes the place of its twin when that is gone, and gives it back', async (context) => {
  const twin = (url: string): LogRecord => pageOf(url, 'one text for two', { title: 'Two' });
  const folder = await folderWith(context, [
    ...site('z.test', 60),
    twin('http://a.test/1'),
    twin('http://b.test/1'),
  ]);
  const first = await buildIndex({ folder, config: { shards: 1 } });
  assert.deepEqual([first.documents, first.duplicates], [61, 1]);
  const kept = (await readAliases(folder)).values().next().value as string;
  await append(folder, [goneOf(kept)]);
  const second = await buildIndex({ folder, config: { shards: 1 } });
  assert.deepEqual(
    [second.documents, second.duplicates, second.updated, second.removed, second.isRebuilt],
    [61, 0, 1, 1, false],
  );
  await append(folder, [twin(kept)]);
  const third = await buildIndex({ folder, config: { shards: 1 } });
  assert.deepEqual([third.documents, third.duplicates, third.isRebuilt], [61, 1, false]);
});

test('many changes, other settings or a damaged memory make everything anew', async (context) => {
  const folder = await folderWith(context, site('a.test', 20));
  await buildIndex({ folder, config: { shards: 1 } });
  await append(folder, site('b.test', 5));
  assert.equal((await buildIndex({ folder, config: { shards: 1 } })).isRebuilt, true, '5 of 20');
  assert.equal((await buildIndex({ folder, config: { shards: 1 } })).isRebuilt, false);
  const other = { shards: 1, anchorsPerTarget: 7 };
  assert.equal((await buildIndex({ folder, config: other })).isRebuilt, true, 'settings');
  const generation = (await currentGeneration(folder.shards))?.generation ?? 0;
  const place = join(folder.shards, String(generation).padStart(6, '0'));
  const memory = (await readdir(place)).find((name) => name.startsWith('index-state')) ?? assert.fail();
  await writeFile(join(place, memory), 'nonsense');
  assert.equal((await buildIndex({ folder, config: other })).isRebuilt, true, 'damage');
});

test('removed pages leave with their other names and stay away until they are fetched again', async (context) => {
  const folder = await folderWith(context, [
    ...site('a.test', 30),
    ...site('b.test', 3),
    redirectOf('http://a.test/old', 'http://a.test/4'),
  ]);
  await buildIndex({ folder, config: { shards: 2 } });
  const removed = await removePages({
    folder,
    urls: [trustNormalUrl('http://a.test/old'), trustNormalUrl('http://nowhere.test/')],
    sites: [{ host: 'b.test', pathPrefix: '/1' }],
  });
  assert.deepEqual(removed, {
    documents: ['http://a.test/4', 'http://b.test/1'],
    aliases: ['http://a.test/old'],
    unknown: ['http://nowhere.test/'],
  });
  const summary = await buildIndex({ folder, config: { shards: 2 } });
  assert.deepEqual([summary.documents, summary.removed, summary.redirects], [31, 2, 0]);
  assert.equal((await buildIndex({ folder, config: { shards: 2 }, rebuild: true })).documents, 31);
  const nothing = { folder, urls: [trustNormalUrl('http://a.test/4')], sites: [] };
  await assert.rejects(removePages(nothing), { code: 'INDEXER_NOTHING_TO_REMOVE' });
  await append(folder, [pageOf('http://a.test/4', 'page 4 is back')]);
  assert.equal((await buildIndex({ folder, config: { shards: 2 } })).documents, 32);
  const all = { folder, urls: [], sites: ['a.test', 'b.test'].map((host) => ({ host, pathPrefix: '' })) };
  assert.equal((await removePages(all)).documents.length, 32);
  const emptied = await buildIndex({ folder, config: { shards: 2 } });
  assert.deepEqual([emptied.documents, emptied.removed], [0, 32]);
  assert.deepEqual(await liveDocuments(folder), []);
});
