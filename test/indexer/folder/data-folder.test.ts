import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureDataFolder, openDataFolder } from '../../../indexer/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

test('ensureDataFolder makes the layout of FORMAT.md, and openDataFolder opens it', async (context) => {
  const root = join(await tempFolder(context), 'deep', 'data');
  const made = await ensureDataFolder(root);
  assert.deepEqual((await readdir(root)).sort(), [
    'config.json',
    'crawl',
    'graph',
    'pages',
    'shards',
    'stats',
  ]);
  assert.deepEqual(JSON.parse(await readFile(join(root, 'config.json'), 'utf8')), {
    format: 'quarry-data',
    version: 1,
  });
  assert.equal(made.pages, join(root, 'pages'));
  assert.deepEqual(await openDataFolder(root), made);
  assert.deepEqual(await ensureDataFolder(root), made);
});

test('a missing or empty folder cannot be opened, and opening makes nothing', async (context) => {
  const folder = await tempFolder(context);
  await assert.rejects(openDataFolder(join(folder, 'none')), { code: 'INDEXER_FOLDER_MISSING', exit: 2 });
  await assert.rejects(openDataFolder(folder), { code: 'INDEXER_FOLDER_MISSING' });
  assert.deepEqual(await readdir(folder), []);
});

test('a folder of another version is refused with exit status 2 and left as it was', async (context) => {
  const root = await tempFolder(context);
  const marker = '{"format":"quarry-data","version":7}';
  await writeFile(join(root, 'config.json'), marker);
  for (const open of [openDataFolder, ensureDataFolder]) {
    await assert.rejects(open(root), (error: Error & { code: string; exit: number }) => {
      assert.equal(error.code, 'INDEXER_FOLDER_VERSION');
      assert.equal(error.exit, 2);
      assert.match(error.message, /found 7, expected 1/);
      return true;
    });
  }
  assert.deepEqual(await readdir(root), ['config.json']);
  assert.equal(await readFile(join(root, 'config.json'), 'utf8'), marker);
});

test('a folder with other files is not taken over', async (context) => {
  const root = await tempFolder(context);
  await writeFile(join(root, 'thesis.txt'), 'mine');
  await assert.rejects(ensureDataFolder(root), { code: 'INDEXER_FOLDER_FOREIGN', exit: 2 });
  await assert.rejects(openDataFolder(root), { code: 'INDEXER_FOLDER_FOREIGN' });
  await writeFile(join(root, 'config.json'), '{"name":"something else"}');
  await assert.rejects(ensureDataFolder(root), { code: 'INDEXER_FOLDER_FOREIGN' });
});

test('a torn marker is damage, exit status 1', async (context) => {
  for (const text of ['', '{"format":', '[]x', '3']) {
    const root = await tempFolder(context);
    await writeFile(join(root, 'config.json'), text);
    await assert.rejects(openDataFolder(root), { code: 'INDEXER_FOLDER_DAMAGED', exit: 1 });
  }
});

test('a creation that was killed before the marker is finished', async (context) => {
  const root = await tempFolder(context);
  await mkdir(join(root, 'crawl'));
  await writeFile(join(root, 'config.json.tmp'), '{"for');
  const made = await ensureDataFolder(root);
  assert.deepEqual(await openDataFolder(root), made);
});

test('a path below a file is refused in one sentence', async (context) => {
  const root = await tempFolder(context);
  await writeFile(join(root, 'file'), '');
  await assert.rejects(ensureDataFolder(join(root, 'file', 'data')), {
    code: 'INDEXER_FOLDER_UNUSABLE',
    exit: 2,
  });
  await assert.rejects(openDataFolder(join(root, 'file')), { code: 'INDEXER_FOLDER_UNUSABLE' });
});

test('a folder where none can be made is refused at once', {
  skip: process.platform === 'linux' ? false : 'only Linux has /proc',
  timeout: 10_000,
}, async () => {
  for (const path of ['/proc/quarry-data', '/proc/deep/quarry-data']) {
    await assert.rejects(ensureDataFolder(path), { code: 'INDEXER_FOLDER_UNUSABLE', exit: 2 });
  }
});

test('a folder in place of the marker is damage and is named', async (context) => {
  const root = await tempFolder(context);
  await mkdir(join(root, 'config.json'));
  for (const open of [openDataFolder, ensureDataFolder]) {
    await assert.rejects(open(root), {
      code: 'INDEXER_FOLDER_DAMAGED',
      message: /config\.json is damaged: it is a folder; put it back/,
    });
  }
});
