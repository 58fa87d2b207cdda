import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as cheerio from 'cheerio';
import fc from 'fast-check';
import { MAX_LINKS } from '../../../crawler/parse/html-links.ts';
import { fieldOf, PAGE_URL, parseHtml } from '../../helpers/parse-html.ts';

const bodyOf = (html: string): string => fieldOf(parseHtml(html), 'body');
const linksOf = (html: string): readonly string[] => parseHtml(html).links.map(({ url }) => url);

test('page: inline tags do not split words, blocks and cells do', () => {
  assert.equal(bodyOf('<p>un<b>believ</b>able</p><p>second'), 'unbelievable\nsecond');
  assert.equal(bodyOf('long<wbr>word so&shy;ft hy\u00adphen'), 'longword soft hyphen');
  assert.equal(bodyOf('one<br>two<img>three'), 'one two three');
  assert.equal(bodyOf('<button>four</button>five<my-card>six</my-card>seven'), 'four five six seven');
  assert.equal(bodyOf('<table><tr><td>a<td>b<tr><td>c</table>d'), 'a\nb\nc\nd');
  assert.equal(bodyOf('<ul><li>a<li>b<ul><li>c</ul></ul>'), 'a\nb\nc');
  assert.equal(bodyOf('  a \n\t b&nbsp; c  '), 'a b c');
  assert.equal(bodyOf('<pre>one\ntwo\n \nthree</pre>'), 'one two\nthree');
  assert.equal(bodyOf('AT&amp;T &lt;b&gt; &#8364; &notit; &eacute'), 'AT&T <b> € ¬it; é');
});

test('page: what is not visible is not text, scripting being disabled', () => {
  assert.equal(
    bodyOf('a<script>var x = "<p>b";</script><style>p{}</style><!-- c --><template>d<p>e</template>f'),
    'af',
  );
  assert.equal(
    bodyOf('<noscript>shown</noscript><iframe>not</iframe><noembed>not</noembed><textarea>typed</textarea>'),
    'shown typed',
  );
  assert.equal(
    bodyOf('<head><title>t</title></head>x<svg><title>drawing</title><text>label</text></svg>'),
    'x label',
  );
  assert.equal(bodyOf('<![CDATA[a]]>b<svg><![CDATA[c]]></svg><?php d ?>'), 'b c');
  assert.equal(bodyOf('<svg/><script>x</script><p>y'), 'y');
  assert.equal(bodyOf('<svg><p>out</p><script>if (a<b) c</script>end'), 'out\nend');
});

test('page: title is the first one, headings and emphasis are repeated in the body', () => {
  const page = parseHtml(`<title> The &amp;
    <b>title</b> </title><title>second</title>
    <h1>Big <b>news</b></h1><p>some <strong>bold</strong> and <em>stressed</em> <b>wo</b>rds
    <dl><dt>Term<dd>Definition</dl><table><tr><th>Key<td>Value</table><h2>More<p>not a heading any more</h2>`);
  assert.equal(page.title, 'The & <b>title</b>');
  assert.equal(fieldOf(page, 'title'), page.title);
  assert.equal(fieldOf(page, 'headings'), 'Big news\nMore\nnot a heading any more');
  assert.equal(fieldOf(page, 'emphasis'), 'news\nbold\nstressed\nwo\nTerm\nKey');
  assert.equal(
    fieldOf(page, 'body'),
    'Big news\nsome bold and stressed words\nTerm\nDefinition\nKey\nValue\nMore\nnot a heading any more',
  );
});

test('page: a heading or emphasis that is never closed ends with its like', () => {
  const page = parseHtml('<h1>a<h2>b</h2>c<table><tr><td><b>d<td>e</table>f');
  assert.equal(fieldOf(page, 'headings'), 'a\nb');
  assert.equal(fieldOf(page, 'emphasis'), 'd');
});

test('page: links of a, area, frame, iframe with their texts and rels', () => {
  const { links } =
    parseHtml(`<a href=1 rel="NoFollow  UGC">one <i>on</i>e <img alt="pic&amp;ture"></a><a name=x>none</a>
    <a href=2>two<a href=3>three</a><map><area href=4 alt="four"><area></map><frameset><frame src=5></frameset>
    <iframe src="6"><a href=no>no</a></iframe><a href="7">`);
  assert.deepEqual(
    links.map(({ url, anchor, rel }) => `${url.slice('http://h.test/a/'.length)}|${anchor}|${rel}`),
    ['1|one one pic&ture|nofollow ugc', '2|two|', '3|three|', '4|four|', '5||', '6||', '7||'],
  );
});

test('page: links that are none', () => {
  assert.deepEqual(
    linksOf('<!-- <a href=a> --><script><a href=b></script><template><a href=c></template>'),
    [],
  );
  assert.deepEqual(
    linksOf('<a href="javascript:x"><a href="mailto:x"><a href="data:,x"><a href="http://%zz/"><a>'),
    [],
  );
  assert.deepEqual(linksOf('<noscript><a href=d></noscript><a href=" e\n.html ">'), [
    'http://h.test/a/d',
    'http://h.test/a/e.html',
  ]);
  assert.deepEqual(linksOf('<a href="x?a=1&amp;b=2&copy=3">'), ['http://h.test/a/x?a=1&b=2&copy=3']);
});

test('page: the first base with href counts, also for links before it, and a bad one is ignored', () => {
  assert.deepEqual(linksOf('<a href=x><base><base href="/d/"><base href="/e/">'), ['http://h.test/d/x']);
  assert.deepEqual(linksOf('<base href="http://other.test/d"><a href=x>'), ['http://other.test/x']);
  assert.deepEqual(linksOf('<base href="javascript:x"><a href=x>'), ['http://h.test/a/x']);
});

test('page: canonical of the head, else of the Link header', () => {
  const canonical = (html: string, link?: string) =>
    parseHtml(html, link === undefined ? {} : { headers: { 'content-type': 'text/html', link } }).canonical;
  assert.equal(canonical('<link rel="Canonical" href="/c#x">'), 'http://h.test/c');
  assert.equal(canonical('<link rel=canonical href=1><link rel=canonical href=2>'), 'http://h.test/a/1');
  assert.equal(canonical('<body><link rel=canonical href=1>'), undefined);
  assert.equal(canonical('<head><noscript><img></noscript><link rel=canonical href=1>'), 'http://h.test/a/1');
  assert.equal(
    canonical('<p>', '</x>; rel=preload, <http://o.test/y,z>; title="a,b"; rel="alternate canonical"'),
    'http://o.test/y,z',
  );
  assert.equal(canonical('<link rel=canonical href=1>', '<2>; rel=canonical'), 'http://h.test/a/1');
});

test('page: language', () => {
  const lang = (html: string, header = '') =>
    parseHtml(html, { headers: { 'content-type': 'text/html', 'content-language': header } }).lang;
  assert.equal(lang('<html lang="pt-BR">'), 'pt');
  assert.equal(lang('<html xml:lang=DE>'), 'de');
  assert.equal(lang('<html><meta http-equiv=content-language content="ja, en">', 'fr'), 'ja');
  assert.equal(lang('<html lang="">', 'fr-CA, en'), 'fr');
  assert.equal(lang('<html lang="english">'), '');
});

test('page: XHTML closes its empty elements', () => {
  const xhtml =
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title><script src="x"/></head><body><a href="1"/><p>a<![CDATA[<b>]]></p><SCRIPT>no</SCRIPT></body></html>';
  const page = parseHtml(xhtml, { headers: { 'content-type': 'application/xhtml+xml' } });
  assert.equal(page.title, 't');
  assert.equal(fieldOf(page, 'body'), 'a<b>');
  assert.deepEqual(page.links, [{ url: 'http://h.test/a/1', anchor: '', rel: '' }]);
});

test('page: types that are not indexed say nothing but what they are', () => {
  const page = parseHtml('%PDF-1.7 <a href=x>', {
    headers: { 'content-type': 'application/pdf', 'x-robots-tag': 'noindex' },
  });
  assert.deepEqual(
    [page.indexable, page.type, page.charset, page.title, page.fields, page.links, page.robots.noindex],
    [false, 'application/pdf', '', '', [], [], true],
  );
});

test('page: content-encoding is undone on the way', () => {
  const html = '<title>t</title><p>x';
  const page = parseHtml(gzipSync(html), { contentEncoding: 'gzip' });
  assert.equal(Buffer.from(page.body).toString(), html);
  assert.equal(page.textHash, parseHtml(html).textHash);
});

test('page: the hash sees title and text, not markup and white space', () => {
  const hash = (html: string) => parseHtml(html).textHash;
  assert.match(hash('x'), /^[0-9a-f]{16}$/);
  assert.equal(hash('<title>t</title><p>a b'), hash('<title> t</title><div><i>a</i>\n b</div>'));
  assert.notEqual(hash('<title>t</title>x'), hash('<title>u</title>x'));
  assert.notEqual(hash('<title>t</title>x'), hash('<title></title>t x'));
});

test('page: caps on links, attributes, anchors', () => {
  assert.equal(parseHtml('<a href=x></a>'.repeat(MAX_LINKS + 5)).links.length, MAX_LINKS);
  const long = 'y'.repeat(2_000_000);
  assert.deepEqual(parseHtml(`<a href="${long}">x</a><img alt="${long}">`).links, []);
  const { links } = parseHtml(`<a href=x>${'word '.repeat(10_000)}`);
  assert.ok((links[0]?.anchor.length ?? 0) <= 2048);
});

test('page: hostile nesting costs linear time', () => {
  const depth = 100_000;
  for (const html of [
    '<i><b>'.repeat(depth),
    `${'<i>'.repeat(depth)}${'</b>'.repeat(depth)}`,
    `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}`,
    '<a href=x>'.repeat(depth),
    `${'<template>'.repeat(depth)}`,
    '<'.repeat(depth),
    '<a b="'.repeat(depth),
    '&#'.repeat(depth),
    '<!--'.repeat(depth),
    `<pre>${'\n \n'.repeat(depth)}`,
    `<title>${'<'.repeat(depth)}`,
    ' '.repeat(depth * 10),
  ]) {
    const started = process.cpuUsage();
    parseHtml(html);
    // Quadratic time would be minutes.
    assert.ok(process.cpuUsage(started).user < 10_000_000, html.slice(0, 20));
  }
});

const inline = fc.constantFrom('b', 'i', 'a', 'span', 'code', 'strong');
const block = fc.constantFrom('div', 'ul', 'section', 'h2', 'blockquote');
const words = fc.stringMatching(/^[ a-c&;<\n]{0,8}$/).map((text) => text.replaceAll('<', '&lt;'));
const tree = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    words,
    fc
      .tuple(fc.oneof(inline, block), fc.array(tie('node'), { maxLength: 4 }), fc.boolean())
      .map(([name, children, isClosed]) => `<${name}>${children.join('')}${isClosed ? `</${name}>` : ''}`),
  ),
})).node as fc.Arbitrary<string>;

test('page: text equals that of a browser-like tree, white space aside', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), (parts) => {
      const html = `<body>${parts.join('')}`;
      assert.equal(bodyOf(html).replace(/\s+/g, ''), cheerio.load(html)('body').text().replace(/\s+/g, ''));
    }),
    { numRuns: 300 },
  );
});

test('page: no bytes make it throw, and its links are in normal form', () => {
  const piece = fc.constantFrom(
    '<a href="',
    '">',
    '</a>',
    '<base href=',
    '<meta charset=',
    '<title>',
    '<script>',
    '<svg>',
    '<![CDATA[',
    '&',
    '\0',
    '<template>',
    '</',
    '<!',
    '<pre>\n\n',
    '//x',
    '<th>',
    '<link rel=canonical href=',
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 30 }),
      fc.uint8Array({ maxLength: 20 }),
      (pieces, tail) => {
        const page = parseHtml(Buffer.concat([Buffer.from(pieces.join('')), tail]), { headers: {} });
        for (const { url } of page.links) assert.match(url, /^https?:\/\//);
        assert.deepEqual(structuredClone(page).fields, page.fields);
      },
    ),
    { numRuns: 500 },
  );
});

test('page: the URL of the page is not among what is made up', () => {
  assert.equal(parseHtml('<a href="">self</a>').links[0]?.url, PAGE_URL);
});
