import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { judgeUrl, normaliseUrl, parseRobots, rulesFor } from '../../../crawler/index.ts';

interface Case {
  readonly test: string;
  readonly robots?: string;
  readonly robots_base64?: string;
  readonly agent: string;
  readonly url?: string;
  readonly url_latin1?: string;
  readonly allowed: boolean;
  readonly exact?: boolean;
}

/** Cases that are answered otherwise on purpose, as `test agent url`. */
const DIFFERENCES: readonly { readonly reason: string; readonly cases: readonly string[] }[] = [
  {
    reason: 'the case tests the rules alone; RFC 9309, 2.2.2 always allows /robots.txt itself',
    cases: [
      'stress/369883 BarBot http://example.com/robots.txt',
      'stress/369883 AB http://example.com/robots.txt',
      'stress/860237 XYZ http://example.com/robots.txt',
    ],
  },
  {
    reason: 'digits belong to a product token here, so that `User-agent: MJ12bot` names MJ12bot',
    cases: [
      'stress/369883 AB42bot http://example.com/foo/bar',
      'stress/369883 AB42bot http://example.com/',
      'stress/369883 AB http://example.com/',
    ],
  },
  {
    reason: 'RFC 9309, 2.2.2 compares after percent-encoding, whichever side was not encoded',
    cases: [
      'correctness/non-ascii-paths FooBot http://foo.bar/foo/bar/ツ',
      'correctness/non-ascii-paths FooBot http://foo.bar/foo/bar/baz',
    ],
  },
  {
    reason: 'Google only: our own name is a product token, never two words',
    cases: [
      'GoogleOnly_AcceptUserAgentUpToFirstSpace Foo Bar http://foo.bar/x/y',
      'correctness/user-agent-name Foo Bar http://foo.bar/x/y',
    ],
  },
  {
    reason: 'Google only: index.html is a page like any other',
    cases: ['GoogleOnly_IndexHTMLisDirectory foobot http://foo.com/allowed-slash/'],
  },
  {
    reason: 'the case was about a line of more than 16,664 bytes, which the data no longer holds',
    cases: [
      'GoogleOnly_LineTooLong FooBot http://foo.bar/x//fux',
      'GoogleOnly_LineTooLong FooBot http://foo.bar/x//qux',
    ],
  },
  {
    reason: 'the length of the pattern decides (as at Google), not that of the text that a star matched',
    cases: ['testPrecedenceOfRules wget http://domain.com/'],
  },
  {
    reason: 'markup is not taken out of a robots.txt: an HTML page holds no rule',
    cases: ['testHtmlMarkupInRobotsTxt bogusbot http://www.domain.com/index.html'],
  },
  {
    reason: 'our own name is a product token, not a whole User-Agent header',
    cases: [
      'testHeritrixCases Mozilla allowbot2 99.9 http://www.domain.com/foo',
      'testHeritrixCases Mozilla denybot 99.9 http://www.domain.com/path',
      'testHeritrixCases Mozilla denybot 99.9 http://www.domain.com/',
    ],
  },
];

const nameOf = (one: Case): string => `${one.test} ${one.agent} ${one.url ?? one.url_latin1}`;
const differs = new Set(DIFFERENCES.flatMap(({ cases }) => cases));

const load = (file: string): readonly Case[] =>
  JSON.parse(
    readFileSync(new URL(`../../../../test/data/robots/${file}`, import.meta.url), 'utf8'),
  ) as Case[];

const verdictOf = (one: Case): boolean => {
  const body =
    one.robots_base64 === undefined
      ? Buffer.from(one.robots ?? '')
      : Buffer.from(one.robots_base64, 'base64');
  const raw = one.url ?? one.url_latin1 ?? '';
  const url = normaliseUrl(raw) ?? normaliseUrl(`http://host.test/${raw}`);
  assert.ok(url);
  return judgeUrl(rulesFor(parseRobots(body), one.agent), url).allowed;
};

for (const [file, wanted] of [
  ['google-unit.json', 96],
  ['google-ctc.json', 262],
  ['crawler-commons.json', 238],
] as const) {
  test(`robots conformance: ${file}`, () => {
    const cases = load(file);
    assert.equal(cases.length, wanted);
    // `exact: false` asks for prefix matching of agent names, which RFC 9309 has done away with.
    const wrong = cases.filter((one) => one.exact !== false && verdictOf(one) !== one.allowed).map(nameOf);
    assert.deepEqual(
      wrong.filter((name) => !differs.has(name)),
      [],
    );
  });
}

test('robots conformance: every listed difference is one', () => {
  const all = ['google-unit.json', 'google-ctc.json', 'crawler-commons.json'].flatMap(load);
  const different = new Set(all.filter((one) => verdictOf(one) !== one.allowed).map(nameOf));
  assert.deepEqual(
    [...differs].filter((name) => !different.has(name)),
    [],
  );
});
