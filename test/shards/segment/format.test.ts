import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { biwordKey } from '../../../shards/postings/biwords.ts';
import { NO_MORE_DOCS } from '../../../shards/postings/posting-cursor.ts';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { DEFAULT_WEIGHTS } from '../../../shards/score/weights.ts';
import { segmentKernels } from '../../../shards/search/segment-kernels.ts';
import { INDEX_FORMAT } from '../../../shards/segment/formats.ts';
import { openGeneration } from '../../../shards/segment/generation.ts';
import { readManifest, segmentFile } from '../../../shards/segment/manifest.ts';
import { loadSectionFile } from '../../../shards/segment/section-file.ts';
import type { Segment } from '../../../shards/segment/segment.ts';
import { openSegment } from '../../../shards/segment/segment-reader.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import { TermDictionary } from '../../../shards/segment/term-dictionary.ts';
import { verifySegment } from '../../../shards/segment/verify-segment.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { projectPath, workedExample } from '../../helpers/format-example.ts';
import { indexDocument } from '../../helpers/index-documents.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const FORMAT = 'shards/segment/FORMAT.md';
const averageLengths = Object.fromEntries(FIELD_NAMES.map((name) => [name, 3])) as Record<FieldName, number>;
const scorer = createScorer({ averageLengths });

test('the worked example of FORMAT.md is what the writer writes, and decodes to what it says', async (context) => {
  const folder = await tempFolder(context);
  const writer = await SegmentWriter.create({ folder, id: 1, analyser: 'default', weights: DEFAULT_WEIGHTS });
  await writer.add(indexDocument('http://example.org/b', { fields: [{ field: 'body', text: 'fox' }] }));
  await writer.add(
    indexDocument('http://example.org/a', {
      fields: [
        { field: 'title', text: 'Red fox' },
        { field: 'body', text: 'The red fox, the red dog' },
      ],
    }),
  );
  const entry = await writer.finish();
  const terms = workedExample(FORMAT, 'Worked example, terms');
  const docs = workedExample(FORMAT, 'Worked example, docs');
  const index = loadSectionFile({
    file: segmentFile(folder, 1, 'idx'),
    format: INDEX_FORMAT,
    seal: entry.index,
  });
  assert.deepEqual(Buffer.from(index.bytes('terms')), Buffer.from(terms));
  assert.deepEqual(Buffer.from(index.bytes('docs').subarray(0, docs.length)), Buffer.from(docs));
  const positions = workedExample(FORMAT, 'Worked example, positions');
  assert.deepEqual(readFileSync(segmentFile(folder, 1, 'pos')), Buffer.from(positions));

  const termBlocks = Uint32Array.of(0);
  const dictionary = new TermDictionary({ terms, termBlocks, termHash: index.u32('termHash') }, 4);
  assert.deepEqual(
    [...dictionary.entries()].map(({ text, docCount, positionsOffset }) => [text, docCount, positionsOffset]),
    [
      ['dog', 1, 0],
      ['fox', 2, 1],
      ['red', 1, 4],
      ['the', 1, 7],
    ],
  );
  const segment = openSegment(folder, entry);
  context.after(() => segment.close());
  const where = (term: string) => {
    const found = [];
    const cursor = segment.cursor(term, scorer);
    while (cursor && cursor.next() !== NO_MORE_DOCS) {
      found.push([cursor.doc, [...cursor.positions('title')], [...cursor.positions('body')]]);
    }
    return found;
  };
  assert.deepEqual(where('dog'), [[0, [], [5]]]);
  assert.deepEqual(where('fox'), [
    [0, [1], [2]],
    [1, [], [0]],
  ]);
  assert.deepEqual(where('red'), [[0, [0], [1, 4]]]);
  assert.deepEqual(where('the'), [[0, [], [0, 3]]]);
});

test('the golden generation of version 1 is too old, and what to do is said', async () => {
  await assert.rejects(openGeneration(projectPath('test/golden/segment-v1')), {
    code: 'SHARDS_FILE_TOO_OLD',
    message: /quarry index --rebuild/,
  });
});

const readGolden = async (context: TestContext, folder: string): Promise<Segment> => {
  const { segments } = await readManifest(`${folder}/000001/00`, 1);
  assert.equal(segments.length, 1);
  for (const entry of segments) await verifySegment(`${folder}/000001/00`, entry);
  const open = await openGeneration(folder);
  context.after(() => open.close());
  assert.equal(open.generation, 1);
  assert.equal(open.analyser, 'default');
  const segment = open.shards[0]?.[0];
  assert.ok(segment);
  assert.deepEqual([segment.docCount, segment.liveCount], [140, 138]);
  assert.deepEqual(segment.deletes?.toArray(), [0, 139]);
  assert.equal(segment.documentFrequency('granit'), 140);
  assert.equal(segment.documentFrequency('stone'), 14);
  assert.equal(segment.documentFrequency('basalt'), 0);
  // "id:…" sorts before "org.example.www…".
  assert.equal(segment.stored(0).url, 'id:first%20one');
  assert.deepEqual(segment.stored(1), {
    url: 'https://www.example.org/page/1',
    title: 'Page 1',
    text: 'Granite, page 1.',
    lang: '',
    type: 'text/html',
    fetchedAtMs: 1_700_000_000_001,
  });
  assert.equal(segment.staticScore(1), 1000);
  assert.equal(segment.site({ host: 'example.org', pathPrefix: '/page/13' }).size, 11);
  const cursor = segment.cursor('granit', scorer);
  assert.ok(cursor);
  const doc = segment.find(segment.key(100));
  assert.equal(doc, 100);
  let occurrences = 0;
  while (cursor.next() !== NO_MORE_DOCS) {
    occurrences += FIELD_NAMES.reduce((sum, field) => sum + cursor.positions(field).length, 0);
    assert.ok(cursor.impact() <= cursor.blockMaxImpact(cursor.doc));
  }
  // Once in each body, once more in each seventh of 0..139, and in 14 anchors.
  assert.equal(occurrences, 140 + 20 + 14);
  const stone = segment.cursor('stone', scorer);
  stone?.next();
  assert.deepEqual([...(stone?.positions('anchor') ?? [])], [0, 10]);
  assert.deepEqual([...segment.terms()].length, segment.termCount);
  return segment;
};

test('the golden generation of version 2 is read, without biwords', async (context) => {
  const segment = await readGolden(context, projectPath('test/golden/segment-v2'));
  assert.equal(segment.biword('page', 'granit'), undefined);
});

test('the golden generation of version 3 is read, with biwords', async (context) => {
  const segment = await readGolden(context, projectPath('test/golden/segment-v3'));
  assert.deepEqual(segment.biword('granit', 'page'), biwordKey('granit', 'page'));
  assert.equal(segment.biword('granit', 'stone'), undefined, 'stone is not common');
  const query = { scorer, k: 10, threshold: 0, countWanted: 1000, allowed: undefined, isLate: () => false };
  const holders = (key: Uint8Array): number | undefined =>
    segmentKernels(segment)?.anyOf([{ terms: [key], weight: 100 }], query, () => undefined)?.counted;
  // Where "granite and more granite" stands there is no page.
  assert.equal(holders(biwordKey('granit', 'page')), 120);
  assert.equal(holders(biwordKey('page', 'granit')), 0);
});
