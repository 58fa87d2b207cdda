import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CrawlStore } from '../../../crawler/frontier/store.ts';
import { storeFileProblem } from '../../../crawler/frontier/store-file.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const META_BYTES = 2 * 4096;

describe('store file', () => {
  it('has no problem when LMDB wrote it, and none when it is empty', async (context) => {
    const folder = await tempFolder(context);
    const file = join(folder, 'data.mdb');
    for (let round = 1; round <= 3; round += 1) {
      const store = CrawlStore.open(folder);
      for (let index = 0; index < 200; index += 1) store.putMeta(`${round} ${index}`, 'x'.repeat(100));
      await store.commit();
      assert.equal(storeFileProblem(file), undefined, 'beside the writer');
      await store.close();
      assert.equal(storeFileProblem(file), undefined);
    }
    truncateSync(file, 0);
    assert.equal(storeFileProblem(file), undefined);
  });

  it('is refused when it is a folder', async (context) => {
    const folder = await tempFolder(context);
    assert.match(storeFileProblem(folder) ?? '', /is a folder$/);
  });

  it('is refused when it is cut off or begins like something else', async (context) => {
    const folder = await tempFolder(context);
    const file = join(folder, 'data.mdb');
    const store = CrawlStore.open(folder);
    store.putMeta('something', 1);
    await store.close();
    const whole = readFileSync(file);
    const damages: readonly (readonly [Buffer, RegExp])[] = [
      [Buffer.from('hello'), /does not begin like an LMDB file/],
      [Buffer.alloc(META_BYTES * 2), /does not begin like an LMDB file/],
      [Buffer.from(whole.subarray(0, 5000)).fill(0, 4096), /no second meta page/],
      [whole.subarray(0, META_BYTES), /is cut off after 8192 bytes/],
    ];
    for (const [bytes, reason] of damages) {
      writeFileSync(file, bytes);
      assert.match(storeFileProblem(file) ?? '', reason);
      for (const readOnly of [true, false]) {
        assert.throws(() => CrawlStore.open(folder, { readOnly }), {
          code: 'CRAWL_STORE_UNREADABLE',
          exit: 1,
          message: reason,
        });
      }
      assert.deepEqual(readFileSync(file), Buffer.from(bytes));
    }
  });
});
