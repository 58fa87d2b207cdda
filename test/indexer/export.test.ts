import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import {
  type ExportRow,
  type ExtraExportField,
  ensureDataFolder,
  exportRows,
  openPageLogWriter,
} from '../../indexer/index.ts';
import { trustNormalUrl } from '../../shards/index.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { goneOf, pageOf, redirectOf } from './archive/page-records.ts';

const AT = '2023-11-14T22:13:20.000Z';

const rowsOf = async (context: TestContext, extra?: readonly ExtraExportField[]): Promise<ExportRow[]> => {
  const folder = await ensureDataFolder(await tempFolder(context));
  await using writer = await openPageLogWriter(folder.pages);
  const links = [{ url: trustNormalUrl('http://a.test/copy'), anchor: 'the copy', rel: '' }];
  await writer.append(pageOf('http://b.test/', 'from b', { links }));
  await writer.append(pageOf('http://a.test/copy', 'same', { title: 'Same' }));
  await writer.append(pageOf('http://a.test/', 'same', { title: 'Same', anchors: ['given'] }));
  await writer.append(redirectOf('http://a.test/old', 'http://a.test/older'));
  await writer.append(redirectOf('http://a.test/older', 'http://a.test/copy'));
  await writer.append(redirectOf('http://a.test/away', 'http://c.test/'));
  await writer.append(goneOf('http://a.test/dead', 'HTTP 404'));
  await writer.append(pageOf('http://a.test/x.png', '', { type: 'image/png', title: '', fields: [] }));
  await writer.sync();
  const rows: ExportRow[] = [];
  for await (const row of exportRows({ folder, ...(extra === undefined ? {} : { extra }) })) rows.push(row);
  assert.ok(!(await readdir(folder.root)).some((name) => name.startsWith('scratch')));
  return rows;
};

test('one row per URL, in segment order, with what it leads to', async (context) => {
  const page = { status: 200, fetchedAt: AT, lang: 'en' };
  const same = { ...page, type: 'text/html', title: 'Same', bytes: 7 };
  assert.deepEqual(await rowsOf(context), [
    { url: 'http://a.test/', ...same },
    { url: 'http://a.test/away', status: 301, fetchedAt: AT, redirectTo: 'http://c.test/' },
    { url: 'http://a.test/copy', ...same, duplicateOf: 'http://a.test/' },
    { url: 'http://a.test/dead', status: 404, fetchedAt: AT, error: 'HTTP 404' },
    { url: 'http://a.test/old', status: 301, fetchedAt: AT, redirectTo: 'http://a.test/' },
    { url: 'http://a.test/older', status: 301, fetchedAt: AT, redirectTo: 'http://a.test/' },
    { url: 'http://a.test/x.png', ...page, type: 'image/png', title: '', bytes: 3 },
    { url: 'http://b.test/', ...page, type: 'text/html', title: 'Title of http://b.test/', bytes: 9 },
  ]);
});

test('text, links, anchors and static score when asked for', async (context) => {
  const rows = await rowsOf(context, ['text', 'links', 'anchors', 'staticScore']);
  const [kept] = rows.filter(({ url }) => url === 'http://a.test/');
  assert.equal(kept?.text, 'same');
  assert.deepEqual(kept?.anchors, ['given', 'the copy']);
  assert.ok((kept?.staticScore ?? 0) > 0);
  const [linking] = rows.filter(({ url }) => url === 'http://b.test/');
  assert.deepEqual(linking?.links, [{ url: 'http://a.test/copy', anchor: 'the copy', rel: '' }]);
  assert.equal(linking?.staticScore, 0);
  const [redirect] = rows.filter(({ url }) => url === 'http://a.test/old');
  assert.equal(redirect?.text, undefined);
});
