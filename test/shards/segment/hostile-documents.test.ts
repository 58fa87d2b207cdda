import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { DEFAULT_WEIGHTS } from '../../../shards/score/weights.ts';
import { type SegmentEntry, segmentFile } from '../../../shards/segment/manifest.ts';
import { mergeSegments } from '../../../shards/segment/merge-segments.ts';
import { refuseTooLarge } from '../../../shards/segment/segment-files.ts';
import { type OpenSegment, openSegment } from '../../../shards/segment/segment-reader.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import { verifySegment } from '../../../shards/segment/verify-segment.ts';
import type { IndexDocument } from '../../../shards/values/document.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { indexDocument } from '../../helpers/index-documents.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const weights = DEFAULT_WEIGHTS;
const averageLengths = Object.fromEntries(FIELD_NAMES.map((name) => [name, 3])) as Record<FieldName, number>;
const scorer = createScorer({ averageLengths });
const fullDisk = { skip: !existsSync('/dev/full') && 'needs /dev/full' };

const begin = (folder: string, id = 1): Promise<SegmentWriter> =>
  SegmentWriter.create({ folder, id, analyser: 'default', weights });

/** Writes, opens and verifies a segment of those documents. */
const segmentOf = async (
  context: TestContext,
  documents: readonly IndexDocument[],
): Promise<{ readonly folder: string; readonly entry: SegmentEntry; readonly segment: OpenSegment }> => {
  const folder = await tempFolder(context);
  const writer = await begin(folder);
  for (const document of documents) await writer.add(document);
  const entry = await writer.finish();
  await verifySegment(folder, entry);
  const segment = openSegment(folder, entry);
  context.after(() => segment.close());
  return { folder, entry, segment };
};

test('documents without words, or with nothing but signs, are in the segment and hold no term', async (context) => {
  const { segment } = await segmentOf(context, [
    indexDocument('http://example.org/none'),
    indexDocument('http://example.org/empty', { fields: [{ field: 'body', text: '' }] }),
    indexDocument('http://example.org/signs', {
      fields: [{ field: 'body', text: ' \n\t …—()\u0000\ud800 ' }],
    }),
  ]);
  assert.equal(segment.docCount, 3);
  assert.deepEqual([...segment.terms()], []);
  assert.equal(segment.cursor('x', scorer), undefined);
});

test('ten million words in one document are all there', async (context) => {
  const wordCount = 10_000_000;
  const text = `${'crawl shard '.repeat(wordCount / 2)}end`;
  const { segment } = await segmentOf(context, [
    indexDocument('http://example.org/', { fields: [{ field: 'body', text }] }),
  ]);
  assert.equal(segment.totalLength('body'), wordCount + 1);
  const cursor = segment.cursor('shard', scorer);
  assert.equal(cursor?.next(), 0);
  const positions = cursor?.positions('body') ?? new Uint32Array(0);
  assert.equal(positions.length, wordCount / 2);
  assert.deepEqual([positions[0], positions.at(-1)], [1, wordCount - 1]);
});

test('a hundred thousand anchors are one field with gaps between them', async (context) => {
  const anchorCount = 100_000;
  const fields = Array.from({ length: anchorCount }, (_, i) => ({
    field: 'anchor' as const,
    text: i === anchorCount - 1 ? 'last' : 'granit',
  }));
  const { segment } = await segmentOf(context, [indexDocument('http://example.org/', { fields })]);
  assert.equal(segment.totalLength('anchor'), anchorCount);
  const cursor = segment.cursor('last', scorer);
  cursor?.next();
  assert.deepEqual([...(cursor?.positions('anchor') ?? [])], [(anchorCount - 1) * 9]);
});

test('a word of a megabyte, lone surrogates and any other strings neither stop the writer nor harm the rest', async (context) => {
  const hostile = ['x'.repeat(1_000_000), '\ud800', 'a\udc00b', '\u0000', 'ﷺ'.repeat(1000), '0'.repeat(300)];
  const documents = hostile.map((text, i) =>
    indexDocument(`http://example.org/${i}`, { fields: [{ field: 'body', text: `${text} granit` }] }),
  );
  const { segment } = await segmentOf(context, documents);
  assert.equal(segment.documentFrequency('granit'), hostile.length);
});

test('UTF-8 bytes and strings make the same segment', async (context) => {
  const folder = await tempFolder(context);
  const text = fc
    .string({ unit: 'grapheme', maxLength: 60 })
    .filter((value) => Buffer.from(value).toString() === value);
  let id = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), async (texts) => {
      const seals = [];
      for (const form of [(value: string) => value, (value: string) => Buffer.from(value)]) {
        id += 1;
        const writer = await begin(folder, id);
        for (const [i, value] of texts.entries()) {
          const fields = [{ field: 'body' as const, text: form(value) }];
          await writer.add({ ...indexDocument(`http://example.org/${i}`), fields });
        }
        const { index, positions, bounds } = await writer.finish();
        seals.push([index, positions, bounds]);
      }
      assert.deepEqual(seals[0], seals[1]);
    }),
    { numRuns: 15 },
  );
});

test('without stored pages a hit has its URL and no more, also when it was merged', async (context) => {
  const folder = await tempFolder(context);
  const urls = ['http://www.example.org:8080/a?b=c', 'https://example.org/', 'id:first%20one'];
  const writer = await SegmentWriter.create({
    folder,
    id: 1,
    analyser: 'default',
    weights,
    storesPages: false,
  });
  for (const url of urls) await writer.add(indexDocument(url, { title: 'Title', storedText: 'text' }));
  const segment = openSegment(folder, await writer.finish());
  const merged = openSegment(folder, await mergeSegments([segment], { folder, id: 2, weights }));
  for (const open of [segment, merged]) {
    const stored = urls.map((_, doc) => open.stored(doc));
    assert.deepEqual(stored.map(({ url }) => String(url)).sort(), [...urls].sort());
    assert.deepEqual(new Set(stored.map(({ title, text }) => title + text)), new Set(['']));
    open.close();
  }
});

for (const part of ['pos', 'idx', 'bounds'] as const) {
  test(
    `a disk that is full when ${part} is written fails flush and merge with what to do`,
    fullDisk,
    async (context) => {
      const fields = [{ field: 'body' as const, text: 'granit' }];
      const { folder, segment } = await segmentOf(context, [
        indexDocument('http://example.org/', { fields }),
      ]);
      const expected = { code: 'SHARDS_DISK_FULL', message: /free some space/ };
      await symlink('/dev/full', segmentFile(folder, 2, part));
      const writer = await begin(folder, 2);
      await writer.add(indexDocument('http://example.org/2', { fields }));
      await assert.rejects(writer.finish(), expected);
      await writer.abandon();
      await symlink('/dev/full', segmentFile(folder, 3, part));
      await assert.rejects(mergeSegments([segment], { folder, id: 3, weights }), expected);
    },
  );
}

test('a segment that could not be opened is refused before a manifest names it', () => {
  const seal = { bytes: 2 ** 31, crc: 0 };
  const entry = { id: 1, docCount: 1, index: seal, positions: seal };
  assert.throws(() => refuseTooLarge('/shard', entry), { code: 'SHARDS_SEGMENT_TOO_LARGE' });
  refuseTooLarge('/shard', { ...entry, positions: { bytes: 2 ** 20, crc: 0 } });
});
