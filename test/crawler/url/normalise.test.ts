import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { explainUrl, MAX_URL_CHARS, normaliseUrl } from '../../../crawler/index.ts';
import type { NormalUrl } from '../../../shards/index.ts';

const base = normaliseUrl('http://h.test/a/b.html?q=1') as NormalUrl;

const PAIRS: readonly (readonly [input: string, normal: string | undefined])[] = [
  // Hosts
  ['HTTP://Ex%61mple.ORG./x', 'http://example.org/x'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ['http://example。org/', 'http://example.org/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://2130706433/', 'http://127.0.0.1/'],
  ['http://[::FFFF:127.0.0.1]/', 'http://[::ffff:7f00:1]/'],
  ['http://a_b.example/', 'http://a_b.example/'],
  ['http://example.org../', undefined],
  ['http://a..b/', undefined],
  // Ports and empty paths
  ['http://host', 'http://host/'],
  ['http://host:80/', 'http://host/'],
  ['https://host:443', 'https://host/'],
  ['http://host:8080?x', 'http://host:8080/?x'],
  ['http://host:/', 'http://host/'],
  // Escapes
  ['http://h/%7Euser/%c3%a9', 'http://h/~user/%C3%A9'],
  ['http://h/a%2fb%23c%3fd', 'http://h/a%2Fb%23c%3Fd'],
  ['http://h/a[b]|c^d?e[f]|g', 'http://h/a%5Bb%5D%7Cc%5Ed?e%5Bf%5D%7Cg'],
  ['http://h/100%', 'http://h/100%25'],
  // Dot segments
  ['http://h/a/../../b/./c', 'http://h/b/c'],
  ['http://h/a/%2e%2E/b', 'http://h/b'],
  ['http://h/a/..;x/b', 'http://h/a/..;x/b'],
  // As WHATWG says
  [' \thttp:\\\\h\\a\nb ', 'http://h/ab'],
  ['http://h:99999/', undefined],
  ['http://a b/', undefined],
  ['http://%zz/', undefined],
  ['http://h/\ud800', undefined],
  ['http://h/\ufffd', 'http://h/%EF%BF%BD'],
  // Sessions
  ['http://h/x.jsp;jsessionid=0A1B.node1?p=v', 'http://h/x.jsp?p=v'],
  ['http://h/x?PHPSESSID=abc&b=2&a=1', 'http://h/x?b=2&a=1'],
  ['http://h/x?PHPSESSID=abc', 'http://h/x'],
  ['http://h/x?sid=0123456789abcdef0123456789ABCDEF&y', 'http://h/x?y'],
  ['http://h/x?sid=12345', 'http://h/x?sid=12345'],
  ['http://h/x?sid=3f09ab12', 'http://h/x'],
  ['http://h/x?sid=04/05/12/3', 'http://h/x?sid=04/05/12/3'],
  ['http://h/?s=needle&session=2', 'http://h/?s=needle&session=2'],
  ['http://h/a/..;sid=1/b', 'http://h/b'],
  // Dropped: fragment, user, empty query
  ['http://u:p@h/x?#frag', 'http://h/x'],
  ['http://h/x?a#!b', 'http://h/x?a'],
  // Not fetched
  ['mailto:a@b.example', undefined],
  ['JavaScript:void(0)', undefined],
  ['ftp://h/', undefined],
  ['custom:x', undefined],
  // Against the base
  ['', 'http://h.test/a/b.html?q=1'],
  ['#x', 'http://h.test/a/b.html?q=1'],
  ['?r', 'http://h.test/a/b.html?r'],
  ['c.html#x', 'http://h.test/a/c.html'],
  ['../../d/', 'http://h.test/d/'],
  ['..', 'http://h.test/'],
  ['../', 'http://h.test/'],
  ['/e', 'http://h.test/e'],
  ['//other/e', 'http://other/e'],
  ['http:f', 'http://h.test/a/f'],
  ['x:y', undefined],
];

test('normalise: pairs', () => {
  for (const [input, normal] of PAIRS) assert.equal(normaliseUrl(input, base), normal, input);
});

test('normalise: the limit is on the normal form', () => {
  const path = 'a'.repeat(MAX_URL_CHARS - 'http://h/'.length);
  assert.equal(normaliseUrl(`http://h/${path}`)?.length, MAX_URL_CHARS);
  assert.equal(normaliseUrl(`http://h/${path}a`), undefined);
  assert.equal(normaliseUrl(`/${path}a`, 'http://h/' as NormalUrl), undefined);
  assert.equal(normaliseUrl(`http://h/${path}?#${'f'.repeat(3000)}`)?.length, MAX_URL_CHARS);
  assert.equal(normaliseUrl(`http://h/${'%61'.repeat(680)}`)?.length, 9 + 680);
});

test('normalise: the reason is told', () => {
  assert.deepEqual(explainUrl('/x'), {
    refusal: 'malformed',
    error: 'not a URL, or relative without a base',
  });
  const reasons = ['gopher://h/', 'http://a../', `http://h/${'x'.repeat(3000)}`, 'http://h/\udfff'].map(
    (input) => {
      const explained = explainUrl(input);
      return 'refusal' in explained ? explained.refusal : explained.url;
    },
  );
  assert.deepEqual(reasons, ['scheme', 'host', 'length', 'surrogate']);
});

const anyInput = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.stringMatching(/^(?:https?:)?\/{0,3}[a-z.%A-F0-9:@]{0,12}[/\\;?#&=.%a-zA-Z0-9[\]|~ -]{0,40}$/),
  fc.stringMatching(/^(?:\.\.?\/|\/)?(?:[a-z.~-]{1,5}\/){0,3}[a-z.]{0,4}(?:[?#;][a-z=&]{0,9})?$/),
  fc.stringMatching(
    /^http:\/\/h\/[.]{0,2}(?:;sid=[a-z.]{0,3})?(?:\/[.]{0,2}(?:;sid=[a-z.;]{0,3})?){0,3}\??(?:&?sid=[0-9a-f]{30,33}&?){0,2}$/,
  ),
);

test('normalise: never throws, is idempotent, and stays what it is for the URL class', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const normal = normaliseUrl(input, base);
      if (normal === undefined) return;
      assert.equal(normaliseUrl(normal), normal);
      assert.equal(normaliseUrl(normal, base), normal);
      // Only what RFC 3986 lets stand in a URL without a fragment.
      assert.match(normal, /^https?:\/\/[^/?#\s]+\/[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*$/);
      assert.equal(new URL(normal).host, normal.split('/')[2]);
    }),
    { numRuns: 3000 },
  );
});

test('normalise: the short cut for plain references equals the long way', () => {
  const bases = ['http://h/', 'https://h:81/a', 'http://h/a/b/', 'http://h/a;x/b.html?c/d', 'http://h/?/x/y'];
  const references = fc.stringMatching(
    /^(?:\.\.\/){0,4}\/?(?:[a-c.~-]{1,3}\/){0,3}[a-c.]{0,3}(?:#[!-~ ]{0,4})?$/,
  );
  fc.assert(
    fc.property(fc.constantFrom(...bases), references, (text, reference) => {
      const explained = explainUrl(reference, text);
      assert.equal(
        normaliseUrl(reference, text as NormalUrl),
        'url' in explained ? explained.url : undefined,
      );
    }),
    { numRuns: 3000 },
  );
});
