import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluate, runFromTops } from '../../../query/evaluation/evaluate.ts';

const answers: Readonly<Record<string, readonly string[]>> = {
  red: ['x', 'a', 'a/index.html', 'b'],
  blue: ['index', 'c'],
  green: [],
  grey: ['a'],
};
const run = async (text: string) => (answers[text] ?? []).map((url, index) => ({ url, score: 10 - index }));
const queries = Object.keys(answers).map((text, index) => ({ id: String(index + 1), text }));
const qrels = new Map([
  [
    '1',
    new Map([
      ['a', 1],
      ['b', 1],
    ]),
  ],
  ['2', new Map([['c', 2]])],
  ['3', new Map([['a', 1]])],
  ['4', new Map([['a', 0]])],
]);
const mapUrl = (url: string): string => (url === 'a/index.html' ? 'a' : url);
const near = (actual: number | undefined, expected: number): void =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} instead of ${expected}`);

describe('evaluate', () => {
  it('takes means over the queries with a relevant page; a query without results counts as 0', async () => {
    const { means, perQuery, unjudgedCount } = await evaluate({ queries, qrels, run, mapUrl });
    assert.deepEqual(
      perQuery.map(({ query }) => query.id),
      ['1', '2', '3'],
    );
    assert.equal(unjudgedCount, 1);
    near(means.mrr10, (1 / 2 + 1 / 2 + 0) / 3);
    near(means.p10, (0.2 + 0.1 + 0) / 3);
    near(means.recall100, 2 / 3);
  });

  it('counts a page once, at its best rank, whatever its addresses', async () => {
    const { perQuery } = await evaluate({ queries, qrels, run, mapUrl });
    near(perQuery[0]?.metrics.map, (1 / 2 + 2 / 3) / 2);
    const unmapped = await evaluate({ queries, qrels, run });
    near(unmapped.perQuery[0]?.metrics.map, (1 / 2 + 2 / 4) / 2);
  });

  it('maps judged names as well, the better of two grades for one page', async () => {
    const judged = new Map([
      [
        '1',
        new Map([
          ['a', 0],
          ['a/index.html', 2],
        ]),
      ],
    ]);
    const { means } = await evaluate({ queries, qrels: judged, run, mapUrl });
    near(means.ndcg10, 1 / Math.log2(3));
  });

  it('leaves out excluded results before ranks are counted', async () => {
    const { perQuery } = await evaluate({
      queries,
      qrels,
      run,
      mapUrl,
      isExcluded: (url) => /^index$|^x$/.test(url),
    });
    near(perQuery[0]?.metrics.mrr10, 1);
    near(perQuery[1]?.metrics.ndcg10, 1);
  });

  it('asks for a thousand results and gives what it got as tops, which measure the same again', async () => {
    const asked: number[] = [];
    const first = await evaluate({
      queries,
      qrels,
      run: (text, k) => {
        asked.push(k);
        return run(text);
      },
    });
    assert.deepEqual(asked, [1000, 1000, 1000]);
    assert.deepEqual([...first.tops.keys()], ['red', 'blue', 'green']);
    const again = await evaluate({ queries, qrels, run: runFromTops(first.tops) });
    assert.deepEqual(again.means, first.means);
  });

  it('refuses judgments that have nothing to do with the queries', async () => {
    await assert.rejects(evaluate({ queries, qrels: new Map([['9', new Map([['a', 1]])]]), run }), {
      code: 'QUERY_EVAL_NOTHING_JUDGED',
      message: /none of the 4 queries/,
    });
  });

  it('stops when aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(evaluate({ queries, qrels, run, signal }), /enough/);
  });
});
