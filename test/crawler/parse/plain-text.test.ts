import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseUrl } from '../../../crawler/index.ts';
import type { NormalUrl } from '../../../shards/index.ts';
import { fieldOf, parseHtml } from '../../helpers/parse-html.ts';

const plain = (text: string, path = 'x.txt') =>
  parseHtml(text, {
    url: normaliseUrl(`http://h.test/${path}`) as NormalUrl,
    headers: { 'content-type': 'text/plain' },
  });

test('plain text: all is body, blank lines divide, the first line is the title', () => {
  const page = plain('\r\n  First   line \r\nsecond\r\n \r\n<b>third</b> http://x/\n');
  assert.equal(page.title, 'First line');
  assert.equal(fieldOf(page, 'body'), 'First line second\n<b>third</b> http://x/');
  assert.deepEqual(page.links, []);
  assert.equal(page.indexable, true);
  assert.equal(plain('').title, '');
});

test('plain text: Markdown has headings', () => {
  const page = plain(
    'intro\n\n```\n# code\n```\n## Two ##\ntext\nUnder\n=====\n- a\n#no\n[l](http://x/)\n',
    'README.md',
  );
  assert.equal(page.title, 'Two');
  assert.equal(fieldOf(page, 'headings'), 'Two\nUnder');
  assert.deepEqual(page.links, []);
  assert.ok(fieldOf(page, 'body').startsWith('intro\n'));
  assert.equal(plain('no heading\nhere', 'x.md').title, 'no heading');
});
