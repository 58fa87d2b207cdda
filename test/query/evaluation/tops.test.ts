import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatTops, parseTops, topsKey } from '../../../query/evaluation/tops.ts';

describe('rankings as a file', () => {
  it('is query, URL, rank and score between tabs', () => {
    const tops = new Map([
      [
        'a  "b\tc"',
        [
          { url: 'http://x.test/', score: 12 },
          { url: 'id:7', score: 3.5 },
        ],
      ],
      ['d', []],
    ]);
    assert.equal(formatTops(tops), 'a "b c"\thttp://x.test/\t1\t12\na "b c"\tid:7\t2\t3.5\n');
  });

  it('is read in order of rank, whatever the order of lines', () => {
    const read = parseTops('q\tb\t2\t1.5\nq\ta\t1\t2\np\tc\t1\t1\n', 't.tsv');
    assert.deepEqual(read.get('q'), [
      { url: 'a', score: 2 },
      { url: 'b', score: 1.5 },
    ]);
    assert.deepEqual(read.get('p'), [{ url: 'c', score: 1 }]);
  });

  for (const line of [
    'q\ta\t0\t1',
    'q\ta\tx\t1',
    'q\ta\t1',
    'q\t\t1\t1',
    'q\ta\t1\t',
    'q\ta\t1\tx',
    'q\ta\t1\t1\t1',
  ]) {
    it(`refuses ${JSON.stringify(line)}`, () => {
      assert.throws(() => parseTops(`q\tz\t1\t9\n${line}`, 't.tsv'), {
        code: 'QUERY_EVAL_BAD_RANKING',
        message: /^t\.tsv, line 2: /,
      });
    });
  }

  for (const content of ['', '\n\r\n']) {
    it(`refuses a file without a row: ${JSON.stringify(content)}`, () => {
      assert.throws(() => parseTops(content, 't.tsv'), {
        code: 'QUERY_EVAL_NO_RANKING',
        message: /^t\.tsv holds no/,
      });
    });
  }

  it('comes back as it was written', () => {
    const url = fc.webUrl();
    const result = fc.record({ url, score: fc.integer({ min: 0, max: 2 ** 31 }) }, { noNullPrototype: true });
    const query = fc.string({ minLength: 1 }).filter((text) => topsKey(text) !== '');
    fc.assert(
      fc.property(
        fc.dictionary(query, fc.array(result, { minLength: 1, maxLength: 5 }), { minKeys: 1 }),
        (written) => {
          const tops = new Map(Object.entries(written).map(([text, results]) => [topsKey(text), results]));
          assert.deepEqual(parseTops(formatTops(tops), 't.tsv'), tops);
        },
      ),
    );
  });
});
