import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgePath, parseRobots, rulesFor } from '../../../crawler/index.ts';

const judge = (robots: string, path: string, agent = 'quarry') =>
  judgePath(rulesFor(parseRobots(Buffer.from(robots)), agent), path);
const star = (rules: string, path: string) => judge(`User-agent: *\n${rules}`, path);

test('robots rules: the rule and its line are told', () => {
  const robots = 'Disallow: /a\nAllow: /a/b\nDisallow: /a/b$';
  assert.deepEqual(star(robots, '/a/x'), { allowed: false, rule: 'Disallow: /a', line: 2 });
  assert.deepEqual(star(robots, '/a/bc'), { allowed: true, rule: 'Allow: /a/b', line: 3 });
  assert.deepEqual(star(robots, '/a/b'), { allowed: false, rule: 'Disallow: /a/b$', line: 4 });
  assert.deepEqual(star(robots, '/z'), { allowed: true });
});

test('robots rules: equal length, Allow wins; /robots.txt is always allowed', () => {
  assert.equal(star('Disallow: /ab\nAllow: /ab', '/ab').allowed, true);
  assert.equal(star('Disallow: /', '/robots.txt').allowed, true);
  assert.equal(star('Disallow: /', '/robots.txt?x').allowed, false);
});

test('robots rules: percent-encoding (RFC 9309, 2.2.2 and 2.2.3)', () => {
  for (const [rule, path, matches] of [
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz', true],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84', true],
    ['/foo/bar/%E3%83%84', '/foo/bar/ツ', false], // a URL is encoded by its normaliser
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', true],
    ['/a%2fb', '/a%2Fb', true],
    ['/a%2Fb', '/a/b', false],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html', true],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-x.html', false],
    ['/path/foo-%24', '/path/foo-$', true],
    ['/path/foo-%24', '/path/foo-', false],
    ['/a$b', '/a$b', true],
    ['/[x]', '/%5Bx%5D', true],
  ] as const) {
    assert.equal(star(`Disallow: ${rule}`, path).allowed, !matches, `${rule} on ${path}`);
  }
  const latin1 = Buffer.from('User-agent: *\nDisallow: /caf\xe9', 'latin1');
  assert.equal(judgePath(rulesFor(parseRobots(latin1), 'quarry'), '/caf%E9').allowed, false);
});

test('robots rules: product tokens', () => {
  const robots =
    'User-agent: *\nDisallow: /\nCrawl-delay: 9\nUser-agent: QUARRY/2.1\nAllow: /\nUser-agent: other\nDisallow: /o\nUser-agent: quarry\nDisallow: /q';
  assert.equal(judge(robots, '/x').allowed, true);
  assert.equal(judge(robots, '/q', 'Quarry/0.1 (+http://h/)').allowed, false);
  assert.equal(judge(robots, '/x', 'quarrybot').allowed, false);
  assert.equal(judge(robots, '/x', 'quar').allowed, false);
  assert.equal(rulesFor(parseRobots(Buffer.from(robots)), 'quarry').crawlDelayS, undefined);
  assert.equal(rulesFor(parseRobots(Buffer.from(robots)), 'nobody').crawlDelayS, 9);
  assert.equal(judge('User-agent: *\nDisallow: /\nUser-agent: quarry\n', '/x').allowed, true);
});

/** The slow oracle: a pattern as a regular expression. */
const oracle = (pattern: string, path: string): boolean => {
  const body = pattern.endsWith('$') ? pattern.slice(0, -1) : pattern;
  const source = body
    .split('*')
    .map((piece) => piece.replace(/[$?.]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}${pattern.endsWith('$') ? '$' : ''}`, 's').test(path);
};

test('robots rules: patterns match as the regular expression that they mean', () => {
  const pattern = fc.stringMatching(/^\/[ab*.]{0,8}\$?$/);
  const path = fc.stringMatching(/^\/[ab.]{0,10}$/);
  fc.assert(
    fc.property(pattern, path, (rule, text) => {
      assert.equal(star(`Disallow: ${rule}`, text).allowed, !oracle(rule, text));
    }),
    { numRuns: 2000 },
  );
});

test('robots rules: a pattern made to blow up costs nothing', () => {
  const rules = rulesFor(
    parseRobots(Buffer.from(`User-agent: *\nDisallow: /${'*a'.repeat(4000)}*b$`)),
    'quarry',
  );
  const started = process.cpuUsage();
  assert.equal(judgePath(rules, `/${'a'.repeat(2000)}c`).allowed, true);
  // Backtracking would take longer than the age of the universe; any finite bound tells.
  assert.ok(process.cpuUsage(started).user < 5_000_000);
});
