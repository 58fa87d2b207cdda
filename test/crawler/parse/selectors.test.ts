import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Selectors } from '../../../crawler/index.ts';
import { validateSelectors } from '../../../crawler/index.ts';
import { QuarryError } from '../../../shards/index.ts';
import { fieldOf, parseHtml } from '../../helpers/parse-html.ts';

const HTML = `<html><head><title>Site - Page</title></head><body><nav><a href=n>menu</a></nav>
  <main><h1 class=t>The <i>page</i></h1><p>text <b>bold</b><div class=ad>buy <main>inner</main></div></main>
  <footer>foot<main>second</main></footer></body></html>`;
const parse = (selectors: Selectors) => parseHtml(HTML, { selectors });

test('selectors: content and strip cut the text, links stay', () => {
  const page = parse({ content: 'main', strip: '.ad' });
  assert.equal(fieldOf(page, 'body'), 'The page\ntext bold\nsecond');
  assert.equal(fieldOf(page, 'headings'), 'The page');
  assert.equal(fieldOf(page, 'emphasis'), 'bold');
  assert.deepEqual(
    page.links.map(({ url }) => url),
    ['http://h.test/a/n'],
  );
  assert.equal(page.title, 'Site - Page');
});

test('selectors: matches inside matches are read once', () => {
  assert.equal(fieldOf(parse({ content: 'main' }), 'body'), 'The page\ntext bold\nbuy\ninner\nsecond');
});

test('selectors: strip alone, and content that nothing matches', () => {
  assert.equal(fieldOf(parse({ strip: 'nav, main, footer' }), 'body'), '');
  assert.equal(fieldOf(parse({ content: '.none' }), 'body'), '');
});

test('selectors: title is the first match, else the page has its own', () => {
  assert.equal(parse({ title: 'h1.t' }).title, 'The page');
  assert.equal(parse({ title: 'h6' }).title, 'Site - Page');
  assert.equal(fieldOf(parse({ title: 'h1' }), 'body'), fieldOf(parseHtml(HTML), 'body'));
});

test('selectors: deep nesting needs no recursion', () => {
  const deep = `${'<div>'.repeat(10_000)}<main>x</main>`;
  assert.equal(
    fieldOf(parseHtml(deep, { selectors: { content: 'main', strip: '.y', title: 'main' } }), 'body'),
    'x',
  );
});

test('selectors: what is not CSS is an error before the crawl', () => {
  validateSelectors({ content: 'main > p:nth-child(2), [role=main]', strip: 'nav', title: 'h1' });
  for (const selectors of [{ content: 'p[[' }, { strip: 'p:nonsense' }, { title: '' }]) {
    assert.throws(
      () => validateSelectors(selectors),
      (error) => error instanceof QuarryError && error.code === 'CRAWL_BAD_SELECTOR' && error.exit === 2,
      JSON.stringify(selectors),
    );
  }
});
