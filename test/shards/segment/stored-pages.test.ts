import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { StoredPages } from '../../../shards/segment/stored-pages.ts';
import { StoredPagesWriter, type StoredText } from '../../../shards/segment/stored-pages-writer.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const writePages = async (path: string, pages: readonly StoredText[]) => {
  const writer = await StoredPagesWriter.create(path);
  const blocks: number[] = [];
  const offsets: number[] = [];
  for (const page of pages) {
    const place = await writer.add(page);
    blocks.push(place.block);
    offsets.push(place.offset);
  }
  const seal = await writer.finish();
  return { stored: new StoredPages(path, seal), blocks, offsets };
};

test('pages come back in any order, small ones share a block, and blocks leave the cache', async (context) => {
  const folder = await tempFolder(context);
  const pages = Array.from({ length: 1000 }, (_, i) => ({
    url: `http://h/${i}`,
    title: `Page ${i}`,
    text: i === 500 ? 'x'.repeat(3_000_000) : `page ${i} `.repeat(100 + (i % 100)),
  }));
  const { stored, blocks, offsets } = await writePages(join(folder, 'many.pages'), pages);
  context.after(() => stored.close());
  const blockCount = new Set(blocks).size;
  assert.ok(blockCount > 20 && blockCount < 100, String(blockCount));
  for (const step of [1, 37, 501]) {
    for (let i = 0; i < pages.length; i += 1) {
      const at = (i * step) % pages.length;
      assert.deepEqual(stored.read(blocks[at] ?? -1, offsets[at] ?? -1), pages[at]);
    }
  }
});

test('any strings come back, lone surrogates as U+FFFD', async (context) => {
  const folder = await tempFolder(context);
  const text = fc.string({ unit: 'binary' });
  const page = fc.record({ url: text, title: text, text });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(page), async (pages) => {
      round += 1;
      const { stored, blocks, offsets } = await writePages(join(folder, `${round}.pages`), pages);
      pages.forEach((expected, i) => {
        const back = stored.read(blocks[i] ?? -1, offsets[i] ?? -1);
        for (const name of ['url', 'title', 'text'] as const)
          assert.equal(back[name], Buffer.from(expected[name]).toString());
      });
      stored.close();
    }),
    { numRuns: 30 },
  );
});

test('a place that no page has is damage, not garbage', async (context) => {
  const folder = await tempFolder(context);
  const { stored } = await writePages(join(folder, 'one.pages'), [{ url: 'u', title: 't', text: 'x' }]);
  context.after(() => stored.close());
  assert.throws(() => stored.read(1, 0), { code: 'SHARDS_FILE_CORRUPT' });
  assert.throws(() => stored.read(0, 100), { code: 'SHARDS_READ_OVERRUN' });
});
