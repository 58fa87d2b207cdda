import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJudgments, parseQueries } from '../../../query/evaluation/collection.ts';

const code = (expected: string, message: RegExp) => (error: Error & { code?: string }) => {
  assert.equal(error.code, expected);
  assert.match(error.message, message);
  return true;
};

describe('queries.jsonl', () => {
  it('is read in order; numbers are ids too; empty lines and a byte order mark do not matter', () => {
    const content =
      '\uFEFF{"id": "b", "text": "dielectric constant"}\r\n\n{"id": 7, "text": "waves", "more": 1}\n';
    assert.deepEqual(parseQueries(content, 'q.jsonl'), [
      { id: 'b', text: 'dielectric constant' },
      { id: '7', text: 'waves' },
    ]);
  });

  for (const line of [
    '{"id": "1"}',
    '{"text": "x"}',
    'null',
    '[]',
    'not json',
    '{"id": "", "text": "x"}',
    '3',
  ]) {
    it(`refuses ${line}`, () => {
      assert.throws(
        () => parseQueries(`{"id": "1", "text": "x"}\n${line}`, 'q.jsonl'),
        code('QUERY_EVAL_BAD_QUERY', /^q\.jsonl, line 2: /),
      );
    });
  }
});

describe('qrels.tsv', () => {
  it('has a header line or not', () => {
    const rows = '1\tdoc a\t2\n1\tb\t0\r\n2\tb\t-1\n';
    const expected = new Map([
      [
        '1',
        new Map([
          ['doc a', 2],
          ['b', 0],
        ]),
      ],
      ['2', new Map([['b', -1]])],
    ]);
    assert.deepEqual(parseJudgments(`query-id\tdoc-id\tgrade\n${rows}`, 'r.tsv'), expected);
    assert.deepEqual(parseJudgments(rows, 'r.tsv'), expected);
  });

  it('lets the later judgment of a pair hold', () => {
    assert.equal(parseJudgments('1\ta\t1\n1\ta\t3\n', 'r.tsv').get('1')?.get('a'), 3);
  });

  for (const line of ['1\ta', '1\ta\tx1', '1\ta\t1.5', '\ta\t1', '1\t\t1', '1\ta\t1\tmore', '1 0 a 1']) {
    it(`refuses ${JSON.stringify(line)}`, () => {
      assert.throws(
        () => parseJudgments(`query-id\tdoc-id\tgrade\n${line}\n`, 'r.tsv'),
        code('QUERY_EVAL_BAD_JUDGMENT', /^r\.tsv, line 2: /),
      );
    });
  }
});

describe('readers of judged collections, any text', () => {
  it('give a value or their own error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (content) => {
        for (const read of [parseQueries, parseJudgments]) {
          try {
            read(content, 'x');
          } catch (error) {
            assert.match(String((error as { code?: string }).code), /^QUERY_EVAL_BAD_/);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
