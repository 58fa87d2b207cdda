import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRefresh } from '../../../crawler/parse/meta-refresh.ts';
import { parseHtml } from '../../helpers/parse-html.ts';

test('meta refresh: the WHATWG steps', () => {
  for (const [content, delayS, href] of [
    ['0; url=x', 0, 'x'],
    ["0; url='x'", 0, 'x'],
    ['0;url="x"y', 0, 'x'],
    ["0; url='x", 0, 'x'],
    ['0,URL=x', 0, 'x'],
    [' 5 ', 5, ''],
    ['5', 5, ''],
    ['5;', 5, ''],
    ['1.9; url=x', 1, 'x'],
    ['.5; url=x', 0, 'x'],
    ['3 x', 3, 'x'],
    ['3;x', 3, 'x'],
    ["3;'x y'z", 3, 'x y'],
    ['3; u', 3, 'u'],
    ['3; url', 3, 'url'],
    ['3; url x', 3, 'url x'],
    ['3; url = x', 3, 'x'],
    ['3; urn:x', 3, 'urn:x'],
  ] as const) {
    assert.deepEqual(parseRefresh(content), { delayS, href }, content);
  }
  for (const content of ['0url=x', 'url=x', '', ';url=x', '-1;url=x', 'x'])
    assert.equal(parseRefresh(content), undefined, content);
});

test('meta refresh: becomes a link, the first one counts, one to the page itself is none', () => {
  const page = parseHtml(
    '<meta http-equiv=Refresh content="2;url=c.html#f"><noscript><meta http-equiv=refresh content="0;url=d"></noscript>',
  );
  assert.deepEqual(page.refresh, { delayS: 2, url: 'http://h.test/a/c.html' });
  assert.deepEqual(page.links, [{ url: 'http://h.test/a/c.html', anchor: '', rel: '' }]);
  assert.equal(parseHtml('<meta http-equiv=refresh content=30>').refresh, undefined);
  assert.equal(parseHtml('<meta http-equiv=refresh content="1;url=b.html#x">').refresh, undefined);
  assert.equal(parseHtml('<meta http-equiv=refresh content="0;url=javascript:x">').refresh, undefined);
  assert.equal(
    parseHtml('<noscript><meta http-equiv=refresh content="0;url=d"></noscript>').refresh?.url,
    'http://h.test/a/d',
  );
});
