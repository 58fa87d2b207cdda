import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAnalyser } from '../../../shards/text/analyser.ts';

const analyser = createAnalyser('lucene-english');

const unescape = (text: string): string =>
  text.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));

const shown = (text: string): string =>
  analyser
    .analyse(text, '')
    .map(({ term, position, start, end }) => `${term}@${position}[${start}-${end}]`)
    .join(' ');

const CASES = readFileSync(new URL('../../../../test/cases/lucene-english.txt', import.meta.url), 'utf8');

CASES.split('\n').forEach((line, index) => {
  if (line === '' || line.startsWith('#')) return;
  const [text = '', tokens = ''] = line.split(' => ').map(unescape);
  test(`lucene-english.txt:${index + 1} ${JSON.stringify(text)}`, () => {
    assert.equal(shown(text), tokens);
  });
});

test('analyse - words of connectors and marks take linear time', () => {
  for (const unit of [
    '_',
    '_\u0301',
    '\u{1f600}\u200d',
    '\u200d',
    '\u{1f600}\ufe0f\u200d',
    'a.\u00ad',
    '\u{1f1e6}',
  ]) {
    const text = `a ${unit.repeat(100_000)} b`;
    const terms = analyser.analyse(text, '').map(({ term }) => term);
    assert.equal(terms.at(-1), 'b', JSON.stringify(unit));
  }
});

test('termStream - the same terms and positions as analyse, whatever stands together', () => {
  const stream = analyser.termStream?.();
  assert.ok(stream);
  const piece = fc.constantFrom(
    ...Array.from(
      'aSs1 _\'.,:;"\n\u00ad\u200d\u200e\u0301\u2019\u00b7\u05d0\u24d8\u2630\ufe0f\u6f22\u30a2\u0e01\u0e31\uff3f\uff11\u{1f600}\u{1f3fd}\u{1f1e6}\u{10400}',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const { termIds, positions } = stream.cut(text, '');
      const streamed = Array.from(termIds, (termId, index) => {
        const term = Buffer.from(stream.termBytes(termId)).toString();
        return `${term}@${positions[index]}`;
      });
      const tokens = analyser.analyse(text, '').map(({ term, position }) => `${term}@${position}`);
      assert.deepEqual(streamed, tokens);
    }),
    { numRuns: 2_000 },
  );
});
