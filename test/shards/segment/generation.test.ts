import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { shardOf } from '../../../shards/partition/partitioner.ts';
import { currentGeneration, generationFolder, shardFolder } from '../../../shards/segment/current.ts';
import { attachGeneration, openGeneration } from '../../../shards/segment/generation.ts';
import { readManifest } from '../../../shards/segment/manifest.ts';
import { verifyGeneration } from '../../../shards/segment/verify-generation.ts';
import type { IndexDocument } from '../../../shards/values/document.ts';
import { urlKey } from '../../../shards/values/hash.ts';
import { openIndexWriter, type WriterOptions } from '../../../shards/writer/index-writer.ts';
import { indexDocument } from '../../helpers/index-documents.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const optionsOf = (folder: string): WriterOptions => ({
  folder,
  shardCount: 3,
  analyser: 'default',
  rebuild: true,
});

const documentsOf = (count: number, word: string): IndexDocument[] =>
  Array.from({ length: count }, (_, i) =>
    indexDocument(`http://h${i % 5}.example/${i}`, {
      fields: [{ field: 'body', text: `${word} number ${i}` }],
      storedText: `${word} number ${i}`,
    }),
  );

const build = async (options: WriterOptions, documents: readonly IndexDocument[]) => {
  const writer = await openIndexWriter(options);
  for (const document of documents) await writer.add(document);
  const info = await writer.commit();
  await writer.close();
  return info;
};

const countOf = async (folder: string, word: string): Promise<number> => {
  const open = await openGeneration(folder);
  try {
    return open.shards.flat().reduce((sum, segment) => sum + segment.documentFrequency(word), 0);
  } finally {
    open.close();
  }
};

test('documents go to the shard of their key and are all found', async (context) => {
  const folder = await tempFolder(context);
  const documents = documentsOf(100, 'granite');
  const info = await build(optionsOf(folder), documents);
  assert.equal(info.generation, 1);
  assert.equal(info.docCount, 100);
  const open = await openGeneration(folder);
  context.after(() => open.close());
  assert.equal(open.generation, 1);
  assert.equal(open.analyser, 'default');
  assert.deepEqual(open.slots, info.slots);
  assert.equal(open.shards.length, 3);
  for (const { url, storedText } of documents) {
    const key = urlKey(url);
    const found = open.shards[shardOf(open.slots, key)]?.flatMap((segment) => {
      const doc = segment.find(key);
      return doc < 0 ? [] : [segment.stored(doc).text];
    });
    assert.deepEqual(found, [storedText]);
  }
  const attached = attachGeneration(open.share());
  assert.equal(
    attached.shards.flat().reduce((sum, { docCount }) => sum + docCount, 0),
    100,
  );
  attached.close();
});

test('little memory makes several segments, with the same documents', async (context) => {
  const folder = await tempFolder(context);
  await build({ ...optionsOf(folder), shardCount: 2, memoryBytes: 200_000 }, documentsOf(600, 'granite'));
  const open = await openGeneration(folder);
  context.after(() => open.close());
  assert.ok(open.shards.flat().length > 4, String(open.shards.flat().length));
  assert.equal(await countOf(folder, 'granit'), 600);
  assert.equal(
    new Set(open.shards.flatMap((segments) => segments.flatMap((segment) => segment.key(0)))).size,
    open.shards.flat().length,
  );
  for (let shard = 0; shard < 2; shard += 1) {
    const { segments, nextSegmentId } = await readManifest(shardFolder(folder, 1, shard), 1);
    assert.equal(nextSegmentId, segments.length + 1);
  }
  assert.equal((await verifyGeneration(folder)).segmentCount, open.shards.flat().length);
});

test('a URL given twice is refused also when it lies in two segments', async (context) => {
  const folder = await tempFolder(context);
  const documents = documentsOf(600, 'granite');
  const writer = await openIndexWriter({ ...optionsOf(folder), shardCount: 1, memoryBytes: 100_000 });
  for (const document of documents) await writer.add(document);
  await assert.rejects(writer.add(documents[0] as IndexDocument), { code: 'SHARDS_DUPLICATE_URL' });
  await writer.close();
  assert.deepEqual(readdirSync(folder), []);
});

test('a generation counts only when CURRENT names it, and an interrupted one is cleared away', async (context) => {
  const folder = await tempFolder(context);
  await build(optionsOf(folder), documentsOf(10, 'granite'));
  // What a killed writer leaves: a new folder, whole or torn, and the temporary CURRENT.
  await mkdir(shardFolder(folder, 2, 0), { recursive: true });
  await writeFile(join(shardFolder(folder, 2, 0), '000001.idx'), 'torn');
  await writeFile(join(folder, 'CURRENT.tmp'), 'torn');
  assert.equal(await countOf(folder, 'granit'), 10);
  const writer = await openIndexWriter(optionsOf(folder));
  assert.deepEqual(await readdir(shardFolder(folder, 2, 0)), []);
  await writer.add(indexDocument('http://h/new', { fields: [{ field: 'body', text: 'basalt' }] }));
  assert.equal(await countOf(folder, 'basalt'), 0);
  assert.equal((await currentGeneration(folder))?.generation, 1);
  await writer.commit();
  assert.equal((await currentGeneration(folder))?.generation, 2);
  assert.equal(await countOf(folder, 'basalt'), 1);
  assert.equal(await countOf(folder, 'granit'), 0);
});

test('the generation before the one in force stays, older ones go', async (context) => {
  const folder = await tempFolder(context);
  for (let round = 1; round <= 4; round += 1) await build(optionsOf(folder), documentsOf(round, 'granite'));
  assert.deepEqual((await readdir(folder)).sort(), ['000003', '000004', 'CURRENT']);
});

test('an open generation goes on answering while newer ones replace it', async (context) => {
  const folder = await tempFolder(context);
  await build(optionsOf(folder), documentsOf(30, 'granite'));
  const old = await openGeneration(folder);
  context.after(() => old.close());
  for (let round = 0; round < 3; round += 1) await build(optionsOf(folder), documentsOf(5, 'basalt'));
  assert.equal(existsSync(generationFolder(folder, 1)), false);
  const texts = old.shards
    .flat()
    .flatMap((segment) => Array.from({ length: segment.docCount }, (_, doc) => segment.stored(doc).text));
  assert.equal(texts.length, 30);
  assert.ok(texts.every((text) => text.startsWith('granite')));
});

test('readers that open while writers commit always get one whole generation', async (context) => {
  const folder = await tempFolder(context);
  await build(optionsOf(folder), documentsOf(1, 'granite'));
  let isWriting = true;
  const writing = (async () => {
    for (let count = 2; count <= 12; count += 1)
      await build(optionsOf(folder), documentsOf(count, 'granite'));
    isWriting = false;
  })();
  let last = 1;
  while (isWriting) {
    const open = await openGeneration(folder);
    const docCount = open.shards.flat().reduce((sum, segment) => sum + segment.docCount, 0);
    assert.equal(docCount, open.generation);
    assert.ok(open.generation >= last);
    last = open.generation;
    open.close();
  }
  await writing;
  assert.equal((await currentGeneration(folder))?.generation, 12);
});

test('missing files of the generation in force are an error, not an endless search', async (context) => {
  const folder = await tempFolder(context);
  await assert.rejects(openGeneration(folder), { code: 'SHARDS_NO_INDEX' });
  await build(optionsOf(folder), documentsOf(3, 'granite'));
  await rm(generationFolder(folder, 1), { recursive: true });
  await assert.rejects(openGeneration(folder), { code: 'SHARDS_FILE_CORRUPT' });
});

test('closing leaves the generation in force and nothing else', async (context) => {
  const folder = await tempFolder(context);
  await build(optionsOf(folder), documentsOf(3, 'granite'));
  const writer = await openIndexWriter(optionsOf(folder));
  for (const document of documentsOf(50, 'basalt')) await writer.add(document);
  await writer.close();
  assert.deepEqual((await readdir(folder)).sort(), ['000001', 'CURRENT']);
  assert.equal(await countOf(folder, 'granit'), 3);
});

test('closing behind the swap of CURRENT leaves the new generation, which readers already open', async (context) => {
  const folder = await tempFolder(context);
  const writer = await openIndexWriter(optionsOf(folder));
  for (const document of documentsOf(3, 'granite')) await writer.add(document);
  await writer.commit();
  await writer.close();
  assert.equal(await countOf(folder, 'granit'), 3);
});

test('an empty generation is an index without documents', async (context) => {
  const folder = await tempFolder(context);
  const info = await build(optionsOf(folder), []);
  assert.equal(info.docCount, 0);
  const open = await openGeneration(folder);
  assert.deepEqual(open.shards, [[], [], []]);
  open.close();
});

/** Commits generation after generation, each with as many documents as its number, and says each number. */
const WRITER = `
  const { openIndexWriter } = await import(process.argv[1]);
  for (;;) {
    const writer = await openIndexWriter({ folder: process.argv[2], shardCount: 2, analyser: 'default',
      rebuild: true });
    const { readdirSync } = await import('node:fs');
    const number = Math.max(...readdirSync(process.argv[2]).map(Number).filter(Number.isFinite));
    for (let i = 0; i < number; i += 1) {
      await writer.add({ url: 'http://h/' + i, title: '', fields: [{ field: 'body', text: 'granite' }],
        storedText: 'granite', lang: 'en', type: 'text/html', fetchedAtMs: 0, staticScore: 0 });
    }
    await writer.commit();
    await writer.close();
    process.stdout.write(number + '\\n');
  }`;

test('a writer killed at any instant loses no committed generation and leaves nothing half', async (context) => {
  const folder = await tempFolder(context);
  const module = new URL('../../../shards/writer/index-writer.js', import.meta.url).href;
  let committed = 0;
  for (let round = 0; round < 4; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, module, folder]);
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
    });
    // Waits for a commit first, so that a slow machine gets as far as a fast one; then the blow falls somewhere.
    await once(child.stdout, 'data');
    await wait(round * 9);
    child.kill('SIGKILL');
    await once(child, 'close');
    committed = Number(output.trim().split('\n').at(-1));
    const open = await openGeneration(folder);
    assert.ok(open.generation === committed || open.generation === committed + 1);
    assert.equal(
      open.shards.flat().reduce((sum, { docCount }) => sum + docCount, 0),
      open.generation,
    );
    open.close();
    await verifyGeneration(folder);
  }
  assert.ok(committed >= 4);
});
