import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordCount } from '../../../shards/postings/postings-encoder.ts';
import { TermDictionary } from '../../../shards/segment/term-dictionary.ts';
import { TermDictionaryWriter } from '../../../shards/segment/term-dictionary-writer.ts';
import { termHash } from '../../../shards/segment/term-hash.ts';

const word = fc.oneof(
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
    .filter((term) => Buffer.from(term).toString() === term),
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 60 }),
);
const entry = fc.record({
  term: word,
  docCount: fc.oneof(
    fc.constant(1),
    fc.integer({ min: 2, max: 127 }),
    fc.integer({ min: 128, max: 1_000_000 }),
    fc.constant(2 ** 31),
  ),
  docsGap: fc.nat({ max: 10_000 }),
  positionsGap: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 2 ** 40 })),
});
const entries = fc.uniqueArray(entry, { selector: ({ term }) => term, maxLength: 120 });

/** A posting of document 5, once in the body. */
const INLINE = Uint8Array.of(11);

test('every term is found with its place, no other is, and all come in order', () => {
  fc.assert(
    fc.property(entries, fc.array(word), (given, absent) => {
      const sorted = [...given].sort((a, b) => Buffer.compare(Buffer.from(a.term), Buffer.from(b.term)));
      const writer = new TermDictionaryWriter();
      let docsOffset = 0;
      let positionsOffset = 0;
      let firstBlock = 0;
      const expected = sorted.map(({ term, docCount, docsGap, positionsGap }) => {
        const place = { docCount, docsOffset, firstBlock, positionsOffset };
        writer.add(Buffer.from(term), { ...place, inline: docCount === 1 ? INLINE : undefined });
        firstBlock += recordCount(docCount);
        if (docCount > 1) docsOffset += docsGap;
        positionsOffset += positionsGap;
        return { term, ...place };
      });
      const sections = writer.finish();
      const dictionary = new TermDictionary(sections, writer.termCount);
      expected.forEach((place, ordinal) => {
        const found = dictionary.find(place.term);
        assert.ok(found, place.term);
        assert.equal(found.ordinal, ordinal);
        assert.equal(found.docCount, place.docCount);
        assert.equal(found.firstBlock, place.firstBlock);
        assert.equal(found.positionsOffset, place.positionsOffset);
        if (place.docCount > 1) assert.equal(found.docsOffset, place.docsOffset);
        assert.equal(
          found.inline && found.inline.bytes[found.inline.offset],
          place.docCount === 1 ? 11 : undefined,
        );
      });
      const known = new Set(expected.map(({ term }) => term));
      for (const term of absent) if (!known.has(term)) assert.equal(dictionary.find(term), undefined);
      assert.equal(dictionary.find(''), undefined);
      assert.deepEqual(
        [...dictionary.entries()].map(({ text, docCount }) => [text, docCount]),
        expected.map(({ term, docCount }) => [term, docCount]),
      );
    }),
  );
});

test('the terms with a prefix are those of all that begin so', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 120 }), word, fc.nat(), (given, other, pick) => {
      const sorted = [...given].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const writer = new TermDictionaryWriter();
      for (const term of sorted) {
        const place = { docCount: 1, docsOffset: 0, firstBlock: 0, positionsOffset: 0, inline: INLINE };
        writer.add(Buffer.from(term), place);
      }
      const dictionary = new TermDictionary(writer.finish(), writer.termCount);
      const some = Array.from(sorted[pick % Math.max(1, sorted.length)] ?? 'a');
      for (const prefix of [other, some.join(''), some.slice(0, 1).join(''), some.slice(0, 2).join('')]) {
        assert.deepEqual(
          [...dictionary.withPrefix(prefix)],
          sorted.filter((term) => term.startsWith(prefix)),
          prefix,
        );
      }
    }),
  );
});

test('look-ups may stand between the steps of a walk', () => {
  const writer = new TermDictionaryWriter();
  const place = { docCount: 1, docsOffset: 0, firstBlock: 0, positionsOffset: 0, inline: INLINE };
  const terms = Array.from({ length: 40 }, (_, i) => `term${String(i).padStart(2, '0')}`);
  for (const term of terms) writer.add(Buffer.from(term), place);
  const dictionary = new TermDictionary(writer.finish(), writer.termCount);
  const walked = [];
  for (const { text, ordinal } of dictionary.entries()) {
    assert.equal(dictionary.find('term33')?.ordinal, 33);
    assert.equal(dictionary.find(text)?.ordinal, ordinal);
    walked.push(text);
  }
  assert.deepEqual(walked, terms);
});

test('an empty dictionary finds nothing', () => {
  const dictionary = new TermDictionary(new TermDictionaryWriter().finish(), 0);
  assert.equal(dictionary.find('a'), undefined);
  assert.deepEqual([...dictionary.entries()], []);
});

test('a term far longer than analysers make is looked up', () => {
  const writer = new TermDictionaryWriter();
  const long = 'é'.repeat(5000);
  writer.add(Buffer.from(long), {
    docCount: 2,
    docsOffset: 0,
    firstBlock: 0,
    positionsOffset: 0,
    inline: undefined,
  });
  const dictionary = new TermDictionary(writer.finish(), 1);
  assert.equal(dictionary.find(long)?.docCount, 2);
  assert.equal(dictionary.find(`${long}é`), undefined);
});

test('the hash is part of the format and never changes', () => {
  // Worked out with another implementation of FNV-1a and fmix32.
  const known = { '': 0xab3e7c0b, a: 0x1a80b1b3, granit: 0x5d483bb9, 検索: 0xd78eb3ca };
  for (const [term, hash] of Object.entries(known)) assert.equal(termHash(Buffer.from(term)), hash);
});
