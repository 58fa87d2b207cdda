import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import {
  attachmentFile,
  currentGeneration,
  generationFolder,
  shardFolder,
} from '../../../shards/segment/current.ts';
import { openGeneration } from '../../../shards/segment/generation.ts';
import { readManifest } from '../../../shards/segment/manifest.ts';
import { verifyGeneration } from '../../../shards/segment/verify-generation.ts';
import type { IndexDocument } from '../../../shards/values/document.ts';
import { trustNormalUrl } from '../../../shards/values/ids.ts';
import { openIndexWriter, type WriterOptions } from '../../../shards/writer/index-writer.ts';
import { indexDocument } from '../../helpers/index-documents.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const optionsOf = (folder: string): WriterOptions => ({ folder, shardCount: 2, analyser: 'default' });
const urlOf = (number: number) => trustNormalUrl(`http://h${number % 3}.example/${number}`);
const documentOf = (number: number, text: string): IndexDocument =>
  indexDocument(urlOf(number), { fields: [{ field: 'body', text }], storedText: text });

/** Text of every live document by URL; fails when a URL has two. */
const contentsOf = async (folder: string): Promise<Map<string, string>> => {
  const open = await openGeneration(folder);
  try {
    const contents = new Map<string, string>();
    for (const segment of open.shards.flat()) {
      for (let doc = 0; doc < segment.docCount; doc += 1) {
        if (segment.deletes?.has(doc)) continue;
        const { url, text } = segment.stored(doc);
        assert.ok(!contents.has(url), `${url} twice`);
        contents.set(url, text);
      }
    }
    return contents;
  } finally {
    open.close();
  }
};

const builtFolder = async (context: TestContext, count: number): Promise<string> => {
  const folder = await tempFolder(context);
  await using writer = await openIndexWriter(optionsOf(folder));
  for (let number = 0; number < count; number += 1) await writer.add(documentOf(number, 'old'));
  await writer.commit();
  return folder;
};

test('updates, removals and additions are seen at the commit, all at once', async (context) => {
  const folder = await builtFolder(context, 20);
  await using writer = await openIndexWriter(optionsOf(folder));
  await writer.update(documentOf(3, 'new'));
  await writer.update(documentOf(40, 'new'));
  await writer.add(documentOf(41, 'new'));
  assert.equal(await writer.remove(urlOf(5)), true);
  assert.equal(await writer.remove(urlOf(5)), false);
  assert.equal(await writer.remove(urlOf(99)), false);
  assert.equal((await contentsOf(folder)).get(urlOf(3)), 'old');
  const { generation, commit, docCount } = await writer.commit();
  assert.deepEqual({ generation, commit, docCount }, { generation: 1, commit: 2, docCount: 21 });
  const contents = await contentsOf(folder);
  assert.equal(contents.size, 21);
  assert.deepEqual(
    [3, 40, 41, 5, 6].map((number) => contents.get(urlOf(number))),
    ['new', 'new', 'new', undefined, 'old'],
  );
});

test('of several updates of one URL before a commit the last one holds, wherever the others lie', async (context) => {
  const folder = await builtFolder(context, 5);
  // So little memory that documents leave queue and buffer between two updates.
  await using writer = await openIndexWriter({ ...optionsOf(folder), memoryBytes: 1000 });
  for (const text of ['one', 'two', 'three', 'four'])
    for (const number of [1, 9]) await writer.update(documentOf(number, text));
  assert.equal(await writer.remove(urlOf(9)), true);
  await writer.commit();
  const contents = await contentsOf(folder);
  assert.equal(contents.get(urlOf(1)), 'four');
  assert.equal(contents.has(urlOf(9)), false);
  assert.equal(contents.size, 5);
});

test('a document of a URL that the index has cannot be added', async (context) => {
  const folder = await builtFolder(context, 5);
  await using writer = await openIndexWriter(optionsOf(folder));
  const refused = { code: 'SHARDS_DUPLICATE_URL' };
  await assert.rejects(writer.add(documentOf(4, 'again')), refused);
  await writer.add(documentOf(7, 'new'));
  await assert.rejects(writer.add(documentOf(7, 'again')), refused);
  await writer.update(documentOf(8, 'new'));
  await assert.rejects(writer.add(documentOf(8, 'again')), refused);
});

test('any sequence of changes, commits and reopenings leaves what a map would hold', async (context) => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('update' as const), number: fc.nat({ max: 30 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('remove' as const), number: fc.nat({ max: 30 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('commit' as const), number: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), number: fc.constant(0) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const folder = await builtFolder(context, 10);
      const options = { ...optionsOf(folder), memoryBytes: 20_000 };
      let committed = await contentsOf(folder);
      let working = new Map(committed);
      let writer = await openIndexWriter(options);
      for (const [at, { kind, number }] of steps.entries()) {
        if (kind === 'update') {
          await writer.update(documentOf(number, `text ${at}`));
          working.set(urlOf(number), `text ${at}`);
        } else if (kind === 'remove') {
          assert.equal(await writer.remove(urlOf(number)), working.delete(urlOf(number)));
        } else if (kind === 'commit') {
          assert.equal((await writer.commit()).docCount, working.size);
          committed = new Map(working);
        } else {
          await writer.close();
          writer = await openIndexWriter(options);
          working = new Map(committed);
        }
      }
      await writer.close();
      assert.deepEqual(await contentsOf(folder), committed);
      await verifyGeneration(folder);
    }),
    { numRuns: 25 },
  );
});

test('a commit without changes makes nothing; one that changes one shard leaves the other manifests', async (context) => {
  const folder = await builtFolder(context, 10);
  await using writer = await openIndexWriter(optionsOf(folder));
  assert.equal((await writer.commit()).commit, 1);
  await writer.remove(urlOf(1));
  const { commit, manifests } = await writer.commit();
  assert.equal(commit, 2);
  assert.deepEqual(
    [...manifests].sort((a, b) => a - b),
    [1, 2],
  );
});

test('segments of updates are marked fresh; a segment without a live document goes', async (context) => {
  const folder = await builtFolder(context, 6);
  await using writer = await openIndexWriter({ ...optionsOf(folder), shardCount: 2 });
  for (let number = 0; number < 6; number += 1) await writer.update(documentOf(number, 'new'));
  const { generation, manifests } = await writer.commit();
  for (const [shard, commit] of manifests.entries()) {
    const { segments, nextSegmentId } = await readManifest(shardFolder(folder, generation, shard), commit);
    assert.deepEqual(
      segments.map(({ id, tier, deletes }) => ({ id, tier, deletes })),
      [{ id: 2, tier: 'fresh', deletes: undefined }],
    );
    assert.equal(nextSegmentId, 3);
  }
});

test('files of the commit before stay for readers, older ones and leftovers of a killed writer go', async (context) => {
  const folder = await builtFolder(context, 6);
  const shard = shardFolder(folder, 1, 0);
  for (const name of ['000009.idx', '000001-000009.del', 'manifest-000009', 'manifest-000001.tmp'])
    writeFileSync(join(shard, name), 'left');
  writeFileSync(join(generationFolder(folder, 1), 'aliases-000009'), 'left');
  await using writer = await openIndexWriter(optionsOf(folder));
  assert.deepEqual(readdirSync(generationFolder(folder, 1)), ['00', '01']);
  const numbered = (names: readonly string[], start: string) =>
    names.filter((name) => name.startsWith(start));
  assert.deepEqual(numbered(await readdir(shard), 'manifest'), ['manifest-000001']);
  for (let round = 0; round < 3; round += 1) {
    for (let number = 0; number < 4; number += 1) await writer.update(documentOf(number, `round ${round}`));
    await writer.commit();
  }
  assert.deepEqual(numbered(await readdir(shard), 'manifest'), ['manifest-000003', 'manifest-000004']);
  await writer.close();
  assert.equal((await contentsOf(folder)).get(urlOf(2)), 'round 2');
});

test('closing drops what was not committed, with its files', async (context) => {
  const folder = await builtFolder(context, 6);
  const before = (await readdir(folder, { recursive: true })).sort();
  const writer = await openIndexWriter({ ...optionsOf(folder), memoryBytes: 1000 });
  for (let number = 0; number < 30; number += 1) await writer.update(documentOf(number, 'new'));
  await writer.attach('note', async (file) => writeFileSync(file, 'a note'));
  await writer.close();
  await writer.close();
  assert.deepEqual((await readdir(folder, { recursive: true })).sort(), before);
  assert.equal((await contentsOf(folder)).get(urlOf(2)), 'old');
});

test('an attachment belongs to the commits from the next one on, until it is attached anew', async (context) => {
  const folder = await builtFolder(context, 3);
  await using writer = await openIndexWriter(optionsOf(folder));
  const attach = (text: string) => writer.attach('note', async (file) => writeFileSync(file, text));
  await attach('first');
  const first = await writer.commit();
  await writer.remove(urlOf(1));
  const second = await writer.commit();
  assert.equal(attachmentFile(folder, first, 'note'), attachmentFile(folder, second, 'note'));
  await attach('second');
  const third = await writer.commit();
  assert.match(attachmentFile(folder, third, 'note') ?? '', /note-000004$/);
  assert.equal(attachmentFile(folder, third, 'other'), undefined);
});

test('a second writer is noticed at the commit of the first', async (context) => {
  const folder = await builtFolder(context, 3);
  await using first = await openIndexWriter(optionsOf(folder));
  await first.update(documentOf(1, 'of the first'));
  const second = await openIndexWriter(optionsOf(folder));
  await second.update(documentOf(1, 'of the second'));
  await second.commit();
  await second.close();
  await assert.rejects(first.commit(), { code: 'SHARDS_WRITER_OVERTAKEN' });
  assert.equal((await contentsOf(folder)).get(urlOf(1)), 'of the second');
});

test('an index of another layout is refused, unless it is rebuilt', async (context) => {
  const folder = await builtFolder(context, 3);
  const refused = { code: 'SHARDS_OTHER_LAYOUT' };
  await assert.rejects(openIndexWriter({ ...optionsOf(folder), shardCount: 3 }), refused);
  await assert.rejects(openIndexWriter({ ...optionsOf(folder), analyser: 'lucene-english' }), refused);
  await using writer = await openIndexWriter({ ...optionsOf(folder), shardCount: 3, rebuild: true });
  await writer.add(documentOf(1, 'new'));
  const { generation, commit, shardCount } = await writer.commit();
  assert.deepEqual({ generation, commit, shardCount }, { generation: 2, commit: 2, shardCount: 3 });
  await writer.update(documentOf(2, 'newer'));
  assert.equal((await writer.commit()).generation, 2);
  assert.deepEqual([...(await contentsOf(folder)).values()].sort(), ['new', 'newer']);
  assert.deepEqual(await currentGeneration(folder), writer.committed);
});

test('a reader opens the next commit over the memory that it has loaded', async (context) => {
  const folder = await builtFolder(context, 40);
  const older = await openGeneration(folder);
  await using writer = await openIndexWriter(optionsOf(folder));
  await writer.update(documentOf(3, 'new'));
  await writer.commit();
  const newer = await openGeneration(folder, older);
  const buffers = (open: typeof older) => open.shards.flat().map((segment) => segment.share().memory);
  const shared = buffers(newer).filter((buffer) => buffers(older).includes(buffer));
  assert.equal(shared.length, 2);
  assert.equal(newer.shards.flat().length, 3);
  assert.deepEqual(
    older.shards.flat().map(({ deletes }) => deletes),
    [undefined, undefined],
  );
  assert.deepEqual(
    newer.shards.flat().reduce((sum, { deletes }) => sum + (deletes ?? new RoaringBitmap32()).size, 0),
    1,
  );
  // The shared segment's pages can be read until the last snapshot lets go of it.
  older.close();
  older.close();
  assert.equal(
    newer.shards.flat().every((segment) => segment.stored(0).text !== ''),
    true,
  );
  newer.close();
});
