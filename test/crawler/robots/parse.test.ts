import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgePath, MAX_ROBOTS_BYTES, parseRobots, rulesFor } from '../../../crawler/index.ts';

const parse = (text: string | Uint8Array) => parseRobots(typeof text === 'string' ? Buffer.from(text) : text);
const allowed = (text: string | Uint8Array, path: string, agent = 'quarry'): boolean =>
  judgePath(rulesFor(parse(text), agent), path).allowed;

test('robots parse: byte-order marks, whole, torn and of UTF-16', () => {
  const rules = 'User-agent: *\nDisallow: /x\n';
  for (const mark of [[], [0xef], [0xef, 0xbb], [0xef, 0xbb, 0xbf]]) {
    assert.equal(allowed(Buffer.concat([Buffer.from(mark), Buffer.from(rules)]), '/x'), false);
  }
  const little = Buffer.from(`\ufeff${rules}`, 'utf16le');
  assert.equal(allowed(little, '/x'), false);
  assert.equal(allowed(Buffer.from(little).swap16(), '/x'), false);
});

test('robots parse: all line endings, NULs, comments, a missing colon', () => {
  assert.equal(
    parse('User-agent: a\rDisallow: /1\r\nDisallow: /2\n\nDisallow: /3').groups[0]?.rules.length,
    3,
  );
  assert.equal(allowed('\0User-agent: *\0\nDisallow: /x\0\n', '/x'), false);
  assert.equal(allowed('user-agent:*#c\ndisallow : /x # why\n', '/x'), false);
  assert.equal(allowed('User-agent *\nDisallow /x', '/x'), false);
  assert.equal(allowed('User-agent: *\nDisallow one two /x', '/x'), true);
});

test('robots parse: line numbers count every line', () => {
  const { rules } = parse('# one\r\n\r\nUser-agent: *\rnonsense\nAllow: /a\n').groups[0] ?? {};
  assert.deepEqual(rules, [{ allow: true, text: '/a', pattern: '/a', line: 5 }]);
});

test('robots parse: groups', () => {
  const file = parse(
    'User-agent: a\nCrawl-delay: 2\nSitemap: http://h/s.xml\nUser-agent: B/2.1 x\nDisallow: /\nUser-agent: c\nDisallow:\n',
  );
  assert.deepEqual(
    file.groups.map(({ agents, crawlDelayS, rules }) => [agents, crawlDelayS, rules.length]),
    [
      [['a', 'b'], 2, 1],
      [['c'], undefined, 0],
    ],
  );
  assert.deepEqual(file.sitemaps, ['http://h/s.xml']);
});

test('robots parse: crawl delays', () => {
  const delay = (value: string) => parse(`User-agent: *\nCrawl-delay: ${value}\n`).groups[0]?.crawlDelayS;
  assert.deepEqual(['0.5', '10', '86400', '.5', '1.', '0'].map(delay), [0.5, 10, 86400, 0.5, 1, 0]);
  assert.deepEqual(['abc', '-1', '1e9', '', '1 s', 'NaN', 'Infinity'].map(delay), Array(7).fill(undefined));
});

test('robots parse: 512 KiB, without the line that the limit cuts', () => {
  const head = 'User-agent: *\nDisallow: /first\n';
  const fill = '#'.repeat(MAX_ROBOTS_BYTES - head.length - 'Disallow: /ab'.length - 1);
  const text = `${head}${fill}\nDisallow: /abcdef\nDisallow: /last\n`;
  assert.equal(allowed(text, '/first'), false);
  assert.equal(allowed(text, '/abcdef'), true);
  assert.equal(allowed(text, '/abx'), true);
  assert.equal(allowed(text, '/last'), true);
});

test('robots parse: a page of HTML holds no rule, a line of 2 MB does no harm', () => {
  assert.equal(allowed('<!DOCTYPE html><html><body>Disallow: /</body></html>', '/x'), true);
  assert.equal(allowed(`User-agent: *\nDisallow: /${'*a'.repeat(200_000)}\nDisallow: /x\n`, '/x'), false);
});

test('robots parse: runs of spaces cost linear time', () => {
  const started = process.cpuUsage();
  parse(`x: ${' '.repeat(16_000)}y\n`.repeat(32));
  // Quadratic time would be four billion steps.
  assert.ok(process.cpuUsage(started).user < 2_000_000);
});

test('robots parse: no bytes make it throw', () => {
  const line = fc.constantFrom(
    'User-agent: *',
    'Disallow: /%',
    'Allow: *$*$',
    'Sitemap',
    ':',
    '\0',
    '\r',
    '#',
    'constructor: x',
    '__proto__: y',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string({ unit: 'binary' }))), fc.uint8Array(), (lines, tail) => {
      const file = parseRobots(Buffer.concat([Buffer.from(lines.join('\n')), tail]));
      assert.equal(typeof judgePath(rulesFor(file, 'quarry'), '/a%zz?*$').allowed, 'boolean');
    }),
    { numRuns: 500 },
  );
});
