import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { NO_MORE_DOCS } from '../../../shards/postings/posting-cursor.ts';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { DEFAULT_WEIGHTS } from '../../../shards/score/weights.ts';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import { writeDeletes } from '../../../shards/segment/deletes.ts';
import { type SegmentEntry, segmentFile } from '../../../shards/segment/manifest.ts';
import type { Segment } from '../../../shards/segment/segment.ts';
import { attachSegment, openSegment } from '../../../shards/segment/segment-reader.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import type { IndexDocument } from '../../../shards/values/document.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { trustUrlKey, urlKey } from '../../../shards/values/hash.ts';
import { lengthCode } from '../../../shards/values/length-code.ts';
import {
  analysedDocument,
  indexDocument,
  indexDocuments,
  inSegmentOrder,
} from '../../helpers/index-documents.ts';
import { MemorySegment } from '../../helpers/memory-segment.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const averagesOf = (values: readonly number[]): Record<FieldName, number> =>
  Object.fromEntries(FIELD_NAMES.map((name, i) => [name, values[i] ?? 0])) as Record<FieldName, number>;

const scorer = createScorer({ averageLengths: averagesOf([3, 2, 1, 9, 2, 4]) });

const writeSegment = async (
  folder: string,
  documents: readonly IndexDocument[],
  id = 1,
): Promise<SegmentEntry> => {
  const writer = await SegmentWriter.create({ folder, id, analyser: 'default', weights: DEFAULT_WEIGHTS });
  for (const document of documents) await writer.add(document);
  return writer.finish();
};

const withFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-segment-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const assertSameLists = (segment: Segment, expected: Segment): void => {
  assert.deepEqual([...segment.terms()], [...expected.terms()]);
  for (const { term, docCount } of expected.terms()) {
    assert.equal(segment.documentFrequency(term), docCount);
    const cursor = segment.cursor(term, scorer);
    const oracle = expected.cursor(term, scorer);
    assert.ok(cursor && oracle);
    for (;;) {
      assert.equal(cursor.next(), oracle.next());
      if (cursor.doc === NO_MORE_DOCS) break;
      for (const field of FIELD_NAMES) {
        assert.equal(cursor.frequency(field), oracle.frequency(field));
        assert.deepEqual(cursor.positions(field), oracle.positions(field));
      }
    }
  }
};

const FILTERS = [
  { host: 'example.org', pathPrefix: '' },
  { host: 'example.org', pathPrefix: '/docs' },
  { host: 'example.org', pathPrefix: '/docs/' },
  { host: 'www.example.org', pathPrefix: '/blog' },
  { host: 'org', pathPrefix: '' },
  { host: 'example.com', pathPrefix: '/d' },
  { host: 'ample.org', pathPrefix: '' },
  { host: '', pathPrefix: '' },
];

test('a written segment equals the obvious one, column by column and list by list', async () => {
  await fc.assert(
    fc.asyncProperty(indexDocuments, async (documents) => {
      await withFolder(async (folder) => {
        const segment = openSegment(folder, await writeSegment(folder, documents));
        try {
          const sorted = inSegmentOrder(documents);
          const expected = new MemorySegment({ documents: sorted.map(analysedDocument) });
          assert.equal(segment.docCount, documents.length);
          assert.equal(segment.liveCount, documents.length);
          assert.equal(segment.analyser, 'default');
          assertSameLists(segment, expected);
          sorted.forEach((document, doc) => {
            assert.equal(segment.key(doc), expected.key(doc));
            assert.equal(segment.find(urlKey(document.url)), doc);
            assert.equal(segment.staticScore(doc), document.staticScore);
            const { url, title, lang, type, fetchedAtMs, storedText } = document;
            assert.deepEqual(segment.stored(doc), { url, title, text: storedText, lang, type, fetchedAtMs });
          });
          assert.equal(segment.find(trustUrlKey(12345n)), -1);
          assert.deepEqual(segment.languageCounts(), expected.languageCounts());
          for (const filter of FILTERS) {
            // MemorySegment says that '' has every host below it; no document has a host ''.
            const found = filter.host === '' ? [] : expected.site(filter).toArray();
            assert.deepEqual(segment.site(filter).toArray(), found, JSON.stringify(filter));
          }
        } finally {
          segment.close();
        }
      });
    }),
    { numRuns: 20 },
  );
});

test('lengths count positions, so that a word in several forms counts once', async (context) => {
  const folder = await tempFolder(context);
  const body = (text: string) => ({ fields: [{ field: 'body' as const, text }] });
  const documents = [
    indexDocument('http://h/1', body('one two three')),
    indexDocument('http://h/2', body('検索 エンジン')),
    indexDocument('http://h/3', {
      fields: [
        { field: 'title', text: 'one' },
        { field: 'title', text: 'two three' },
      ],
    }),
  ];
  const segment = openSegment(folder, await writeSegment(folder, documents));
  context.after(() => segment.close());
  const positions = new Set(
    analysedDocument(documents[1] as IndexDocument).fields.body?.map(({ position }) => position),
  );
  assert.deepEqual([...segment.lengthCodes('body')], [3, positions.size, 0].map(lengthCode));
  assert.equal(segment.totalLength('body'), 3 + positions.size);
  assert.deepEqual([...segment.lengthCodes('title')], [0, 0, 3]);
  assert.equal(segment.totalLength('title'), 3);
  assert.equal(segment.totalLength('url'), 0);
});

test('bounds hold for every document of every block, under any averages', async () => {
  const average = fc.double({ min: 0, max: 5000, noNaN: true });
  await fc.assert(
    fc.asyncProperty(
      indexDocuments,
      fc.array(fc.array(average, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (documents, averages) => {
        await withFolder(async (folder) => {
          const segment = openSegment(folder, await writeSegment(folder, documents));
          for (const values of averages) {
            const now = createScorer({ averageLengths: averagesOf(values) });
            for (const { term } of segment.terms()) {
              const cursor = segment.cursor(term, now);
              const looker = segment.cursor(term, now);
              assert.ok(cursor && looker);
              while (cursor.next() !== NO_MORE_DOCS) {
                const impact = cursor.impact();
                assert.ok(impact <= cursor.maxImpact, `${impact} above the list's ${cursor.maxImpact}`);
                assert.ok(impact <= looker.blockMaxImpact(cursor.doc));
                assert.ok(looker.blockEnd(cursor.doc) >= cursor.doc);
              }
            }
          }
          segment.close();
        });
      },
    ),
    { numRuns: 15 },
  );
});

test('bounds are tight under the averages they were made for, and say nothing to another weight table', async (context) => {
  const folder = await tempFolder(context);
  const documents = Array.from({ length: 300 }, (_, i) =>
    indexDocument(`http://h/${String(i).padStart(3, '0')}`, {
      fields: [
        {
          field: 'body',
          text: i === 200 ? 'rock rock rock rock' : 'rock and many other words of a longer text',
        },
      ],
    }),
  );
  const segment = openSegment(folder, await writeSegment(folder, documents));
  context.after(() => segment.close());
  const averageLengths = averagesOf(FIELD_NAMES.map((field) => segment.totalLength(field) / 300));
  const own = createScorer({ averageLengths });
  const cursor = segment.cursor('rock', own);
  assert.ok(cursor);
  const largest = [0, 0, 0];
  while (cursor.next() !== NO_MORE_DOCS) {
    const block = Math.floor(cursor.doc / 128);
    largest[block] = Math.max(largest[block] ?? 0, cursor.impact());
  }
  const looker = segment.cursor('rock', own);
  [0, 128, 256].forEach((doc, block) => {
    const slack = (looker?.blockMaxImpact(doc) ?? 0) - (largest[block] ?? 0);
    assert.ok(slack >= 0 && slack < 257 + 3, `slack ${slack}`);
  });
  assert.ok((largest[1] ?? 0) > (largest[0] ?? 0));
  const other = segment.cursor('rock', {
    ...own,
    table: 'another',
    widening: () => 1,
    impact: () => 1,
    bodyImpact: () => 1,
  });
  assert.equal(other?.maxImpact, 65535);
  assert.equal(other?.blockMaxImpact(0), 65535);
});

test('without its bounds a segment answers the same, and prunes nothing', async (context) => {
  const folder = await tempFolder(context);
  const documents = Array.from({ length: 200 }, (_, i) =>
    indexDocument(`http://h/${i}`, { fields: [{ field: 'body', text: 'granite '.repeat(1 + (i % 5)) }] }),
  );
  const { bounds, ...entry } = await writeSegment(folder, documents);
  assert.ok(bounds);
  await rm(segmentFile(folder, entry.id, 'bounds'));
  const segment = openSegment(folder, entry);
  context.after(() => segment.close());
  assert.equal(segment.bytes, entry.index.bytes + entry.positions.bytes + entry.pages.bytes);
  const cursor = segment.cursor('granit', scorer);
  assert.ok(cursor);
  assert.deepEqual([cursor.maxImpact, cursor.blockMaxImpact(0), cursor.docCount], [65535, 65535, 200]);
  assert.throws(() => openSegment(folder, { ...entry, bounds }), { code: 'ENOENT' });
});

test('deletes take documents out of counts, languages and lengths, and leave the lists alone', async (context) => {
  const folder = await tempFolder(context);
  const documents = Array.from({ length: 20 }, (_, i) =>
    indexDocument(`http://h/${i + 10}`, {
      lang: i % 2 === 0 ? 'en' : 'de',
      fields: [{ field: 'body', text: 'word '.repeat(i + 1) }],
    }),
  );
  const entry = await writeSegment(folder, documents);
  const first = await writeDeletes(folder, entry, 1, new RoaringBitmap32([0]));
  const second = await writeDeletes(folder, first, 2, new RoaringBitmap32([0, 1, 19]));
  await assert.rejects(writeDeletes(folder, second, 2, new RoaringBitmap32([5])), RangeError);
  const before = openSegment(folder, first);
  const segment = openSegment(folder, second);
  context.after(() => [before, segment].forEach((open) => open.close()));
  assert.equal(before.liveCount, 19);
  assert.equal(segment.liveCount, 17);
  assert.deepEqual(segment.deletes?.toArray(), [0, 1, 19]);
  assert.equal(segment.documentFrequency('word'), 20);
  assert.deepEqual(
    segment.languageCounts(),
    new Map([
      ['en', 9],
      ['de', 8],
    ]),
  );
  assert.equal(segment.totalLength('body'), 210 - 1 - 2 - 20);
});

test('the same URL twice is refused', async (context) => {
  const folder = await tempFolder(context);
  const documents = [indexDocument('http://h/a'), indexDocument('http://h/b'), indexDocument('http://h/a')];
  await assert.rejects(writeSegment(folder, documents), {
    code: 'SHARDS_DUPLICATE_URL',
    message: /http:\/\/h\/a/,
  });
});

test('a thread attaches the same memory', async (context) => {
  const folder = await tempFolder(context);
  const documents = [
    indexDocument('http://h/a', { fields: [{ field: 'body', text: 'granite' }], storedText: 'Granite.' }),
  ];
  const segment = openSegment(folder, await writeSegment(folder, documents));
  context.after(() => segment.close());
  const again = attachSegment(segment.share());
  assert.equal(again.documentFrequency('granit'), 1);
  again.close();
  const module = new URL('../../../shards/segment/segment-reader.js', import.meta.url).href;
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.module).then(({ attachSegment }) => {
      const segment = attachSegment(workerData.shared);
      parentPort.postMessage({ count: segment.documentFrequency('granit'), text: segment.stored(0).text });
      segment.close();
    });`;
  const worker = new Worker(source, { eval: true, workerData: { module, shared: segment.share() } });
  const answer = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  await worker.terminate();
  assert.deepEqual(answer, { count: 1, text: 'Granite.' });
});

test('attaching needs no file: deletes come along, pages are opened when one is asked for', async (context) => {
  const folder = await tempFolder(context);
  const entry = await writeSegment(folder, [indexDocument('http://h/a'), indexDocument('http://h/b')]);
  const segment = openSegment(folder, await writeDeletes(folder, entry, 2, new RoaringBitmap32([1])));
  context.after(() => segment.close());
  await rm(folder, { recursive: true });
  const again = attachSegment(segment.share());
  context.after(() => again.close());
  assert.deepEqual([again.liveCount, again.deletes?.toArray()], [1, [1]]);
  assert.throws(() => again.stored(0), { code: 'ENOENT' });
});

test('documents with nothing, with very long words and with lone surrogates are kept', async (context) => {
  const folder = await tempFolder(context);
  const long = 'ab'.repeat(50_000);
  const documents = [
    indexDocument('http://h/a'),
    indexDocument('http://h/b', {
      fields: [{ field: 'body', text: `${long} \ud800x y\udc00` }],
      storedText: `\ud800 ${long}`,
      title: '\udfff',
    }),
  ];
  const segment = openSegment(folder, await writeSegment(folder, documents));
  context.after(() => segment.close());
  assert.equal(segment.docCount, 2);
  assert.equal(segment.stored(1).text, `\ufffd ${long}`);
  const names = [...segment.terms()].map(({ term }) => term);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.equal(segment.documentFrequency(name), 1);
});
