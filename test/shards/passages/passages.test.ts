import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makePassage } from '../../../shards/passages/passages.ts';
import type { PassagePiece } from '../../../shards/server/shard-client.ts';
import { createAnalyser } from '../../../shards/text/analyser.ts';
import { trustNormalUrl } from '../../../shards/values/ids.ts';
import type { StoredPage } from '../../../shards/values/stored-page.ts';

const analyser = createAnalyser('default');

const pageOf = (text: string, lang = 'en'): StoredPage => ({
  url: trustNormalUrl('http://a.test/'),
  title: '',
  text,
  lang,
  type: 'text/html',
  fetchedAtMs: 0,
});

/** Groups as a broker makes them from a query. */
const groupsOf = (query: string, lang = 'en') =>
  analyser.analyseQuery(query, [lang]).map(({ terms }) => terms);

/** Hits in square brackets. */
const show = (pieces: readonly PassagePiece[]): string =>
  pieces.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('');

const passage = (text: string, query: string, { maxLength = 60, lang = 'en' } = {}): string =>
  show(makePassage(pageOf(text, lang), { groups: groupsOf(query, lang), maxLength }, analyser));

test('makePassage - a short text is shown whole, words marked as they are written', () => {
  assert.equal(passage('The Running dog RUNS.', 'run'), 'The [Running] dog [RUNS].');
  assert.equal(passage('Résumés of Ærøskøbing', 'resume aeroskobing'), '[Résumés] of [Ærøskøbing]');
});

test('makePassage - words side by side are one hit', () => {
  assert.equal(passage('in New York City today', 'new york'), 'in [New York] City today');
  assert.equal(passage('使用漢字検索機能', '漢字検索', { lang: 'ja' }), '使用[漢字検索]機能');
});

test('makePassage - a compound is one hit', () => {
  assert.equal(passage('call pg_file_unlink() now', 'pg_file_unlink'), 'call [pg_file_unlink]() now');
  assert.equal(passage('The node.js runtime', 'node'), 'The [node].js runtime');
});

const filler = (count: number) => 'lorem ipsum dolor sit amet '.repeat(count);

test('makePassage - takes the window with most different words, begins with its sentence', () => {
  const text = `One cat here. ${filler(20)}End. A cat met a dog today. ${filler(20)}`;
  assert.equal(
    passage(text, 'cat dog', { maxLength: 50 }),
    '… A [cat] met a [dog] today. lorem ipsum dolor sit amet …',
  );
});

test('makePassage - of equal windows the earliest', () => {
  const text = `${filler(3)}a cat ${filler(20)}a cat ${filler(5)}`;
  const shown = passage(text, 'cat', { maxLength: 40 });
  assert.match(shown, /^… .*\[cat\].* …$/);
  const at = makePassage(pageOf(text), { groups: [['cat']], maxLength: text.length }, analyser);
  assert.equal(at.filter(({ hit }) => hit).length, 2);
});

test('makePassage - without a match the beginning of the text', () => {
  assert.equal(
    passage(`  \nFirst words. ${filler(10)}`, 'absent', { maxLength: 30 }),
    'First words. lorem ipsum dolor …',
  );
  assert.equal(passage('Short.', 'absent'), 'Short.');
});

test('makePassage - a match far beyond the first analysed stretch is found', () => {
  const text = `${filler(20_000)}needle in here. ${filler(10)}`;
  assert.match(passage(text, 'needle'), /\[needle\]/);
});

test('makePassage - nothing to show', () => {
  assert.deepEqual(makePassage(pageOf(''), { groups: [['a']], maxLength: 50 }, analyser), []);
  assert.deepEqual(makePassage(pageOf('a b'), { groups: [['a']], maxLength: 0 }, analyser), []);
  assert.deepEqual(makePassage(pageOf('\n \n'), { groups: [['a']], maxLength: 50 }, analyser), []);
});

test('makePassage - a block border shows as a space', () => {
  assert.equal(passage('Heading\nfirst\n\n  words', 'heading'), '[Heading] first words');
});

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('cat', 'dogs', 'x', ' ', '. ', '\n', 'word ') },
  fc.constantFrom('👨‍👩‍👧', '🇩🇪', 'é', 'e\u0301', '漢字', '\u00ad', '<b>', '&amp;'),
  fc.string({ unit: 'grapheme', maxLength: 10 }),
);
const anyText = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

test('makePassage - any text: bounded, in order, marks only words asked for, no character parted', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 80 }), (text, maxLength) => {
      const pieces = makePassage(pageOf(text), { groups: [['cat'], ['dog']], maxLength }, analyser);
      const plain = pieces.map((part) => part.text).join('');
      const inner = plain.replace(/^… /, '').replace(/ …$/, '');
      assert.ok(inner.length <= maxLength, `${inner.length} > ${maxLength}`);
      assert.equal(Buffer.from(plain).toString(), plain, 'a lone surrogate');
      assert.ok(text.replace(/\s+/g, ' ').includes(inner.trim()));
      for (const [index, part] of pieces.entries()) {
        assert.ok(part.text !== '');
        assert.ok(index === 0 || part.hit !== pieces[index - 1]?.hit);
        if (!part.hit) continue;
        const terms = analyser.analyse(part.text, 'en').map(({ term }) => term);
        assert.ok(
          terms.some((term) => term === 'cat' || term === 'dog'),
          part.text,
        );
      }
    }),
    { numRuns: 1500 },
  );
});

test('makePassage - a chain without a finder shows the same', () => {
  const slow = { ...analyser, finder: undefined };
  fc.assert(
    fc.property(anyText, (text) => {
      const request = { groups: [['cat'], ['dog']], maxLength: 40 };
      const page = pageOf(text);
      assert.deepEqual(makePassage(page, request, analyser), makePassage(page, request, slow));
    }),
    { numRuns: 300 },
  );
});

test('makePassage - shows a word that the text holds whenever it fits', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), fc.integer({ min: 3, max: 60 }), (before, after, maxLength) => {
      const text = `${'word '.repeat(before)}cat${' word'.repeat(after)}`;
      assert.match(passage(text, 'cat', { maxLength }), /\[cat\]/);
    }),
    { numRuns: 300 },
  );
});
