import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fieldOf, parseHtml } from '../../helpers/parse-html.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const charsetOf = (body: Uint8Array, contentType = 'text/html'): string =>
  parseHtml(body, { headers: { 'content-type': contentType } }).charset;

test('charset: html5lib encoding tests, late meta elements included', () => {
  const file = new URL('../../../../test/data/encoding/prescan.json', import.meta.url);
  const cases = JSON.parse(readFileSync(file, 'utf8')) as {
    file: string;
    n: number;
    html_base64: string;
    encoding: string;
  }[];
  assert.equal(cases.length, 53);
  for (const { file: source, n, html_base64: html, encoding } of cases) {
    assert.equal(charsetOf(Buffer.from(html, 'base64')), encoding.toLowerCase(), `${source} ${n}`);
  }
});

test('charset: mark before header before meta', () => {
  assert.equal(charsetOf(bytes('\xef\xbb\xbfx'), 'text/html; charset=windows-1251'), 'utf-8');
  assert.equal(charsetOf(bytes('\xff\xfex\0'), 'text/html; charset=utf-8'), 'utf-16le');
  assert.equal(charsetOf(bytes('<meta charset=utf-8>\xe9'), 'text/html; charset=latin1'), 'windows-1252');
  assert.equal(charsetOf(bytes('<meta charset=koi8-r>'), 'text/html; charset=nonsense'), 'koi8-r');
  assert.equal(charsetOf(bytes('<meta charset=utf-16>')), 'utf-8');
  assert.equal(charsetOf(bytes('<p>x'), 'text/html; charset="Shift_JIS"'), 'shift_jis');
});

test('charset: where nothing is said the bytes decide', () => {
  assert.equal(charsetOf(bytes('caf\xe9')), 'windows-1252');
  assert.equal(charsetOf(Buffer.from('café')), 'utf-8');
  assert.equal(charsetOf(Buffer.from('café').subarray(0, -1)), 'windows-1252');
  assert.equal(charsetOf(Buffer.from('Zürich 東京').subarray(0, -1)), 'utf-8');
  assert.equal(charsetOf(bytes('plain')), 'windows-1252');
  assert.equal(charsetOf(bytes('')), 'windows-1252');
});

test('charset: XML by its declaration, else UTF-8; text by header or bytes', () => {
  const xml = '<?xml version="1.0" encoding="iso-8859-2"?><html/>';
  assert.equal(charsetOf(bytes(xml), 'application/xhtml+xml'), 'iso-8859-2');
  assert.equal(charsetOf(bytes(xml), 'application/xhtml+xml; charset=utf-8'), 'utf-8');
  assert.equal(charsetOf(bytes('<html/>'), 'application/xhtml+xml'), 'utf-8');
  assert.equal(charsetOf(bytes('<meta charset=koi8-r>\xe9'), 'text/plain'), 'windows-1252');
});

test('charset: a page whose meta comes late is decoded by it', () => {
  const page = parseHtml(bytes(`<!--${'x'.repeat(2000)}--><meta charset=iso-8859-2><p>\xb1`), {
    headers: {},
  });
  assert.equal(page.charset, 'iso-8859-2');
  assert.equal(fieldOf(page, 'body'), 'ą');
  const quoted = parseHtml(bytes(`<script>${'x'.repeat(2000)}"<meta charset=iso-8859-2>"</script>\xb1`), {
    headers: {},
  });
  assert.equal(quoted.charset, 'windows-1252');
});
