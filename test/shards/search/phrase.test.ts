import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { type PhraseWord, phraseFrequency, phraseMatches } from '../../../shards/search/phrase.ts';
import { MemorySegment } from '../../helpers/memory-segment.ts';

const scorer = createScorer({
  averageLengths: { title: 1, headings: 1, emphasis: 1, body: 1, anchor: 1, url: 1 },
});
const place = (text: readonly string[]) => text.map((term, position) => ({ term, position }));

interface Texts {
  readonly title?: string[];
  readonly body?: string[];
}
type Asked = readonly { readonly term: string; readonly offset: number }[];

/** The words' cursors on the only document; undefined when it lacks one. */
const placedOn = ({ title = [], body = [] }: Texts, words: Asked): PhraseWord[] | undefined => {
  const documents = [{ url: 'http://a.test/', fields: { title: place(title), body: place(body) } }];
  const segment = new MemorySegment({ documents });
  const placed = words.map(({ term, offset }) => ({ cursor: segment.cursor(term, scorer), offset }));
  if (!placed.every(({ cursor }) => cursor?.next() === 0)) return undefined;
  return placed.map(({ cursor, offset }) => ({ cursor: cursor as NonNullable<typeof cursor>, offset }));
};

const matches = (fields: Texts, asked: Asked): boolean => {
  const placed = placedOn(fields, asked);
  return placed !== undefined && phraseMatches(placed);
};

const words = (text: string) => text.split(' ').map((term, offset) => ({ term, offset }));

test('phraseMatches - words side by side, in order, in one field', () => {
  const body = 'to be or not to be that is'.split(' ');
  assert.ok(matches({ body }, words('to be')));
  assert.ok(matches({ body }, words('not to be that')));
  assert.ok(matches({ body }, words('to be or not to be')));
  assert.ok(!matches({ body }, words('be to')));
  assert.ok(!matches({ body }, words('or to')));
  assert.ok(!matches({ title: ['new'], body: ['york'] }, words('new york')));
  assert.ok(matches({ title: ['new', 'york'], body: ['york'] }, words('new york')));
  assert.ok(
    matches({ body }, [
      { term: 'to', offset: 0 },
      { term: 'or', offset: 2 },
    ]),
  );
});

test('phraseMatches - equals a search by eye', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  const asked = fc.array(
    fc.record({ term: fc.constantFrom('a', 'b', 'c'), gap: fc.integer({ min: 1, max: 2 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(letters, letters, asked, (title, body, list) => {
      let offset = -(list[0]?.gap ?? 0);
      const placed = list.map(({ term, gap }) => ({ term, offset: (offset += gap) }));
      const holds = (text: string[]) =>
        text.some((_, start) => placed.every((word) => text[start + word.offset] === word.term));
      assert.equal(matches({ title, body }, placed), holds(title) || holds(body));
      const found = placedOn({ title, body }, placed);
      if (found === undefined) return;
      // A word at the phrase's offset may be there while the text's start is beyond it.
      const starts = Array.from({ length: body.length + 8 }, (_, index) => index - 8);
      const count = starts.filter((start) => placed.every((word) => body[start + word.offset] === word.term));
      assert.equal(phraseFrequency(found, 'body'), count.length);
    }),
    { numRuns: 1000 },
  );
});
