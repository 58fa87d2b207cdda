import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import type { LogRecord, PageLink, PageSource } from '../../../indexer/index.ts';
import { buildDocument } from '../../../indexer/jobs/build-documents.ts';
import { type LogSurvey, surveyLog } from '../../../indexer/jobs/survey-log.ts';
import { type IndexDocument, trustNormalUrl } from '../../../shards/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { goneOf, pageOf, redirectOf } from '../archive/page-records.ts';

const LIMITS = { anchorsPerTarget: 100, ownSiteAnchorsPerTarget: 10, ownSiteLinkPercent: 25 };
const SETTINGS = { ownSiteLinkPercent: 25, staticScorePercent: 100 };

const sourceOf = (records: readonly LogRecord[]): PageSource => ({
  // oxlint-disable-next-line typescript/require-await -- an array as the asynchronous source
  async *records() {
    for (const [index, record] of records.entries()) {
      yield { location: { file: 1, offsetBytes: index }, record };
    }
  },
  read: () => Promise.reject(new Error('not read by location')),
});

const link = (url: string, anchor = '', rel = ''): PageLink => ({ url: trustNormalUrl(url), anchor, rel });

const documentsOf = async (survey: LogSurvey): Promise<IndexDocument[]> => {
  const documents: IndexDocument[] = [];
  for await (const { isDocument, page, inLinks } of survey.changes(LIMITS)) {
    if (isDocument && page !== undefined) documents.push(buildDocument(page, inLinks, SETTINGS));
  }
  return documents;
};

const WEB: readonly LogRecord[] = [
  pageOf('http://a.test/', 'start', {
    links: [
      link('http://b.test/old', 'Manual'),
      link('http://b.test/copy', 'manual'),
      link('http://a.test/', 'myself'),
      link('http://a.test/inner', 'Inner'),
      link('http://b.test/', 'advert', 'nofollow'),
    ],
  }),
  pageOf('http://b.test/copy', 'the manual', {
    title: 'Manual',
    links: [link('http://a.test/', 'from copy')],
  }),
  redirectOf('http://b.test/old', 'http://b.test/older'),
  redirectOf('http://b.test/older', 'http://b.test/'),
  pageOf('http://b.test/', 'the manual', { title: 'Manual', links: [link('http://a.test/', 'Start')] }),
  pageOf('http://a.test/inner', 'inner', { redirects: [trustNormalUrl('http://a.test/go')] }),
  pageOf('http://a.test/hidden', 'x', { robots: { noindex: true, nofollow: false, noarchive: false } }),
  pageOf('http://a.test/a.pdf', 'pdf', { type: 'application/pdf' }),
  pageOf('http://a.test/dead', 'was here'),
  goneOf('http://a.test/dead'),
  redirectOf('http://a.test/loop', 'http://a.test/loop2'),
  redirectOf('http://a.test/loop2', 'http://a.test/loop'),
  redirectOf('http://a.test/nowhere', 'http://a.test/dead'),
];

test('documents, duplicates, redirects and anchors of a small web', async (context) => {
  const scratchFolder = await tempFolder(context);
  const survey = await surveyLog(sourceOf(WEB), { scratchFolder, memoryBytes: 1 << 20 });
  assert.equal(survey.documentCount, 3);
  assert.deepEqual([...survey.duplicates], [['http://b.test/copy', 'http://b.test/']]);
  assert.deepEqual(Object.fromEntries(survey.aliases), {
    'http://a.test/go': 'http://a.test/inner',
    'http://b.test/copy': 'http://b.test/',
    'http://b.test/old': 'http://b.test/',
    'http://b.test/older': 'http://b.test/',
  });
  const documents = await documentsOf(survey);
  assert.deepEqual(
    documents.map(({ url, fields }) => [url, fields.find(({ field }) => field === 'anchor')?.text]),
    [
      ['http://a.test/', 'Start'],
      ['http://a.test/inner', 'Inner'],
      ['http://b.test/', 'Manual\nmanual'],
    ],
  );
  assert.deepEqual(
    documents.map(({ staticScore }) => staticScore > 0),
    [true, true, true],
  );
  const [start, inner, manual] = documents.map(({ staticScore }) => staticScore);
  assert.equal(start, manual, 'two links of one page count once');
  assert.ok((inner ?? 0) < (start ?? 0), 'a link from the own host counts less');
  assert.deepEqual(
    (await readdir(scratchFolder)).sort(),
    ['changes', 'in-links', 'latest'],
    'runs are removed with their job',
  );
});

test('the order of the log does not matter to records of different URLs', async (context) => {
  const once = await tempFolder(context);
  const expected = await documentsOf(
    await surveyLog(sourceOf(WEB), { scratchFolder: once, memoryBytes: 1 << 20 }),
  );
  // `dead` has two records, whose order must stay.
  const moved = [...WEB.slice(8), ...WEB.slice(0, 8).reverse()];
  for (const memoryBytes of [1, 3000, 1 << 20]) {
    const scratchFolder = await tempFolder(context);
    const survey = await surveyLog(sourceOf(moved), { scratchFolder, memoryBytes });
    assert.deepEqual(await documentsOf(survey), expected, `${memoryBytes} bytes`);
  }
});
