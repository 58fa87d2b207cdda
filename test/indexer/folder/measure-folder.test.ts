import assert from 'node:assert/strict';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { measureFolder } from '../../../indexer/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

test('files of all folders below are added up', async (context) => {
  const folder = await tempFolder(context);
  assert.deepEqual(await measureFolder(folder), { lengthBytes: 0, diskBytes: 0 });
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
  await writeFile(join(folder, 'one'), Buffer.alloc(10, 1));
  await writeFile(join(folder, 'a', 'b', 'two'), Buffer.alloc(5, 1));
  assert.equal((await measureFolder(folder)).lengthBytes, 15);
});

test('a sparse file takes of the disk what it holds', async (context) => {
  const folder = await tempFolder(context);
  const file = await open(join(folder, 'sparse'), 'w');
  await file.truncate(64 * 2 ** 20);
  await file.close();
  const { lengthBytes, diskBytes } = await measureFolder(folder);
  assert.equal(lengthBytes, 64 * 2 ** 20);
  assert.ok(diskBytes < 2 ** 20, String(diskBytes));
});

test('no folder, and files that go while they are measured, are no error', async (context) => {
  const folder = await tempFolder(context);
  assert.deepEqual(await measureFolder(join(folder, 'nothing')), { lengthBytes: 0, diskBytes: 0 });
  const names = Array.from({ length: 200 }, (_, index) => join(folder, `${index}`));
  for (const name of names) await writeFile(name, 'x');
  const removing = Promise.all(names.map((name) => rm(name)));
  assert.ok((await measureFolder(folder)).lengthBytes <= 200);
  await removing;
});
