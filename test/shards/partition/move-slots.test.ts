import assert from 'node:assert/strict';
import { cp, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { moveSlots } from '../../../shards/partition/move-slots.ts';
import { shardOf, slotMapOf } from '../../../shards/partition/partitioner.ts';
import { DEFAULT_WEIGHTS } from '../../../shards/score/weights.ts';
import { currentGeneration } from '../../../shards/segment/current.ts';
import { openGeneration } from '../../../shards/segment/generation.ts';
import { verifyGeneration } from '../../../shards/segment/verify-generation.ts';
import { openNode } from '../../../shards/server/local-node.ts';
import { publishStatistics } from '../../../shards/statistics/publish-statistics.ts';
import { urlKey } from '../../../shards/values/hash.ts';
import { trustNormalUrl, type UrlKey } from '../../../shards/values/ids.ts';
import { openIndexWriter } from '../../../shards/writer/index-writer.ts';
import { indexDocument } from '../../helpers/index-documents.ts';
import { type SmallIndex, type SmallPage, writeSmallIndex } from '../../helpers/small-index.ts';
import { makeTempFolder, removeTempFolder, tempFolder } from '../../helpers/temp-folder.ts';
import { planOf, requestOf } from '../../helpers/word-plans.ts';

const WORDS = ['stone', 'quarry', 'rock', 'dust', 'hammer'] as const;

const pagesOf = (count: number): SmallPage[] =>
  Array.from({ length: count }, (_, index) => ({
    url: `http://h${index % 3}.test/${index}`,
    title: WORDS[index % 7] ?? 'other',
    text: `${WORDS[index % 5]} ${WORDS[(index * 3) % 5]} page ${index}`,
    staticScore: index % 9 === 0 ? 700 : 0,
  }));

const inOrder = (keys: readonly UrlKey[]): UrlKey[] => [...keys].sort((a, b) => (a < b ? -1 : 1));

/** An index of several segments a shard, some documents of which are deleted; resolves to the URLs that are left. */
const writeIndex = async (folder: string, shardCount: number, count = 60) => {
  const pages = pagesOf(count);
  const index = await writeSmallIndex(folder, pages, { shardCount, memoryBytes: 20_000 });
  const writer = await openIndexWriter({ folder: index.shardsFolder, shardCount, analyser: 'default' });
  const gone = pages.filter((_, at) => at % 8 === 3).map(({ url }) => url);
  for (const url of gone) await writer.remove(trustNormalUrl(url));
  await writer.update(indexDocument('http://new.test/', { fields: [{ field: 'body', text: 'stone rock' }] }));
  await writer.attach('notes', async (file) => {
    await writeFile(file, 'kept');
  });
  await writer.commit();
  await writer.close();
  await publishStatistics(index);
  const urls = [...pages.map(({ url }) => url).filter((url) => !gone.includes(url)), 'http://new.test/'];
  return { index, keys: inOrder(urls.map((url) => urlKey(trustNormalUrl(url)))) };
};

/** Keys of the live documents, by shard. */
const keysByShard = async (folder: string): Promise<UrlKey[][]> => {
  const generation = await openGeneration(folder);
  try {
    return generation.shards.map((segments) =>
      segments.flatMap((segment) =>
        Array.from({ length: segment.docCount }, (_, doc) => doc)
          .filter((doc) => segment.deletes?.has(doc) !== true)
          .map((doc) => segment.key(doc)),
      ),
    );
  } finally {
    generation.close();
  }
};

/** The best of all shards for some queries, as key and score. */
const answersOf = async (index: SmallIndex) => {
  const node = await openNode({ ...index, pollMs: 0 });
  try {
    const answers = [];
    for (const words of [['stone'], ['rock', 'dust'], [...WORDS]]) {
      for (const clause of ['optional', 'required'] as const) {
        const { shards } = await node.search(requestOf(await planOf(node, { [clause]: words }), { k: 1100 }));
        const hits = shards.flatMap(({ hits: some }) => some.map(({ key, score }) => ({ key, score })));
        answers.push(hits.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1)));
      }
    }
    return answers;
  } finally {
    await node.close();
  }
};

const move = (index: SmallIndex, shardCount: number, more = {}) =>
  moveSlots({ folder: index.shardsFolder, shardCount, weights: DEFAULT_WEIGHTS, ...more });

test('moveSlots - from any number of shards to any: every document once, in the shard of its slot, found as before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(1, 2, 3, 4, 7), fc.constantFrom(1, 2, 3, 5, 8), async (from, to) => {
      const folder = await makeTempFolder();
      try {
        const { index, keys } = await writeIndex(folder, from);
        const before = await answersOf(index);
        const { info, movedSlots, movedDocs } = await move(index, to);
        assert.deepEqual([info.shardCount, info.docCount], [to, keys.length]);
        const slots = slotMapOf(to);
        const held = await keysByShard(index.shardsFolder);
        assert.equal(held.length, to);
        assert.deepEqual(inOrder(held.flat()), keys);
        for (const [shard, some] of held.entries()) {
          assert.ok(some.every((key) => shardOf(slots, key) === shard));
        }
        const old = slotMapOf(from);
        assert.equal(movedSlots, slots.filter((shard, slot) => shard !== old[slot]).length);
        assert.equal(movedDocs, keys.filter((key) => shardOf(old, key) !== shardOf(slots, key)).length);
        assert.deepEqual(await answersOf(index), before);
        await publishStatistics(index);
        assert.deepEqual(await answersOf(index), before);
        await verifyGeneration(index.shardsFolder);
      } finally {
        await removeTempFolder(folder);
      }
    }),
    { numRuns: 7 },
  );
});

test('moveSlots - moves no slot that it need not', () => {
  for (let from = 1; from <= 24; from += 1) {
    for (let to = 1; to <= 24; to += 1) {
      const [old, slots] = [slotMapOf(from), slotMapOf(to)];
      const moved = slots.filter((shard, slot) => shard !== old[slot]).length;
      // What leaves shards that end, or what new shards hold, has to move in any layout.
      const least =
        to < from ? old.filter((shard) => shard >= to).length : slots.filter((shard) => shard >= from).length;
      assert.equal(moved, least, `${from} to ${to}`);
    }
  }
});

test('moveSlots - files of segments that lose nothing go over by a second name; attachments too', async (context) => {
  const { index } = await writeIndex(await tempFolder(context), 4);
  const before = await currentGeneration(index.shardsFolder);
  const oldFolder = join(index.shardsFolder, '000001');
  const inodesOf = async (folder: string): Promise<Set<number>> => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile() && !entry.name.startsWith('manifest'));
    return new Set(
      await Promise.all(files.map(async ({ path, name }) => (await stat(join(path, name))).ino)),
    );
  };
  const old = await inodesOf(oldFolder);
  const { keptSegments, writtenSegments, info } = await move(index, 2);
  // Two shards end; the others lose nothing and get one segment a tier.
  assert.ok(
    keptSegments > 2 && writtenSegments >= 2 && writtenSegments <= 4,
    `${keptSegments} ${writtenSegments}`,
  );
  const fresh = await inodesOf(join(index.shardsFolder, '000002'));
  assert.ok([...fresh].filter((inode) => old.has(inode)).length >= 3 * keptSegments + 1);
  assert.deepEqual(info.attachments, before?.attachments);
  assert.ok((await readdir(join(index.shardsFolder, '000002'))).some((name) => name.startsWith('notes-')));
});

test('moveSlots - an abort leaves the index as it was, and nothing behind', async (context) => {
  const { index } = await writeIndex(await tempFolder(context), 3);
  const before = await currentGeneration(index.shardsFolder);
  for (const stopAt of [0, 1, 3, 5]) {
    const controller = new AbortController();
    if (stopAt === 0) controller.abort(new Error('enough'));
    const onProgress = (done: number) => {
      if (done === stopAt) controller.abort(new Error('enough'));
    };
    await assert.rejects(move(index, 5, { signal: controller.signal, onProgress }), /enough/);
    assert.deepEqual(await currentGeneration(index.shardsFolder), before);
    assert.deepEqual((await readdir(index.shardsFolder)).sort(), ['000001', 'CURRENT']);
  }
});

test('moveSlots - what a killed move left behind is cleared by the next, and an index can be changed after it', async (context) => {
  const { index, keys } = await writeIndex(await tempFolder(context), 2);
  await cp(join(index.shardsFolder, '000001'), join(index.shardsFolder, '000002'), { recursive: true });
  await move(index, 3);
  const writer = await openIndexWriter({ folder: index.shardsFolder, shardCount: 3, analyser: 'default' });
  await writer.update(indexDocument('http://later.test/', { fields: [{ field: 'body', text: 'stone' }] }));
  await writer.remove(trustNormalUrl('http://new.test/'));
  await writer.settle();
  await writer.close();
  await verifyGeneration(index.shardsFolder);
  assert.equal((await keysByShard(index.shardsFolder)).flat().length, keys.length);
  await move(index, 1);
  assert.equal((await keysByShard(index.shardsFolder)).flat().length, keys.length);
});
