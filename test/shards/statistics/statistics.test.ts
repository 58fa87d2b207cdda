import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createScorer, inverseDocumentFrequency, termWeight } from '../../../shards/score/bm25f.ts';
import { evaluate } from '../../../shards/search/evaluate.ts';
import { collectShardStatistics } from '../../../shards/statistics/count-segment.ts';
import { decodeEpoch, encodeEpoch } from '../../../shards/statistics/epoch-file.ts';
import { listEpochs, readStatistics, writeEpoch } from '../../../shards/statistics/epochs.ts';
import { sumStatistics } from '../../../shards/statistics/shard-statistics.ts';
import type { IndexStatistics } from '../../../shards/statistics/statistics.ts';
import { FIELD_NAMES } from '../../../shards/values/fields.ts';
import { slotOf, urlKey } from '../../../shards/values/hash.ts';
import { epochNumber, trustNormalUrl } from '../../../shards/values/ids.ts';
import { type MemoryDocument, MemorySegment } from '../../helpers/memory-segment.ts';

const TERMS = ['a', 'b', 'c', 'd', 'ü', 'zz'];
const words = fc.array(fc.constantFrom(...TERMS), { maxLength: 6 });
const place = (terms: readonly string[]) => terms.map((term, position) => ({ term, position }));

const documents: fc.Arbitrary<MemoryDocument[]> = fc
  .array(
    fc.record({ body: words, title: words, lang: fc.constantFrom('', 'en', 'de'), isDeleted: fc.boolean() }),
    {
      maxLength: 30,
    },
  )
  .map((list) =>
    list.map(({ body, title, lang, isDeleted }, index) => ({
      url: `http://h.test/${index}${isDeleted ? '?gone' : ''}`,
      fields: { body: place(body), title: place(title) },
      lang,
    })),
  );

const isDeleted = ({ url }: MemoryDocument): boolean => url.endsWith('gone');
const segmentOf = (list: readonly MemoryDocument[], id = 1): MemorySegment =>
  new MemorySegment({
    documents: list,
    deleted: [...list.keys()].filter((doc) => isDeleted(list[doc] as MemoryDocument)),
    id,
  });

const shardsOf = (list: readonly MemoryDocument[], shardCount: number): MemorySegment[] =>
  Array.from({ length: shardCount }, (_, shard) =>
    segmentOf(list.filter(({ url }) => slotOf(urlKey(trustNormalUrl(url))) % shardCount === shard)),
  );

const epochOf = (segments: readonly MemorySegment[]): IndexStatistics => {
  const statistics = sumStatistics(segments.map((segment) => collectShardStatistics([segment])));
  return decodeEpoch(Buffer.concat(encodeEpoch(epochNumber(7), statistics)), 'test.epoch');
};

const fieldTerms = ({ fields }: MemoryDocument, name: 'title' | 'body'): string[] =>
  (fields[name] ?? []).map(({ term }) => term);

test('statistics - count the live documents, by definition', () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(1, 2, 5), (list, shardCount) => {
      const live = list.filter((document) => !isDeleted(document));
      const epoch = epochOf(shardsOf(list, shardCount));
      assert.equal(epoch.epoch, 7);
      assert.equal(epoch.docCount, live.length);
      for (const term of [...TERMS, 'unknown']) {
        const holding = live.filter((document) =>
          [...fieldTerms(document, 'body'), ...fieldTerms(document, 'title')].includes(term),
        );
        assert.equal(epoch.documentFrequency(term), holding.length, term);
      }
      const bodyTokens = live.reduce((sum, document) => sum + fieldTerms(document, 'body').length, 0);
      assert.equal(epoch.averageLengths.body, bodyTokens / Math.max(1, live.length));
      assert.equal(epoch.averageLengths.anchor, 0);
      const english = live.filter(({ lang }) => lang === 'en').length;
      assert.equal(epoch.languages.find(({ lang }) => lang === 'en')?.docCount ?? 0, english);
    }),
    { numRuns: 200 },
  );
});

test('statistics - 1, 4 and 8 shards: the same epoch bytes, the same scores and order', () => {
  fc.assert(
    fc.property(documents, fc.uniqueArray(fc.constantFrom(...TERMS), { minLength: 1 }), (list, terms) => {
      const answers = [1, 4, 8].map((shardCount) => {
        const shards = shardsOf(list, shardCount);
        const sum = sumStatistics(shards.map((segment) => collectShardStatistics([segment])));
        const global = epochOf(shards);
        const { docCount, averageLengths, epoch } = global;
        const optional = terms.map((term) => ({
          terms: [term],
          weight: termWeight(inverseDocumentFrequency(docCount, global.documentFrequency(term))),
        }));
        const none = {
          required: [],
          phrases: [],
          excluded: [],
          excludedPhrases: [],
          sites: [],
          excludedSites: [],
        };
        const hits = shards.flatMap((segment) =>
          evaluate({
            segments: [segment],
            plan: { epoch, optional, ...none },
            scorer: createScorer({ averageLengths }),
            k: 10,
            evaluation: 'pruned',
            isLate: () => false,
          }).hits.map(({ score, key }) => ({ score, key })),
        );
        hits.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
        return { bytes: Buffer.concat(encodeEpoch(epochNumber(1), sum)), hits: hits.slice(0, 10) };
      });
      assert.deepEqual(answers[1], answers[0]);
      assert.deepEqual(answers[2], answers[0]);
    }),
    { numRuns: 100 },
  );
});

const withFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-stats-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const sample = () =>
  collectShardStatistics([
    new MemorySegment({
      documents: [{ url: 'http://a.test/', fields: { body: place(['quarry', 'stone']) }, lang: 'en' }],
    }),
  ]);

test('epochs - numbered from 1, two kept, the newest read', async () => {
  await withFolder(async (folder) => {
    const stats = join(folder, 'stats');
    assert.deepEqual(await listEpochs(stats), []);
    await assert.rejects(readStatistics(stats), { code: 'SHARDS_NO_STATISTICS' });
    for (const expected of [1, 2, 3]) assert.equal(await writeEpoch(stats, sample()), expected);
    assert.deepEqual((await readdir(stats)).sort(), ['000002.epoch', '000003.epoch']);
    assert.equal((await readStatistics(stats)).epoch, 3);
    assert.equal((await readStatistics(stats, epochNumber(2))).documentFrequency('stone'), 1);
    await assert.rejects(readStatistics(stats, epochNumber(1)), { code: 'SHARDS_UNKNOWN_EPOCH' });
  });
});

test('epoch file - any changed or missing byte is an error', async () => {
  const bytes = Buffer.concat(encodeEpoch(epochNumber(1), sample()));
  for (let index = 0; index < bytes.length; index++) {
    const damaged = Buffer.from(bytes);
    damaged[index] = (damaged[index] ?? 0) ^ 0x10;
    assert.throws(() => decodeEpoch(damaged, 'x.epoch'), { name: 'QuarryError' }, `byte ${index}`);
    assert.throws(() => decodeEpoch(bytes.subarray(0, index), 'x.epoch'), { name: 'QuarryError' });
  }
});

test('epoch file - the golden file of version 1 still reads: all documents lie in the high tier', async () => {
  const file = 'test/golden/epoch-v1/000001.epoch';
  assertSample(decodeEpoch(await readFile(file), file));
});

test('epoch file - the golden file of version 2 is what is written today', async () => {
  const file = 'test/golden/epoch-v2/000001.epoch';
  const bytes = Buffer.concat(encodeEpoch(epochNumber(1), sample()));
  if (process.env['QUARRY_WRITE_GOLDEN'] !== undefined) await writeFile(file, bytes);
  assert.deepEqual(await readFile(file), bytes);
  assertSample(decodeEpoch(bytes, file));
});

const assertSample = (statistics: IndexStatistics): void => {
  assert.equal(statistics.docCount, 1);
  assert.equal(statistics.highTierThreshold, 0);
  assert.deepEqual(
    FIELD_NAMES.map((field) => statistics.averageLengths[field]),
    [0, 0, 0, 2, 0, 0],
  );
  assert.deepEqual(statistics.languages, [{ lang: 'en', docCount: 1 }]);
  assert.deepEqual(
    ['quarry', 'stone', 'other'].map((term) => statistics.documentFrequency(term)),
    [1, 1, 0],
  );
};
