import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lex, MAX_QUERY_LENGTH } from '../../../query/language/lexer.ts';
import { parseQuery } from '../../../query/language/parser.ts';
import { formatTree } from '../../../query/language/tree.ts';

interface Case {
  readonly line: number;
  readonly input: string;
  readonly interpreted: string;
  readonly codes: readonly string[];
}

const unescape = (text: string): string =>
  text
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/\\t/g, '\t')
    .replace(/\\n/g, '\n');

const readCases = (): Case[] =>
  readFileSync(new URL('../../../../test/cases/queries.txt', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      if (text === '' || text.startsWith('#')) return [];
      const parts = /^(.*?) ?=> ?(.*?)(?: \[(.*)\])?$/.exec(text);
      assert.ok(parts, `line ${index + 1} is no case`);
      const [, input = '', interpreted = '', codes = ''] = parts;
      return [
        {
          line: index + 1,
          input: unescape(input),
          interpreted: unescape(interpreted),
          codes: codes.split(' ').filter((code) => code !== ''),
        },
      ];
    });

describe('parseQuery', () => {
  for (const { line, input, interpreted, codes } of readCases()) {
    it(`queries.txt:${line} ${JSON.stringify(input)}`, () => {
      const tree = parseQuery(input);
      assert.equal(formatTree(tree), interpreted);
      assert.deepEqual(
        tree.warnings.map(({ code }) => code),
        codes,
      );
    });
  }

  it('reads how it reads: the interpreted query of words, phrases, exclusions and sites means the same', () => {
    const word = fc.stringMatching(/^[a-z0-9äé東][a-z0-9.+#'&-]{0,8}$/u);
    const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `"${words.join('  ')}"`);
    const site = fc.domain().map((domain) => `site:${domain}/docs`);
    const clause = fc
      .tuple(fc.constantFrom('', '-'), fc.oneof(word, phrase, site))
      .map(([sign, text]) => sign + text);
    fc.assert(
      fc.property(fc.array(clause), (clauses) => {
        const tree = parseQuery(clauses.join(' '));
        assert.equal(tree.nodes.length, clauses.length);
        assert.deepEqual(tree.warnings, []);
        assert.deepEqual(parseQuery(formatTree(tree)), tree);
      }),
    );
  });

  it('never throws and keeps every word short of the limit, whatever the input', () => {
    const noise = fc.string({
      unit: fc.constantFrom(...Array.from('ab "-()+*:|\u201c\u00ab\u3000\ud83d\ude00 siteOR.,é東')),
      maxLength: 300,
    });
    const any = fc.oneof(noise, fc.string({ unit: 'binary', maxLength: 300 }), fc.string());
    fc.assert(
      fc.property(any, (text) => {
        const tree = parseQuery(text);
        for (const node of tree.nodes) {
          if (node.kind === 'site') assert.notEqual(node.filter.host, '');
          else assert.match(node.text, /[\p{L}\p{N}\p{M}\p{So}]/u);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('gives each lexeme at least one character, so that work is linear in the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '"', '-', '(', ':'), maxLength: 500 }),
        (text) => {
          assert.ok(lex(text).length <= text.length);
        },
      ),
    );
  });

  for (const unit of ['(', '"', '-', ' ', 'a', 'lang:', '" "', '-"', 'site:', '(-', ')']) {
    it(`reads a megabyte of ${JSON.stringify(unit)} up to the limit`, () => {
      const tree = parseQuery(unit.repeat(1_000_000 / unit.length));
      assert.equal(tree.warnings[0]?.code, 'query_truncated');
      assert.ok(formatTree(tree).length <= MAX_QUERY_LENGTH);
    });
  }

  it('does not split a surrogate pair at the limit', () => {
    const tree = parseQuery(`${'a'.repeat(MAX_QUERY_LENGTH - 1)}\u{1f600}`);
    assert.equal(formatTree(tree), 'a'.repeat(MAX_QUERY_LENGTH - 1));
  });
});
