import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../../helpers/parse-html.ts';

const NOW_MS = Date.UTC(2026, 10, 30);

/** Letters of what is forbidden: i(ndex), f(ollow), a(rchive). */
const flags = (html: string, header = ''): string => {
  const { robots } = parseHtml(html, {
    headers: { 'content-type': 'text/html', 'x-robots-tag': header },
    nowMs: NOW_MS,
  });
  return [robots.noindex ? 'i' : '', robots.nofollow ? 'f' : '', robots.noarchive ? 'a' : ''].join('');
};
const meta = (name: string, content: string): string => `<meta name="${name}" content="${content}">`;

test('robots directives: meta elements for all and for us, united', () => {
  assert.equal(flags(meta('robots', 'NOINDEX, nofollow')), 'if');
  assert.equal(flags(meta('ROBOTS', 'none')), 'if');
  assert.equal(flags(meta('robots', 'noarchive')), 'a');
  assert.equal(flags(meta('robots', 'all, index,follow')), '');
  assert.equal(flags(meta('googlebot', 'noindex')), '');
  assert.equal(flags(meta('Quarry', 'noindex')), 'i');
  assert.equal(flags(meta('robots', 'nofollow') + meta('quarry', 'noindex')), 'if');
  assert.equal(flags(`<body><p>x${meta('robots', 'noindex')}`), 'i');
});

test('robots directives: X-Robots-Tag with scopes', () => {
  assert.equal(flags('', 'noindex'), 'i');
  assert.equal(flags('', 'otherbot: noindex, nofollow'), '');
  assert.equal(flags('', 'noarchive, otherbot: noindex'), 'a');
  assert.equal(flags('', 'otherbot: noindex, quarry: nofollow'), 'f');
  assert.equal(flags('', 'otherbot: noindex\nnofollow'), 'f');
  assert.equal(flags('', '*: none'), 'if');
  assert.equal(flags('', 'max-snippet: 0, noindex'), 'i');
});

test('robots directives: unavailable_after, its comma included', () => {
  assert.equal(flags('', 'unavailable_after: 25 Jun 2010 15:00:00 GMT'), 'i');
  assert.equal(flags('', 'unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow'), 'if');
  assert.equal(flags('', 'unavailable_after: Fri, 25 Jun 2110 15:00:00 GMT, noarchive'), 'a');
  assert.equal(flags('', 'otherbot: unavailable_after: 25 Jun 2010 15:00:00 GMT'), '');
  assert.equal(flags('', 'unavailable_after: soon'), '');
  assert.equal(flags(meta('robots', 'unavailable_after: 2010-06-25')), 'i');
});
