import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { biwordKey } from '../../../shards/postings/biwords.ts';
import { DEFAULT_WEIGHTS } from '../../../shards/score/weights.ts';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import { writeDeletes } from '../../../shards/segment/deletes.ts';
import { BOUNDS_FORMAT, INDEX_FORMAT, POSITIONS_FORMAT } from '../../../shards/segment/formats.ts';
import { type SegmentEntry, segmentFile } from '../../../shards/segment/manifest.ts';
import { mergeSegments } from '../../../shards/segment/merge-segments.ts';
import { type LoadedSections, loadSectionFile } from '../../../shards/segment/section-file.ts';
import {
  type MergeInput,
  type OpenSegment,
  openMergeInput,
  openSegment,
} from '../../../shards/segment/segment-reader.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import { verifySegment } from '../../../shards/segment/verify-segment.ts';
import type { IndexDocument } from '../../../shards/values/document.ts';
import { slotOf, urlKey } from '../../../shards/values/hash.ts';
import { INDEX_TERMS, indexDocument, indexDocuments, termsOf } from '../../helpers/index-documents.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const weights = DEFAULT_WEIGHTS;

/** What a segment lacks of a word's biwords a merge cannot know: here all words are common in all segments. */
const commonWords = new Set([...INDEX_TERMS, ...termsOf('common word 0 1 2 3 4 and')]);

const write = async (
  folder: string,
  id: number,
  documents: readonly IndexDocument[],
): Promise<SegmentEntry> => {
  const writer = await SegmentWriter.create({ folder, id, analyser: 'default', weights, commonWords });
  for (const document of documents) await writer.add(document);
  return writer.finish();
};

/** Writes documents as a segment of which those that `isDeleted` names are deleted. */
const writeDeleting = async (
  { folder, id }: { readonly folder: string; readonly id: number },
  documents: readonly IndexDocument[],
  isDeleted: (document: IndexDocument) => boolean,
): Promise<SegmentEntry> => {
  const entry = await write(folder, id, documents);
  const keys = new Set(documents.filter(isDeleted).map(({ url }) => urlKey(url)));
  if (keys.size === 0) return entry;
  const whole = openSegment(folder, entry);
  const deleted = Array.from({ length: whole.docCount }, (_, doc) => doc).filter((doc) =>
    keys.has(whole.key(doc)),
  );
  whole.close();
  return writeDeletes(folder, entry, 1, new RoaringBitmap32(deleted));
};

/** The same, opened. */
const writeWithDeletes = async (...how: Parameters<typeof writeDeleting>): Promise<OpenSegment> =>
  openSegment(how[0].folder, await writeDeleting(...how));

const PLACES_OF_PAGES = ['pageBlocks', 'pageOffsets'];
const SECTIONS = {
  idx: [
    'meta',
    'terms',
    'termBlocks',
    'termHash',
    'docs',
    'lastDocs',
    'docsOffsets',
    'positionsOffsets',
    'shapes',
    'lengthCodes',
    'exactLengths',
    'keys',
    'keyOrder',
    'staticScores',
    'fetchedAtMs',
    'languages',
    'types',
    'urls',
    'urlBlocks',
    'authorities',
  ],
  pos: ['positions'],
  bounds: ['meta', 'blocks', 'groups', 'best'],
} as const;

const load = (folder: string, entry: SegmentEntry): Record<keyof typeof SECTIONS, LoadedSections> => {
  const file = (part: keyof typeof SECTIONS) => segmentFile(folder, entry.id, part);
  const { index, positions, bounds } = entry;
  assert.ok(bounds);
  return {
    idx: loadSectionFile({ file: file('idx'), format: INDEX_FORMAT, seal: index }),
    pos: loadSectionFile({ file: file('pos'), format: POSITIONS_FORMAT, seal: positions }),
    bounds: loadSectionFile({ file: file('bounds'), format: BOUNDS_FORMAT, seal: bounds }),
  };
};

/** All sections are equal byte for byte, but for where stored pages lie; the pages are equal as they are read. */
const assertSameSegment = (folder: string, found: SegmentEntry, expected: SegmentEntry): void => {
  const sections = load(folder, found);
  const oracle = load(folder, expected);
  for (const part of ['idx', 'pos', 'bounds'] as const) {
    for (const name of SECTIONS[part]) {
      assert.deepEqual(Buffer.from(sections[part].bytes(name)), Buffer.from(oracle[part].bytes(name)), name);
    }
  }
  const a = openSegment(folder, found);
  const b = openSegment(folder, expected);
  for (let doc = 0; doc < b.docCount; doc += 1) assert.deepEqual(a.stored(doc), b.stored(doc));
  a.close();
  b.close();
};

test('the sections compared are all that a segment has', async (context) => {
  const folder = await tempFolder(context);
  const files = load(folder, await write(folder, 1, [indexDocument('http://example.org/')]));
  for (const part of ['idx', 'pos', 'bounds'] as const) {
    const names = part === 'idx' ? [...SECTIONS.idx, ...PLACES_OF_PAGES] : SECTIONS[part];
    assert.deepEqual([...files[part].names()].sort(), [...names].sort());
  }
});

test('a merged segment is, byte for byte, the one written of the live documents', async (context) => {
  const root = await tempFolder(context);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      indexDocuments,
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 7 }),
      async (documents, sourceCount, dice) => {
        round += 1;
        const folder = join(root, String(round));
        await mkdir(folder);
        const deleted = new Set(documents.filter((_, i) => dice[i % dice.length] === 0));
        const sources: MergeInput[] = [];
        const open = round % 2 === 0 ? openSegment : openMergeInput;
        for (let id = 1; id <= sourceCount; id += 1) {
          const part = documents.filter(
            (_, i) => ((dice[(i * 3) % dice.length] ?? 0) + i) % sourceCount === id - 1,
          );
          sources.push(
            open(folder, await writeDeleting({ folder, id }, part, (document) => deleted.has(document))),
          );
        }
        const merged = await mergeSegments(sources, { folder, id: 10, weights });
        for (const source of sources) source.close();
        const live = documents.filter((document) => !deleted.has(document));
        assert.equal(merged.docCount, live.length);
        assertSameSegment(folder, merged, await write(folder, 11, live));
        await verifySegment(folder, merged);
      },
    ),
    { numRuns: 25 },
  );
});

test('the documents of one segment go to several, each as if written of its own', async (context) => {
  const folder = await tempFolder(context);
  const documents = Array.from({ length: 700 }, (_, i) =>
    indexDocument(`http://example.org/${i}`, {
      fields: [{ field: 'body', text: `common word ${i % 5} and ${i}` }],
      storedText: `text ${i}`,
    }),
  );
  const source = await writeWithDeletes({ folder, id: 1 }, documents, (document) =>
    document.url.endsWith('7'),
  );
  for (const shard of [0, 1]) {
    const goes = (slot: number): boolean => slot % 2 === shard;
    const entry = await mergeSegments([source], {
      folder,
      id: 2 + shard,
      weights,
      keeps: (key) => goes(slotOf(key)),
    });
    const expected = documents.filter(({ url }) => !url.endsWith('7') && goes(slotOf(urlKey(url))));
    assertSameSegment(folder, entry, await write(folder, 10 + shard, expected));
  }
  source.close();
});

test('nothing remains of the stored text of a dropped document', async (context) => {
  const folder = await tempFolder(context);
  const documents = ['secret', 'public'].map((name) =>
    indexDocument(`http://example.org/${name}`, { storedText: name }),
  );
  const source = await writeWithDeletes(
    { folder, id: 1 },
    documents,
    ({ storedText }) => storedText === 'secret',
  );
  const merged = await mergeSegments([source], { folder, id: 2, weights });
  const segment = openSegment(folder, merged);
  assert.equal(segment.stored(0).text, 'public');
  assert.doesNotMatch(segment.openPages().rawBlock(0).toString(), /secret/);
  source.close();
  segment.close();
});

test('a merge of nothing that lives is a segment without documents', async (context) => {
  const folder = await tempFolder(context);
  const source = await writeWithDeletes(
    { folder, id: 1 },
    [indexDocument('http://example.org/')],
    () => true,
  );
  const merged = await mergeSegments([source], { folder, id: 2, weights });
  source.close();
  assert.equal(merged.docCount, 0);
  assertSameSegment(folder, merged, await write(folder, 3, []));
});

test('a URL that lives in two segments is refused and named', async (context) => {
  const folder = await tempFolder(context);
  const document = indexDocument('http://example.org/twice');
  const sources = [
    await writeWithDeletes({ folder, id: 1 }, [document], () => false),
    await writeWithDeletes({ folder, id: 2 }, [document], () => false),
  ];
  await assert.rejects(mergeSegments(sources, { folder, id: 3, weights }), {
    code: 'SHARDS_DUPLICATE_URL',
    message: /example\.org\/twice/,
  });
  for (const source of sources) source.close();
});

test('a merge stops with the reason of its signal', async (context) => {
  const folder = await tempFolder(context);
  const source = await writeWithDeletes(
    { folder, id: 1 },
    [indexDocument('http://example.org/')],
    () => false,
  );
  const controller = new AbortController();
  const merge = mergeSegments([source], { folder, id: 2, weights, signal: controller.signal });
  controller.abort(new Error('enough'));
  await assert.rejects(merge, /enough/);
  source.close();
});

test('segments of different analysers are not merged', async (context) => {
  const folder = await tempFolder(context);
  const writer = await SegmentWriter.create({ folder, id: 1, analyser: 'lucene-english', weights });
  const sources = [
    openSegment(folder, await writer.finish()),
    await writeWithDeletes({ folder, id: 2 }, [indexDocument('http://example.org/')], () => false),
  ];
  await assert.rejects(mergeSegments(sources, { folder, id: 3, weights }), /lucene-english and default/);
  for (const source of sources) source.close();
});

test('a flipped bit is found before a merge begins', async (context) => {
  const folder = await tempFolder(context);
  const entry = await write(folder, 1, [
    indexDocument('http://example.org/', { fields: [{ field: 'body', text: 'granite quarry '.repeat(50) }] }),
  ]);
  for (const part of ['idx', 'pos'] as const) {
    const file = segmentFile(folder, 1, part);
    const whole = await readFile(file);
    const { offset } = load(folder, entry)[part].section(part === 'idx' ? 'docs' : 'positions');
    const harmed = Buffer.from(whole);
    harmed[offset + 1] = (harmed[offset + 1] ?? 0) ^ 4;
    await writeFile(file, harmed);
    assert.throws(() => openMergeInput(folder, entry), {
      code: 'SHARDS_FILE_CORRUPT',
      message: new RegExp(part),
    });
    await writeFile(file, whole);
  }
  openMergeInput(folder, entry).close();
});

test('a word is common in a merged segment when it is so in each that holds it; biwords of others go', async (context) => {
  const folder = await tempFolder(context);
  const make = async (id: number, text: string, common: readonly string[]): Promise<MergeInput> => {
    const writer = await SegmentWriter.create({
      folder,
      id,
      analyser: 'whitespace',
      weights,
      commonWords: new Set(common),
    });
    const fields = [{ field: 'body' as const, text }];
    await writer.add(indexDocument(`http://example.org/${id}`, { fields }));
    return openSegment(folder, await writer.finish());
  };
  const sources = [
    await make(1, 'red fox red dog', ['red', 'fox', 'dog']),
    await make(2, 'red fox', ['red', 'fox']),
    await make(3, 'fox dog', ['fox']),
  ];
  const merged = openSegment(folder, await mergeSegments(sources, { folder, id: 4, weights }));
  const { commonWords, dictionary } = merged.contents();
  assert.deepEqual([...commonWords], ['fox', 'red']);
  const docCount = (first: string, second: string): number | undefined =>
    dictionary.findKey(biwordKey(first, second))?.docCount;
  assert.deepEqual(
    [docCount('red', 'fox'), docCount('fox', 'red'), docCount('red', 'dog'), docCount('fox', 'dog')],
    [2, 1, undefined, undefined],
  );
  assert.deepEqual(
    [merged.biword('red', 'fox'), merged.biword('red', 'dog')],
    [biwordKey('red', 'fox'), undefined],
  );
  for (const segment of [...sources, merged]) segment.close();
});
