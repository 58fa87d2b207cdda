import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainUrl, normaliseUrl, registrableDomain } from '../../../crawler/index.ts';

const load = <Case>(file: string): readonly Case[] =>
  JSON.parse(readFileSync(new URL(`../../../../test/data/${file}`, import.meta.url), 'utf8')) as Case[];

const normal = (input: string, base?: string | null): string | null => {
  const explained = explainUrl(input, base ?? undefined);
  return 'url' in explained ? explained.url : null;
};

/** What crawler-commons' normaliser does and Quarry does not, and why. */
const DIFFERENCES = [
  {
    reason: 'doubled slashes are kept: RFC 3986 knows no such step, and servers may mean something by them',
    inputs: [
      'http://foo.com/aa//bb/foo.html',
      'http://foo.com/aa/bb//foo.html',
      'http://foo.com//aa//bb//foo.html',
      'http://foo.com////aa////bb//foo.html',
      'http://foo.com////aa////bb////foo.html',
    ],
  },
  {
    reason: 'the query is neither sorted nor tidied: signed URLs would break',
    inputs: [
      'http://example.com/?b=1&a=1',
      'http://foo.com/foo.html?b=1&a=1',
      'http://foo.com/index?b=2&a=1',
      'http://foo.com/index?b=2&a=1#c',
      'http://foo.com/index?b&a=1',
      'http://foo.com/index?b=&a=1',
      'http://foo.com/index?b=1&a=1&',
      'http://foo.com/index?&b=1&a=1',
      'http://foo.com/index?=1&b=1&a=1',
    ],
  },
  {
    reason: 'only http and https are fetched',
    inputs: [
      'ftp:/',
      'ftp://foo.com/index.html',
      'file:/path/index.html',
      'file:/var/www/html/foo/../bar/index.html',
    ],
  },
  {
    reason: 'not a URL by the WHATWG standard; a seed without a scheme gets one before it comes here',
    inputs: ['http:////', 'foo.com/index.html'],
  },
] as const;

test('url conformance: normal forms of crawler-commons', () => {
  const differs = DIFFERENCES.flatMap(({ inputs }) => [...inputs] as string[]);
  const cases = load<{ input: string; normalized: string | null }>('url/crawler-normalized.json');
  assert.equal(cases.length, 77);
  const wrong = cases
    .filter(({ input, normalized }) => normal(input) !== normalized)
    .map(({ input }) => input);
  assert.deepEqual(
    wrong,
    differs.sort((a, b) => wrong.indexOf(a) - wrong.indexOf(b)),
  );
});

test('url conformance: resolution of crawler-commons, in normal form', () => {
  const cases = load<{ input: string; base: string; href: string }>('url/crawler-resolve.json');
  assert.equal(cases.length, 22);
  for (const { input, base, href } of cases) {
    assert.equal(normal(input, base === '' ? undefined : base), normal(href), `${input} on ${base}`);
  }
});

test('url conformance: RFC 3986, 5.4', () => {
  const cases = load<{ reference: string; base: string; rfc3986: string; note?: string }>(
    'url/rfc3986-resolution.json',
  );
  assert.equal(cases.length, 42);
  for (const { reference, base, rfc3986 } of cases) {
    // A scheme that is not fetched is refused; `http:g` is read as WHATWG (and the RFC's note) has it.
    const wanted = reference === 'http:g' ? 'http://a/b/c/g' : rfc3986.replace(/#.*/, '');
    assert.equal(normal(reference, base), normal(wanted), reference);
  }
});

/** Rows that are newer than the URL class of Node.js 20: punycode that decodes to no letter. */
const NEWER_THAN_NODE_20 = /xn--(?:pokxncvks|\/?$)/i;

test('url conformance: web-platform-tests', () => {
  const cases = load<{ input: string; base: string | null; href?: string; failure?: true }>(
    'url/wpt-urltestdata.json',
  );
  assert.equal(cases.length, 601);
  for (const { input, base, href, failure } of cases) {
    if (NEWER_THAN_NODE_20.test(input)) continue;
    const url = normal(input, base);
    if (failure) assert.equal(url, null, `${input} on ${base}`);
    else assert.equal(url, normal(href ?? ''), `${input} on ${base}`);
    if (url !== null) assert.equal(normaliseUrl(url), url, 'idempotent');
  }
});

test('registrable domain: the public suffix list', () => {
  const cases = load<{ host: string; registrable: string | null }>('publicsuffix/cases.json');
  assert.equal(cases.length, 77);
  for (const { host, registrable } of cases) assert.equal(registrableDomain(host) ?? null, registrable, host);
});
