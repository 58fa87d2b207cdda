import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type LogRecord, openPageLogReader, openPageLogWriter } from '../../../indexer/index.ts';
import { encodeHeader, FOOTER_BYTES, HEADER_BYTES, trustNormalUrl } from '../../../shards/index.ts';
import { projectPath, workedExample } from '../../helpers/format-example.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const readAll = async (folder: string): Promise<LogRecord[]> => {
  const records: LogRecord[] = [];
  for await (const { record } of openPageLogReader(folder).records()) records.push(record);
  return records;
};

test('the worked example of FORMAT.md is what the writer writes and the reader reads', async (context) => {
  const folder = await tempFolder(context);
  const record: LogRecord = {
    kind: 'gone',
    url: trustNormalUrl('http://a/'),
    status: 404,
    fetchedAtMs: 1,
    reason: 'x',
  };
  const writer = await openPageLogWriter(folder);
  await writer.append(record);
  await writer.close();
  const path = join(folder, '000001.pages');
  const example = workedExample('indexer/archive/FORMAT.md');
  assert.deepEqual(await readFile(path), Buffer.from(example));
  await writeFile(path, example);
  assert.deepEqual(await readAll(folder), [record]);
  const end = await readFile(join(folder, 'END'));
  const body = end.subarray(HEADER_BYTES, -FOOTER_BYTES);
  assert.deepEqual(body, Buffer.from(workedExample('indexer/archive/FORMAT.md', 'The body of its END')));
});

test('golden: the log that version 1 wrote is read for ever', async () => {
  const records = await readAll(projectPath('test/golden/page-log-v1'));
  const hello = 'Hello, world. '.repeat(20);
  assert.deepEqual(records, [
    {
      kind: 'page',
      url: 'http://a.test/',
      redirects: ['http://a.test/go'],
      fetchedAtMs: 1_700_000_000_123,
      fetchMs: 12.5,
      ip: '127.0.0.1',
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', etag: '"1"' },
      charset: 'utf-8',
      type: 'text/html',
      body: Buffer.from(`<title>Grüße</title><p>${hello}`),
      title: 'Grüße',
      fields: [
        { field: 'title', text: 'Grüße' },
        { field: 'body', text: hello.trim() },
      ],
      links: [{ url: 'http://b.test/', anchor: 'B \u{1f600}', rel: 'nofollow' }],
      lang: 'en',
      robots: { noindex: false, nofollow: false, noarchive: true },
      canonical: 'http://a.test/',
      refresh: { delayS: 0, url: 'http://b.test/' },
      truncated: 'length',
      textHash: '0123456789abcdef',
      depth: 3,
    },
    {
      kind: 'redirect',
      url: 'http://a.test/old',
      target: 'http://a.test/',
      status: 301,
      fetchedAtMs: 1_700_000_000_124,
    },
    {
      kind: 'gone',
      url: 'http://a.test/dead',
      status: 410,
      fetchedAtMs: 1_700_000_000_125,
      reason: 'gone',
    },
    {
      kind: 'page',
      url: 'id:1',
      redirects: [],
      fetchedAtMs: 0,
      fetchMs: 0,
      ip: '',
      status: 200,
      headers: {},
      charset: 'utf-8',
      type: 'text/plain',
      title: '',
      fields: [{ field: 'body', text: 'imported '.repeat(30) }],
      links: [],
      lang: '',
      robots: { noindex: false, nofollow: false, noarchive: false },
      truncated: '',
      textHash: 'ffffffffffffffff',
      depth: 0,
      anchors: ['one', 'two'],
    },
  ]);
});

test('a log of a later version is refused by reader and writer, and stays as it is', async (context) => {
  const folder = await tempFolder(context);
  const path = join(folder, '000001.pages');
  const later = encodeHeader({ name: 'page-log', version: 2, oldestVersion: 1, remedy: '' });
  await writeFile(path, later);
  await assert.rejects(readAll(folder), { code: 'SHARDS_FILE_TOO_NEW', exit: 2 });
  await assert.rejects(openPageLogWriter(folder), { code: 'SHARDS_FILE_TOO_NEW' });
  assert.deepEqual(await readFile(path), Buffer.from(later));
});
