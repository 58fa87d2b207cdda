import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { IN_LINKS_FORMAT, PAGES_FORMAT } from '../../../indexer/tables/index-memory.ts';
import { readRows, writeRows } from '../../../indexer/tables/sealed-rows.ts';
import { openSealed } from '../../../shards/index.ts';
import { workedExample } from '../../helpers/format-example.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

const all = async <Row>(rows: AsyncIterable<Row>): Promise<Row[]> => {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
};

test('rows come back as they were written, also across the blocks that they are read in', async (context) => {
  const file = join(await tempFolder(context), 'rows');
  const fields = { url: fc.string(), count: fc.integer(), list: fc.array(fc.string()) };
  const row = fc.record(fields, { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(fc.array(row), async (rows) => {
      await writeRows(file, PAGES_FORMAT, each(rows));
      assert.deepEqual(await all(readRows(file, PAGES_FORMAT)), rows);
    }),
    { numRuns: 50 },
  );
  const long = Array.from({ length: 40 }, (_, i) => ({ i, text: 'x'.repeat(i * 3000) }));
  await writeRows(file, PAGES_FORMAT, each(long));
  assert.deepEqual(await all(readRows(file, PAGES_FORMAT)), long);
});

test('the worked example of the format is what is written', async (context) => {
  const file = join(await tempFolder(context), 'rows');
  await writeRows<unknown>(file, PAGES_FORMAT, each([1, { a: 2 }]));
  const { body } = openSealed(await readFile(file), PAGES_FORMAT, file);
  assert.deepEqual(Buffer.from(body), Buffer.from(workedExample('indexer/tables/FORMAT.md')));
});

test('no row comes from a file that is damaged, cut or another table', async (context) => {
  const file = join(await tempFolder(context), 'rows');
  await writeRows(file, PAGES_FORMAT, each([{ a: 1 }, { b: 'two' }]));
  const whole = await readFile(file);
  await assert.rejects(all(readRows(file, IN_LINKS_FORMAT)), { code: 'SHARDS_FILE_CORRUPT' });
  for (let at = 0; at < whole.length; at += 1) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 0x10;
    await writeFile(file, flipped);
    await assert.rejects(all(readRows(file, PAGES_FORMAT)), /rebuild/, `byte ${at}`);
    await writeFile(file, whole.subarray(0, at));
    await assert.rejects(all(readRows(file, PAGES_FORMAT)), { code: 'SHARDS_FILE_CORRUPT' }, `cut at ${at}`);
  }
});
