import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf, parseContentType, sniffType } from '../../../crawler/parse/mime.ts';

test('mime: Content-Type', () => {
  for (const [header, type, charset] of [
    ['text/html', 'text/html', ''],
    [' Text/HTML ; charset=UTF-8', 'text/html', 'UTF-8'],
    ['text/html;charset="utf-8"', 'text/html', 'utf-8'],
    ['text/html;x=y; charset=latin1 ;z', 'text/html', 'latin1'],
    ['text/html, text/plain', 'text/plain', ''],
    ['text/html;charset=a, text/html', 'text/html', 'a'],
    ['text/html, nonsense', 'text/html', ''],
    ['text/html, */*', 'text/html', ''],
    ['', '', ''],
    ['html', '', ''],
  ] as const) {
    assert.deepEqual(parseContentType(header), { type, charset }, header);
  }
});

test('mime: sniffing', () => {
  for (const [declared, body, type] of [
    ['', '\n <!doctype HTML><p>', 'text/html'],
    ['', '<p>x', 'text/html'],
    ['', '<plaintext', 'text/plain'],
    ['', '\xef\xbb\xbf<html >', 'text/html'],
    ['', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', 'application/xhtml+xml'],
    ['', '<?xml version="1.0"?><rss>', 'text/xml'],
    ['', '%PDF-1.7', 'application/pdf'],
    ['', '\x1f\x8b\x08', 'application/gzip'],
    ['', 'words', 'text/plain'],
    ['', '\x00\x01', 'application/octet-stream'],
    ['', '', 'text/plain'],
    ['application/octet-stream', '<!DOCTYPE html>', 'text/html'],
    ['application/octet-stream', 'words', 'application/octet-stream'],
    ['text/plain', '<html>', 'text/plain'],
    ['text/plain', 'a\x00b', 'application/octet-stream'],
    ['text/plain', '\xff\xfea\x00', 'text/plain'],
    ['text/xml', '<html xmlns="http://www.w3.org/1999/xhtml">', 'application/xhtml+xml'],
    ['text/xml', '<feed/>', 'text/xml'],
    ['text/html', '%PDF-1.7', 'text/html'],
    ['image/png', '<html>', 'image/png'],
  ] as const) {
    assert.equal(
      sniffType(declared, Buffer.from(body, 'latin1')),
      type,
      `${declared} ${JSON.stringify(body)}`,
    );
  }
});

test('mime: what is read', () => {
  assert.equal(kindOf('text/plain', 'http://h/README.md?x'), 'markdown');
  assert.equal(kindOf('text/plain', 'http://h/a.mdx'), 'text');
  assert.equal(kindOf('text/x-markdown', 'http://h/'), 'markdown');
  assert.equal(kindOf('application/pdf', 'http://h/a.md'), undefined);
  assert.equal(kindOf('constructor', 'http://h/'), undefined);
});
