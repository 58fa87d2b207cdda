import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  importFiles,
  type LogRecord,
  type Normalise,
  openPageLogReader,
  openPageLogWriter,
} from '../../../indexer/index.ts';
import { type Clock, textHashOf, trustNormalUrl } from '../../../shards/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { pageOf } from '../archive/page-records.ts';

const NOW_MS = 1_700_000_000_000;
const clock: Clock = { nowMs: () => NOW_MS, monotonicMs: () => 0, sleep: () => Promise.resolve() };

/** Any URL of http(s) is in normal form when it is one at all. */
const normalise: Normalise = (url) =>
  /^https?:/i.test(url) && URL.canParse(url)
    ? { url: trustNormalUrl(new URL(url).href) }
    : { error: 'not of the web' };

const importing = async (
  context: TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly signal?: AbortSignal; readonly pages?: string } = {},
): Promise<{ readonly pages: string; readonly count: number }> => {
  const folder = await tempFolder(context);
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    paths.push(join(folder, name));
    await writeFile(join(folder, name), content);
  }
  const { pages = join(folder, 'pages'), ...rest } = options;
  const { documentCount } = await importFiles({ files: paths, folder: pages, normalise, clock, ...rest });
  return { pages, count: documentCount };
};

const recordsOf = async (pages: string): Promise<LogRecord[]> => {
  const records: LogRecord[] = [];
  for await (const { record } of openPageLogReader(pages).records()) records.push(record);
  return records;
};

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

test('a document with all its keys becomes a page record', async (context) => {
  const given = {
    url: 'HTTP://a.test/x',
    id: 'not used',
    title: 'A title',
    text: 'First.\nSecond.',
    anchors: ['what others say'],
    lang: 'de-AT',
    fetchedAt: '2024-05-01T10:00:00Z',
    other: { passed: 'over' },
  };
  const { pages, count } = await importing(context, { 'a.jsonl': line(given) });
  assert.equal(count, 1);
  assert.deepEqual(await recordsOf(pages), [
    {
      kind: 'page',
      url: 'http://a.test/x',
      redirects: [],
      fetchedAtMs: Date.UTC(2024, 4, 1, 10),
      fetchMs: 0,
      ip: '',
      status: 200,
      headers: {},
      charset: 'utf-8',
      type: 'text/plain',
      title: 'A title',
      fields: [
        { field: 'title', text: 'A title' },
        { field: 'body', text: 'First.\nSecond.' },
      ],
      links: [],
      lang: 'de',
      robots: { noindex: false, nofollow: false, noarchive: false },
      truncated: '',
      textHash: textHashOf('A title', 'First.\nSecond.'),
      depth: 0,
      anchors: ['what others say'],
    },
  ]);
});

test('files are read in order; ids, gzip, empty lines, CRLF, a byte order mark, no final line end', async (context) => {
  const { pages, count } = await importing(context, {
    'a.jsonl': `\ufeff{"id":"a b/ü","text":"x"}\r\n\r\n  \n{"id":7,"text":""}`,
    'b.jsonl.gz': gzipSync(line({ id: 'z', text: 'y', fetchedAt: 5 }) + line({ id: 'z', text: 'again' })),
  });
  assert.equal(count, 4);
  const records = await recordsOf(pages);
  assert.deepEqual(
    records.map(({ url, fetchedAtMs }) => [url, fetchedAtMs]),
    [
      ['id:a%20b%2F%C3%BC', NOW_MS],
      ['id:7', NOW_MS],
      ['id:z', 5],
      ['id:z', NOW_MS],
    ],
  );
});

const BAD_LINES: Readonly<Record<string, string>> = {
  '{"id":"1","text":"x"': 'not JSON',
  '["id"]': 'not a JSON object',
  null: 'not a JSON object',
  '{"text":"x"}': 'url or id is missing',
  '{"id":"","text":"x"}': 'url or id is missing',
  '{"id":1.5,"text":"x"}': 'url or id is missing',
  '{"id":"\\ud800","text":"x"}': 'url or id is missing',
  '{"url":"ftp://a/","text":"x"}': 'url must be an absolute http or https URL (not of the web)',
  '{"url":5,"text":"x"}': 'url must be an absolute http or https URL (not a string)',
  '{"id":"1"}': 'text must be a string',
  '{"id":"1","text":["x"]}': 'text must be a string',
  '{"id":"1","text":"x","title":1}': 'title must be a string',
  '{"id":"1","text":"x","anchors":"a"}': 'anchors must be an array of strings',
  '{"id":"1","text":"x","lang":"Deutsch (AT)"}': 'lang must be a language tag',
  '{"id":"1","text":"x","lang":null}': 'lang must be a language tag',
  '{"id":"1","text":"x","fetchedAt":"soon"}': 'fetchedAt must be a date',
  '{"id":"1","text":"x","fetchedAt":1e300}': 'fetchedAt must be a date',
};

test('a bad line names file and number, and nothing is imported', async (context) => {
  const pages = join(await tempFolder(context), 'pages');
  await using writer = await openPageLogWriter(pages);
  await writer.append(pageOf('http://a.test/'));
  await writer.close();
  const before = await readFile(join(pages, '000001.pages'));
  for (const [bad, reason] of Object.entries(BAD_LINES)) {
    const files = {
      'good.jsonl': line({ id: 1, text: 'x' }),
      'bad.jsonl': `${line({ id: 2, text: 'x' })}${bad}\n`,
    };
    await assert.rejects(
      importing(context, files, { pages }),
      (error: Error & { code: string; exit: number }) => {
        assert.equal(error.code, 'INDEXER_IMPORT_LINE');
        assert.equal(error.exit, 2);
        assert.ok(error.message.includes(`bad.jsonl, line 2: ${reason}`), error.message);
        return true;
      },
    );
    assert.deepEqual(await readFile(join(pages, '000001.pages')), before);
  }
});

test('bytes that are not UTF-8, a torn gzip file, a missing one', async (context) => {
  await assert.rejects(
    importing(context, { 'a.jsonl': Uint8Array.of(0x7b, 0xff, 0x7d) }),
    /a\.jsonl, line 1: not UTF-8/,
  );
  const torn = gzipSync(line({ id: 1, text: 'x'.repeat(1000) })).subarray(0, 30);
  const unreadable = { code: 'INDEXER_IMPORT_UNREADABLE', exit: 2 };
  await assert.rejects(importing(context, { 'a.jsonl.gz': torn }), unreadable);
  await assert.rejects(importing(context, { 'a.jsonl.gz': 'no gzip' }), unreadable);
  const folder = await tempFolder(context);
  for (const name of ['none.jsonl', 'none.jsonl.gz']) {
    const missing = importFiles({ files: [join(folder, name)], folder: join(folder, 'pages'), normalise });
    await assert.rejects(missing, unreadable);
  }
});

test('WARC and other kinds are refused before anything is read or made', async (context) => {
  const folder = await tempFolder(context);
  for (const name of ['a.warc', 'a.warc.gz', 'a.csv', 'a']) {
    const pages = join(folder, 'pages');
    await assert.rejects(importFiles({ files: [name], folder: pages, normalise }), {
      code: 'INDEXER_IMPORT_TYPE',
      exit: 2,
    });
    await assert.rejects(readFile(join(pages, '000001.pages')), { code: 'ENOENT' });
  }
});

test('an abort imports nothing', async (context) => {
  const pages = join(await tempFolder(context), 'pages');
  const many = Array.from({ length: 1000 }, (_, id) => line({ id, text: 'x' })).join('');
  const signal = AbortSignal.abort(new Error('stop'));
  await assert.rejects(importing(context, { 'a.jsonl': many }, { signal, pages }), /stop/);
  assert.deepEqual(await recordsOf(pages), []);
});

test('lines are found whatever the blocks in which they arrive', async (context) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 70_000 }), { maxLength: 12 }), async (lengths) => {
      const content = lengths.map((length, id) => line({ id, text: 'ü'.repeat(length) })).join('');
      const { pages } = await importing(context, { 'a.jsonl': content });
      const read = await recordsOf(pages);
      assert.deepEqual(
        read.map((record) => (record.kind === 'page' ? (record.fields[0]?.text.length ?? 0) : -1)),
        lengths,
      );
    }),
    { numRuns: 10 },
  );
});
