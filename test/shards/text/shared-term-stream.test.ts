import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ANALYSER_NAMES, createAnalyser } from '../../../shards/text/analyser.ts';
import { KEPT_VOCABULARY_BYTES, SharedTermStream } from '../../../shards/text/shared-term-stream.ts';
import type { TermStream } from '../../../shards/text/term-stream.ts';
import { anyText } from '../../helpers/any-text.ts';

const terms = (stream: TermStream): string[] =>
  Array.from({ length: stream.termCount }, (_, id) => Buffer.from(stream.termBytes(id)).toString());

for (const name of ANALYSER_NAMES) {
  test(`${name} - segments that share a stream number their own terms in the order in which they came`, () => {
    const analyser = createAnalyser(name);
    const shared = new SharedTermStream(name);
    const part = fc.record({ segment: fc.nat(2), text: anyText });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const segments = [0, 1, 2].map(() => ({
          stream: shared.open(),
          expected: new Map<string, number>(),
        }));
        for (const { segment, text } of parts) {
          const { stream, expected } = segments[segment] ?? assert.fail();
          const tokens = analyser.analyse(text, 'en');
          for (const { term } of tokens) if (!expected.has(term)) expected.set(term, expected.size);
          const run = stream.cut(text, 'en');
          assert.deepEqual(
            [...run.termIds],
            tokens.map(({ term }) => expected.get(term)),
          );
          assert.deepEqual(
            [...run.positions],
            tokens.map(({ position }) => position),
          );
        }
        for (const { stream, expected } of segments) {
          assert.deepEqual(terms(stream), [...expected.keys()]);
          shared.close();
        }
        assert.equal(shared.memoryBytes, 0);
      }),
      { numRuns: 300 },
    );
  });
}

test('a second segment takes little memory, for the words are known', () => {
  const shared = new SharedTermStream('default');
  shared.open().cut('granite quarry', 'en');
  const { memoryBytes, vocabularyBytes } = shared;
  assert.ok(memoryBytes > 20 * 2 ** 20);
  const second = shared.open();
  second.cut('quarry granite', 'en');
  assert.deepEqual(terms(second), ['quarri', 'granit']);
  assert.deepEqual([shared.memoryBytes, shared.vocabularyBytes], [memoryBytes, vocabularyBytes]);
  assert.ok(second.memoryBytes < 2 ** 14);
  shared.close();
  shared.close();
});

test('a large vocabulary is forgotten with its last segment, a small one is kept for the next', () => {
  const shared = new SharedTermStream('whitespace');
  const fill = (from: number, count: number): void => {
    shared.open().cut(Array.from({ length: count }, (_, i) => `word${from + i}`).join(' '), '');
  };
  fill(0, 10_000);
  const small = shared.vocabularyBytes;
  fill(10_000, 200_000);
  assert.ok(shared.vocabularyBytes > KEPT_VOCABULARY_BYTES);
  shared.close();
  assert.ok(shared.vocabularyBytes > KEPT_VOCABULARY_BYTES);
  shared.close();
  fill(0, 1);
  assert.ok(shared.vocabularyBytes < small);
  fill(0, 10_000);
  shared.close();
  shared.close();
  fill(0, 1);
  assert.equal(shared.vocabularyBytes, small);
  shared.close();
});

test('an analyser that nobody knows is refused', () => {
  assert.throws(() => new SharedTermStream('klingon').open(), { code: 'TEXT_UNKNOWN_ANALYSER' });
});
