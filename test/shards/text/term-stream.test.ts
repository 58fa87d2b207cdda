import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUSVString } from 'node:util';
import fc from 'fast-check';
import { SLOT_COUNT, TEXT_BYTES } from '../../../shards/kernels/text-layout.ts';
import { ANALYSER_NAMES, createAnalyser } from '../../../shards/text/analyser.ts';
import type { OwnTermStream, TermRun, TermStream } from '../../../shards/text/term-stream.ts';
import { anyText } from '../../helpers/any-text.ts';

const LANGUAGES = ['', 'en', 'fr', 'de', 'ru', 'zh', 'xx'];

const streamOf = (name: string): OwnTermStream =>
  createAnalyser(name).termStream?.() ?? assert.fail(`${name} has no stream`);

const show = (stream: TermStream, { termIds, positions }: TermRun): string[] =>
  Array.from(termIds, (id, index) => `${Buffer.from(stream.termBytes(id)).toString()}@${positions[index]}`);

const STREAMING = ANALYSER_NAMES.filter((name) => createAnalyser(name).termStream !== undefined);

test('the chains that users index with have a stream', () => {
  assert.deepEqual(STREAMING, ['default', 'lucene-english']);
});

for (const name of STREAMING) {
  const analyser = createAnalyser(name);
  const stream = streamOf(name);
  const expected = (text: string, lang: string): string[] =>
    analyser.analyse(text, lang).map(({ term, position }) => `${term}@${position}`);
  const assertSame = (text: string, lang: string): TermRun => {
    const run = stream.cut(text, lang);
    assert.deepEqual(show(stream, run), expected(text, lang));
    return run;
  };

  test(`${name} - the stream gives the terms and positions of analyse, of strings and of bytes`, () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...LANGUAGES), (text, lang) => {
        const { positions, lengthTokens, endPosition } = assertSame(text, lang);
        assert.equal(lengthTokens, new Set(positions).size);
        assert.equal(endPosition, positions.length === 0 ? 0 : Math.max(...positions) + 1);
        const wellFormed = toUSVString(text);
        assert.deepEqual(
          show(stream, stream.cut(Buffer.from(wellFormed), lang)),
          show(stream, stream.cut(wellFormed, lang)),
        );
      }),
      { numRuns: 4000 },
    );
  });

  test(`${name} - bytes that are no UTF-8 are read as any decoder reads them`, () => {
    const anyBytes = fc
      .array(
        fc.oneof(
          anyText.map((text) => Buffer.from(text)),
          fc.uint8Array({ maxLength: 6 }),
        ),
        { maxLength: 6 },
      )
      .map((parts) => Buffer.concat(parts));
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        assert.deepEqual(show(stream, stream.cut(bytes, 'en')), expected(bytes.toString(), 'en'));
      }),
      { numRuns: 1000 },
    );
  });

  test(`${name} - terms are numbered in the order in which they came, from 0 again after a reset`, () => {
    const own = streamOf(name);
    const ids = (text: string): number[] => [...own.cut(text, 'en').termIds];
    assert.deepEqual(ids('zebra apple zebra'), [0, 1, 0]);
    assert.deepEqual(ids('apple pear'), [1, 2]);
    own.reset();
    assert.equal(own.termCount, 0);
    assert.deepEqual(ids('pear zebra'), [0, 1]);
    assert.equal(Buffer.from(own.termBytes(0)).toString(), 'pear');
  });

  test(`${name} - a text longer than the window is cut as one`, () => {
    const words = 'Running dogs, C++ and l\u2019été 漢字 \u{1f600}\n';
    assertSame(words.repeat(Math.ceil((3 * TEXT_BYTES) / words.length)), 'en');
    for (const unit of ['ab', 'é', '漢', 'a.', "x'", '\u0301', '\ud800']) {
      assertSame(`start ${unit.repeat(TEXT_BYTES)} end\n\nmore`, 'en');
    }
  });

  test(`${name} - more words than the table holds are all cut, and those met again after it was emptied`, () => {
    const own = streamOf(name);
    const count = SLOT_COUNT + 1000;
    const numbers = Array.from({ length: count }, (_, index) => String(index));
    for (let from = 0; from < count; from += 5000) {
      const part = numbers.slice(from, from + 5000);
      const { termIds } = own.cut(part.join(' '), 'en');
      assert.deepEqual([...termIds], part.map(Number));
    }
    assert.equal(own.termCount, count);
    assert.deepEqual([...own.cut('7 3 8', 'en').termIds], [7, 3, 8]);
  });

  test(`${name} - a word of a megabyte is no term, whatever it is made of, and takes its position`, () => {
    for (const unit of ['x', 'x-', 'é', '\u0301a', 'e\u0301']) {
      const own = stream.cut(`before ${unit.repeat(1 << 20)} behind`, 'xx');
      const shown = show(stream, own);
      assert.equal(shown[0], name === 'default' ? 'before@0' : 'befor@0', unit);
      assert.ok(shown.length < 2.1 * (1 << 20), unit);
      assert.match(shown.at(-1) ?? '', /^behind@\d+$/, unit);
    }
  });

  test(`${name} - 100,000 marks on one letter, and as many lone surrogates`, () => {
    assertSame(`a${'\u0301'.repeat(100_000)} b`, 'en');
    assertSame(`a${'\u0301'.repeat(200)} b`, 'en');
    assert.deepEqual(show(stream, assertSame('\ud800'.repeat(100_000), 'en')), []);
    assert.equal(assertSame('x\udc00'.repeat(100_000), 'en').termIds.length, 100_000);
  });

  test(`${name} - ten million words`, () => {
    const count = 10_000_000;
    const own = streamOf(name);
    const run = own.cut('ab '.repeat(count), 'en');
    assert.deepEqual([run.termIds.length, run.lengthTokens, run.endPosition], [count, count, count]);
    assert.equal(own.termCount, 1);
  });
}
