import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { biwordKey, isBiword, wordsOfBiword } from '../../../shards/postings/biwords.ts';
import { ListReader } from '../../../shards/postings/list-reader.ts';
import { wholeSection } from '../../../shards/postings/section-bytes.ts';
import { FIELD_NAMES, type FieldName, type FieldText } from '../../../shards/values/fields.ts';
import { invertInMemory, invertSlowly, type OraclePosting } from './postings-oracle.ts';

/** How often a biword stands in a document: in the body, then in all other fields together. */
type Counts = readonly [doc: number, body: number, others: number];

/** From the obvious inverted index: places of the second word that have the first one right in front of them. */
const countSlowly = (first: readonly OraclePosting[], second: readonly OraclePosting[]): Counts[] =>
  first.flatMap(({ doc, positions }) => {
    const partner = second.find((posting) => posting.doc === doc);
    const inField = (field: FieldName): number => {
      const places = new Set(positions.get(field));
      return (partner?.positions.get(field) ?? []).filter((position) => places.has(position - 1)).length;
    };
    const body = inField('body');
    const others = FIELD_NAMES.filter((field) => field !== 'body').reduce(
      (sum, field) => sum + inField(field),
      0,
    );
    return body + others > 0 ? [[doc, body, others] as const] : [];
  });

/** Inverts with the real writer and reads biwords as a merge does. */
const invert = (documents: readonly (readonly FieldText[])[], commonWords: ReadonlySet<string>) => {
  const { lists, dictionary, sections } = invertInMemory(documents, undefined, commonWords);
  const read = (key: Uint8Array): Counts[] => {
    const term = dictionary.findKey(key);
    if (term === undefined) return [];
    const reader = new ListReader(sections, wholeSection(sections.positions));
    reader.open(term, false);
    const found: Counts[] = [];
    while (reader.next()) {
      assert.equal(reader.deltasEnd, 0, 'a biword has no positions');
      const { others, othersStart } = reader;
      const other = others?.subarray(othersStart, othersStart + 5).reduce((sum, count) => sum + count, 0);
      found.push([reader.doc, reader.bodyFrequency, other ?? 0]);
    }
    return found;
  };
  return { lists, dictionary, positions: sections.positions, read };
};

const NAMES = ['a', 'b', 'cc', 'é', '検'];
/** Tokens with gaps, several at one position, the same one twice among them. */
const text = fc
  .array(fc.record({ name: fc.constantFrom(...NAMES), gap: fc.constantFrom(0, 1, 1, 1, 2, 300) }), {
    maxLength: 12,
  })
  .map((tokens) => {
    let position = 0;
    return tokens.map(({ name, gap }) => `${name}@${(position += gap)}`).join(' ');
  });
const fields: fc.Arbitrary<FieldText[]> = fc.array(
  fc.record({ field: fc.constantFrom<FieldName>('title', 'body', 'body', 'anchor'), text }),
  { maxLength: 4 },
);
const documents = fc
  .record({ kinds: fc.array(fields, { minLength: 1, maxLength: 4 }), repeats: fc.constantFrom(1, 40, 140) })
  .map(({ kinds, repeats }) => Array.from({ length: repeats }, () => kinds).flat());

test('any two common words side by side are a biword, as often as they stand so, and no other two', () => {
  fc.assert(
    fc.property(documents, fc.subarray(NAMES), (texts, common) => {
      const oracle = invertSlowly(texts);
      const { lists, dictionary, read } = invert(texts, new Set(common));
      const words = [...oracle.keys()];
      assert.deepEqual([...dictionary.entries()].map((entry) => entry.text).sort(), words.sort());
      let count = 0;
      for (const first of words) {
        for (const second of words) {
          const isKnown = [first, second].every((word) => lists.commonWords.includes(word));
          const [before, behind] = [oracle.get(first) ?? [], oracle.get(second) ?? []];
          const expected = isKnown ? countSlowly(before, behind) : [];
          assert.deepEqual(read(biwordKey(first, second)), expected, `${first} ${second}`);
          count += Number(expected.length > 0);
        }
      }
      assert.equal(lists.biwordCount, count);
      for (const word of common) assert.equal(lists.commonWords.includes(word), oracle.has(word));
    }),
    { numRuns: 60 },
  );
});

test('words of at least 128 documents, and of a twelfth of all, are common by themselves', () => {
  const documentsWith = (word: string, count: number): FieldText[][] =>
    Array.from({ length: count }, () => [{ field: 'body', text: `${word}@0` }]);
  const commonOf = (...groups: FieldText[][][]): readonly string[] =>
    invert(groups.flat(), new Set()).lists.commonWords;
  assert.deepEqual(commonOf(documentsWith('a', 127), documentsWith('b', 128)), ['b']);
  assert.deepEqual(commonOf(documentsWith('a', 199), documentsWith('b', 200), documentsWith('c', 2001)), [
    'b',
    'c',
  ]);
});

test('positions of words are the same with biwords', () => {
  const texts: FieldText[][] = Array.from({ length: 130 }, (_, doc) => [
    { field: 'body', text: `a@0 b@1 a@${2 + (doc % 3)}` },
  ]);
  const without = invert(texts.slice(0, 127), new Set());
  const withBiwords = invert(texts.slice(0, 127), new Set(['a', 'b']));
  assert.equal(without.lists.biwordCount, 0);
  assert.equal(withBiwords.lists.biwordCount, 2);
  assert.deepEqual(withBiwords.positions, without.positions);
});

test('a biword is told from words by its key, which gives its words back', () => {
  const key = biwordKey('naïve', '検索');
  assert.equal(isBiword(key), true);
  assert.equal(isBiword(Buffer.from('naïve')), false);
  assert.deepEqual(wordsOfBiword(key), ['naïve', '検索']);
});
