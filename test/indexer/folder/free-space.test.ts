import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeDiskBytes, requireDiskBytes } from '../../../indexer/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

test('what is free is enough, more is refused with both figures', async (context) => {
  const folder = await tempFolder(context);
  assert.ok((await freeDiskBytes(folder)) > 0);
  await requireDiskBytes(folder, 1);
  await assert.rejects(requireDiskBytes(folder, 1e18), (error: Error & { code: string; exit: number }) => {
    assert.equal(error.code, 'INDEXER_DISK_LOW');
    assert.equal(error.exit, 1);
    assert.match(error.message, /has \d+ MB left and 1000000000000 MB are needed/);
    return true;
  });
});
