import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectHtml, inspectRobots, inspectSimilar, inspectUrl } from '../../crawler/index.ts';

test('inspect url', () => {
  assert.deepEqual(inspectUrl({ input: 'HTTP://Ex%61mple.co.uk./?' }), {
    url: 'http://example.co.uk/',
    host: 'example.co.uk',
    domain: 'example.co.uk',
    key: '7a37e9a5584ac792',
  });
  assert.deepEqual(inspectUrl({ input: '../x', base: 'http://127.0.0.1:81/a/b/c' }), {
    url: 'http://127.0.0.1:81/a/x',
    host: '127.0.0.1',
    domain: null,
    key: '997889ba9eaf7170',
  });
  assert.deepEqual(inspectUrl({ input: 'ftp://h/' }), { error: 'the scheme is neither http nor https' });
});

test('inspect robots', () => {
  const robots = 'User-agent: *\nDisallow: /a';
  const url = 'http://h/a';
  assert.deepEqual(inspectRobots({ robots, agent: 'x', url }), {
    allowed: false,
    rule: 'Disallow: /a',
    line: 2,
  });
  const robotsBase64 = Buffer.from(robots).toString('base64');
  assert.deepEqual(inspectRobots({ robotsBase64, agent: 'x', url: 'http://h/b' }), {
    allowed: true,
    rule: null,
    line: null,
  });
  assert.ok('error' in inspectRobots({ robots, agent: 'x', url: 'a' }));
});

test('inspect html', () => {
  const html = '<html lang=en><title>T</title><h1>H</h1><a href=x rel=nofollow>y</a>';
  assert.deepEqual(inspectHtml({ bodyBase64: Buffer.from(html).toString('base64'), url: 'http://h/a/' }), {
    charset: 'windows-1252',
    title: 'T',
    lang: 'en',
    text: 'H\ny',
    links: [{ url: 'http://h/a/x', anchor: 'y', rel: 'nofollow' }],
    canonical: null,
    robots: { noindex: false, nofollow: false, noarchive: false },
    refresh: null,
  });
  assert.ok('error' in inspectHtml({ bodyBase64: '', url: 'x' }));
});

test('inspect similar', () => {
  assert.deepEqual(inspectSimilar({ a: 'one two three four', b: ' one\ntwo  three four' }), {
    resemblance: 1,
    duplicate: true,
  });
  assert.deepEqual(inspectSimilar({ a: 'one two three four', b: 'One two three four' }), {
    resemblance: 1,
    duplicate: false,
  });
});
