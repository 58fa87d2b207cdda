import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFileAtomically } from '../../../shards/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

test('the file holds all parts, and no temporary file stays', async (context) => {
  const folder = await tempFolder(context);
  const file = join(folder, 'f');
  await writeFile(file, 'old');
  assert.equal(await writeFileAtomically(file, [Buffer.from('new '), Buffer.from('text')]), 8);
  assert.equal(await readFile(file, 'utf8'), 'new text');
  assert.deepEqual(await readdir(folder), ['f']);
});

test('a failure in the middle leaves the old file and nothing else', async (context) => {
  const folder = await tempFolder(context);
  const file = join(folder, 'f');
  await writeFile(file, 'old');
  function* parts(): Generator<Uint8Array> {
    yield Buffer.from('half');
    throw new Error('no more');
  }
  await assert.rejects(writeFileAtomically(file, parts()), /no more/);
  assert.equal(await readFile(file, 'utf8'), 'old');
  assert.deepEqual(await readdir(folder), ['f']);
});

test('a full disk has an error of its own', async (context) => {
  const file = join(await tempFolder(context), 'f');
  function* parts(): Generator<Uint8Array> {
    yield Buffer.from('half');
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  }
  await assert.rejects(writeFileAtomically(file, parts()), { code: 'SHARDS_DISK_FULL', exit: 1 });
});
