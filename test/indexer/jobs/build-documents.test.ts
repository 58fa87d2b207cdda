import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDocument, urlText } from '../../../indexer/jobs/build-documents.ts';
import type { InLinks } from '../../../indexer/jobs/collect-in-links.ts';
import { idUrl, trustNormalUrl } from '../../../shards/index.ts';
import { pageOf } from '../archive/page-records.ts';

const SETTINGS = { ownSiteLinkPercent: 25, staticScorePercent: 100 };

const inLinks = (ownPages: number, otherPages: number, anchors: InLinks['anchors'] = []): InLinks => ({
  target: trustNormalUrl('http://a.test/'),
  ownPages,
  otherPages,
  anchors,
});

test('a document has the page’s fields, the anchors of others and the words of its URL', () => {
  const page = {
    ...pageOf('http://www.docs.a.test/Guide/install_linux.html?v=2', 'first', {
      title: 'Install',
      fields: [
        { field: 'title', text: 'Install' },
        { field: 'body', text: 'first\nsecond' },
        { field: 'headings', text: 'second' },
        { field: 'body', text: 'third' },
      ],
      anchors: ['given', ''],
    }),
    bytes: 0,
  };
  const document = buildDocument(
    page,
    inLinks(0, 9, [
      { text: 'how to install', weight: 9 },
      { text: 'linux', weight: 2 },
      { text: 'here', weight: 0.25 },
    ]),
    SETTINGS,
  );
  assert.deepEqual(document, {
    url: page.url,
    title: 'Install',
    fields: [
      ...page.fields,
      {
        field: 'anchor',
        text: 'given\nhow to install\nhow to install\nhow to install\nhow to install\nlinux\nlinux\nhere',
      },
      { field: 'url', text: 'docs a test\nGuide install linux html v 2' },
    ],
    storedText: 'first\nsecond\nthird',
    lang: 'en',
    type: 'text/html',
    fetchedAtMs: page.fetchedAtMs,
    staticScore: document.staticScore,
  });
});

test('for a peer with one field, title and text are the body, and nothing else is searched', () => {
  const page = {
    ...pageOf('http://a.test/guide', 'first', {
      title: 'Install',
      fields: [
        { field: 'title', text: 'Install' },
        { field: 'headings', text: 'first' },
        { field: 'body', text: 'first\nsecond' },
      ],
    }),
    bytes: 0,
  };
  const settings = { ...SETTINGS, isSingleField: true };
  const { fields, title, storedText } = buildDocument(
    page,
    inLinks(0, 9, [{ text: 'link', weight: 9 }]),
    settings,
  );
  assert.deepEqual(fields, [{ field: 'body', text: 'Install\nfirst\nsecond' }]);
  assert.deepEqual({ title, storedText }, { title: 'Install', storedText: 'first\nsecond' });
});

test('a title that is no field becomes one', () => {
  const { fields } = buildDocument(
    { ...pageOf('http://a.test/', 'x', { title: 'T' }), bytes: 0 },
    undefined,
    SETTINGS,
  );
  assert.deepEqual(fields[1], { field: 'title', text: 'T' });
});

test('the words of a URL: escapes decoded, bad ones left, nothing for an id', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['http://a.test/', 'a test'],
    ['http://a.test:8080/caf%C3%A9/%E4%B8%96', 'a test\ncafé 世'],
    ['http://a.test/%FF/x', 'a test\nFF x'],
    ['https://xn--bcher-kva.test/a-b_c.d', 'bücher test\na b c d'],
  ];
  for (const [url, text] of cases) assert.equal(urlText(trustNormalUrl(url)), text);
  assert.equal(urlText(idUrl('some id')), '');
});

test('the static score rises with links, counts own ones less and stays small against words', () => {
  const score = (ownPages: number, otherPages: number, staticScorePercent = 100): number =>
    buildDocument({ ...pageOf('http://a.test/'), bytes: 0 }, inLinks(ownPages, otherPages), {
      ownSiteLinkPercent: 25,
      staticScorePercent,
    }).staticScore;
  assert.equal(buildDocument({ ...pageOf('http://a.test/'), bytes: 0 }, undefined, SETTINGS).staticScore, 0);
  assert.equal(score(0, 5, 0), 0);
  assert.equal(score(20, 0), score(0, 5));
  assert.ok(score(0, 6) > score(0, 5));
  assert.equal(score(0, 5, 200), Math.round(score(0, 5) * 2));
  // One word of idf 5 is worth up to five million points.
  assert.ok(score(0, 1_000_000) < 1_000_000);
  assert.ok(score(0, 1_000_000, 10_000) < 2 ** 31);
  assert.ok(Number.isInteger(score(3, 7, 37)));
});
