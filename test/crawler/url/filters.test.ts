import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FilterReason, FilterSettings } from '../../../crawler/index.ts';
import { composeFilters, MEDIA_EXTENSIONS, normaliseUrl } from '../../../crawler/index.ts';
import type { NormalUrl } from '../../../shards/index.ts';

const url = (text: string): NormalUrl => normaliseUrl(text) as NormalUrl;
const seeds = [url('http://docs.example.org/guide/start.html')];

const check = (
  settings: Partial<FilterSettings>,
  cases: readonly (readonly [string, FilterReason | undefined])[],
): void => {
  const filter = composeFilters({ scope: 'any', seeds, ...settings });
  for (const [text, reason] of cases) assert.equal(filter(url(text)), reason, text);
};

test('filters: scope', () => {
  check({ scope: 'host' }, [
    ['https://docs.example.org:8443/x', undefined],
    ['http://www.example.org/', 'scope'],
  ]);
  check({ scope: 'domain' }, [
    ['http://www.example.org/', undefined],
    ['http://example.com/', 'scope'],
  ]);
  check({ scope: 'prefix' }, [
    ['http://docs.example.org/guide/a/b', undefined],
    ['http://docs.example.org/guide', 'scope'],
    ['https://docs.example.org/guide/a', 'scope'],
  ]);
  check({ scope: 'any' }, [['http://anywhere.test/', undefined]]);
  check({ scope: 'domain', seeds: [url('http://127.0.0.1/')] }, [
    ['http://127.0.0.1:81/', undefined],
    ['http://127.0.0.2/', 'scope'],
  ]);
});

test('filters: domains widen a scope and narrow "any"', () => {
  check({ scope: 'host', includeDomains: ['Other.test'] }, [
    ['http://docs.example.org/', undefined],
    ['http://a.other.test/', undefined],
    ['http://another.test/', 'scope'],
  ]);
  check({ includeDomains: ['other.test'] }, [
    ['http://other.test/', undefined],
    ['http://docs.example.org/', 'include-domain'],
  ]);
  check({ excludeDomains: ['.ads.test'] }, [
    ['http://x.ads.test/', 'exclude-domain'],
    ['http://bads.test/', undefined],
  ]);
});

test('filters: patterns, and the first refusal counts', () => {
  check({ include: [/\/guide\//g, /\/faq/], exclude: [/print=1/] }, [
    ['http://h/guide/x', undefined],
    ['http://h/guide/x', undefined],
    ['http://h/faq', undefined],
    ['http://h/other', 'include'],
    ['http://h/guide/?print=1', 'exclude'],
  ]);
  check({ scope: 'host', exclude: [/x/] }, [['http://elsewhere/x', 'scope']]);
});

test('filters: extensions are of the path, and none is refused by default', () => {
  check({ excludeExtensions: MEDIA_EXTENSIONS }, [
    ['http://h/a.PNG', 'extension'],
    ['http://h/a.png?x', 'extension'],
    ['http://h/a?file=b.png', undefined],
    ['http://h/dir.zip/', undefined],
    ['http://h.zip/', undefined],
    ['http://h/a.html', undefined],
  ]);
  check({}, [['http://h/a.png', undefined]]);
});

test('filters: traps', () => {
  check({}, [
    ['http://h/a/a/', undefined],
    ['http://h/img/img/img/', 'repeated-segment'],
    ['http://h/a/b/a/b/', undefined],
    ['http://h/a/b/a/b/a/b/', 'repeated-segment'],
    ['http://h/a/b/c/a/b/c/a/b/c', 'repeated-segment'],
    [`http://h/${'1/2/3/4/'.repeat(5)}`, undefined],
    [`http://h/${'1/2/3/4/'.repeat(5)}5`, 'path-depth'],
    ['http://h.test/login?back=http://h.test/x', undefined],
    ['http://h.test/l?b=http%3A%2F%2Fh.test/l%3Fb=http%253A%252F%252Fh.test%252F', 'self-nesting'],
    ['http://t/?tttt=ttt', undefined],
  ]);
  check({ maxRepeats: 3 }, [['http://h/img/img/img/', undefined]]);
});
