import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type LogRecord,
  openPageLogReader,
  openPageLogWriter,
  type PageSource,
  pageLogStatus,
} from '../../../indexer/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { goneOf, pageOf, redirectOf } from './page-records.ts';

const all = async (source: PageSource): Promise<LogRecord[]> => {
  const records: LogRecord[] = [];
  for await (const { record } of source.records()) records.push(record);
  return records;
};

const urls = async (folder: string): Promise<string[]> =>
  (await all(openPageLogReader(folder))).map(({ url }) => url);

test('a folder that does not exist is an empty log', async (context) => {
  const folder = join(await tempFolder(context), 'pages');
  assert.deepEqual(await urls(folder), []);
});

test('what was synced comes back equal, in order and by location', async (context) => {
  const folder = await tempFolder(context);
  const records = [
    pageOf('http://a.test/', 'long '.repeat(1000)),
    redirectOf('http://a.test/old', 'http://a.test/'),
    goneOf('http://a.test/gone'),
    pageOf('http://a.test/2', 'Grüße, 世界 \u{1f600}', {
      body: new Uint8Array(0),
      headers: { __proto: 'x' },
    }),
  ];
  const writer = await openPageLogWriter(folder);
  const locations = await Promise.all(records.map((record) => writer.append(record)));
  await writer.sync();
  const reader = openPageLogReader(folder);
  const read = await all(reader);
  assert.deepEqual(read.map(plain), records.map(plain));
  for (const [index, location] of locations.entries()) {
    assert.deepEqual(plain(await reader.read(location)), plain(records[index] as LogRecord));
  }
  await writer.close();
});

/** Bodies come back as Buffer; deepEqual tells it from Uint8Array. */
const plain = (record: LogRecord): unknown =>
  record.kind === 'page' && record.body !== undefined
    ? { ...record, body: Buffer.from(record.body).toString('hex') }
    : record;

test('a reader sees synced records only, while the writer goes on', async (context) => {
  const folder = await tempFolder(context);
  const writer = await openPageLogWriter(folder, { bufferBytes: 1 });
  await writer.append(pageOf('http://a.test/1'));
  await writer.sync();
  await writer.append(pageOf('http://a.test/2'));
  assert.deepEqual(await urls(folder), ['http://a.test/1']);
  await writer.sync();
  assert.deepEqual(await urls(folder), ['http://a.test/1', 'http://a.test/2']);
  await writer.close();
});

test('the log rolls over to new files and goes on in the last after a reopening', async (context) => {
  const folder = await tempFolder(context);
  const expected: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    await using writer = await openPageLogWriter(folder, { rollBytes: 2000 });
    for (let page = 0; page < 10; page += 1) {
      const url = `http://a.test/${round}/${page}`;
      expected.push(url);
      await writer.append(pageOf(url, url.repeat(20)));
    }
  }
  assert.deepEqual(await urls(folder), expected);
  assert.ok((await stat(join(folder, '000004.pages'))).size <= 2000);
});

test('the status counts synced records, files and bytes', async (context) => {
  const folder = await tempFolder(context);
  assert.deepEqual(await pageLogStatus(folder), { recordCount: 0, fileCount: 0, bytes: 0 });
  await threeFiles(folder);
  const paths = ['000001.pages', '000002.pages', '000003.pages', '000004.pages'].map((name) =>
    join(folder, name),
  );
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.deepEqual(await pageLogStatus(folder), { recordCount: 12, fileCount: 4, bytes });
});

test('rollback forgets everything since the last sync, over several files', async (context) => {
  const folder = await tempFolder(context);
  const writer = await openPageLogWriter(folder, { rollBytes: 1000, bufferBytes: 1 });
  await writer.append(pageOf('http://a.test/kept'));
  await writer.sync();
  for (let page = 0; page < 20; page += 1) await writer.append(pageOf(`http://a.test/${page}`));
  await writer.rollback();
  await writer.append(pageOf('http://a.test/after'));
  await writer.close();
  assert.deepEqual(await urls(folder), ['http://a.test/kept', 'http://a.test/after']);
});

test('a torn tail of any length is cut off at the next opening', async (context) => {
  const folder = await tempFolder(context);
  const path = join(folder, '000001.pages');
  const writer = await openPageLogWriter(folder);
  await writer.append(pageOf('http://a.test/1'));
  await writer.close();
  const whole = await readFile(path);
  const second = await openPageLogWriter(folder);
  await second.append(pageOf('http://a.test/2'));
  await second.close();
  const bytes = await readFile(path);
  for (let size = whole.length; size < bytes.length; size += 41) {
    await writeFile(path, bytes.subarray(0, size));
    await rm(join(folder, 'END'), { force: true });
    assert.deepEqual(await urls(folder), ['http://a.test/1'], `${size} bytes`);
    const third = await openPageLogWriter(folder);
    assert.equal((await stat(path)).size, whole.length);
    await third.append(pageOf('http://a.test/3'));
    await third.close();
    assert.deepEqual(await urls(folder), ['http://a.test/1', 'http://a.test/3']);
  }
});

test('bytes of zero after the last sync, as after a power failure, are cut off too', async (context) => {
  const folder = await tempFolder(context);
  const writer = await openPageLogWriter(folder);
  await writer.append(pageOf('http://a.test/1'));
  await writer.close();
  await appendFile(join(folder, '000001.pages'), Buffer.alloc(5000));
  assert.deepEqual(await urls(folder), ['http://a.test/1']);
  await (await openPageLogWriter(folder)).close();
  assert.deepEqual(await urls(folder), ['http://a.test/1']);
});

const threeFiles = async (folder: string): Promise<void> => {
  await using writer = await openPageLogWriter(folder, { rollBytes: 1500 });
  for (let page = 0; page < 12; page += 1) {
    await writer.append(pageOf(`http://a.test/${page}`));
    await writer.sync();
  }
};

test('a torn middle is an error with file and offset', async (context) => {
  const folder = await tempFolder(context);
  await threeFiles(folder);
  const second = join(folder, '000002.pages');
  await truncate(second, (await stat(second)).size - 3);
  await assert.rejects(urls(folder), (error: Error & { code: string }) => {
    assert.equal(error.code, 'INDEXER_LOG_DAMAGED');
    assert.match(error.message, /000002\.pages is damaged at byte \d+: the file ends inside a frame/);
    return true;
  });
  await rm(second);
  await assert.rejects(urls(folder), { code: 'INDEXER_LOG_FILE_MISSING' });
});

test('records lost at a frame border are found by the count in the next mark', async (context) => {
  const folder = await tempFolder(context);
  await threeFiles(folder);
  const first = join(folder, '000001.pages');
  const reader = openPageLogReader(folder);
  const offsets: number[] = [];
  for await (const { location } of reader.records())
    if (location.file === 1) offsets.push(location.offsetBytes);
  await truncate(first, offsets.at(-1) ?? 0);
  await assert.rejects(urls(folder), /records stand before this mark/);
});

test('damage before a sync mark also stops the writer, and nothing is cut off', async (context) => {
  const folder = await tempFolder(context);
  await using writer = await openPageLogWriter(folder);
  await writer.append(pageOf('http://a.test/1'));
  await writer.sync();
  await writer.append(pageOf('http://a.test/2'));
  await writer.sync();
  const path = join(folder, '000001.pages');
  const bytes = await readFile(path);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await assert.rejects(openPageLogWriter(folder), { code: 'INDEXER_LOG_DAMAGED' });
  assert.deepEqual(await readFile(path), bytes);
});

test('a log that was cut short after an orderly close is damage, for reader and writer', async (context) => {
  const folder = await tempFolder(context);
  const path = join(folder, '000001.pages');
  const writer = await openPageLogWriter(folder);
  for (const page of [1, 2, 3]) {
    await writer.append(pageOf(`http://a.test/${page}`));
    await writer.sync();
  }
  await writer.close();
  const bytes = await readFile(path);
  for (const lost of [1, 48, 600, bytes.length - 40, bytes.length - 10]) {
    await writeFile(path, bytes.subarray(0, bytes.length - lost));
    const damage = { code: 'INDEXER_LOG_DAMAGED', exit: 1 };
    await assert.rejects(urls(folder), damage, `${lost} bytes`);
    await assert.rejects(openPageLogWriter(folder), damage, `${lost} bytes`);
    assert.equal((await stat(path)).size, bytes.length - lost, 'left as it was');
  }
  await rm(path);
  await assert.rejects(urls(folder), /the last 3 records are cut off/);
});

test('a log without a record leaves no file behind', async (context) => {
  const folder = await tempFolder(context);
  const writer = await openPageLogWriter(folder);
  await writer.sync();
  await writer.append(pageOf('http://a.test/'));
  await writer.rollback();
  await writer.close();
  assert.deepEqual(await readdir(folder), []);
  assert.deepEqual(await urls(folder), []);
});

test('a closed writer refuses with its code, and closing twice is harmless', async (context) => {
  const writer = await openPageLogWriter(await tempFolder(context));
  await writer.close();
  await writer.close();
  await assert.rejects(writer.append(pageOf('http://a.test/')), { code: 'INDEXER_LOG_CLOSED' });
  await assert.rejects(writer.sync(), { code: 'INDEXER_LOG_CLOSED' });
});
