import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteWriter } from '../../../shards/bytes/byte-writer.ts';
import type { TermBounds } from '../../../shards/postings/bounds.ts';
import type { EncodedLists } from '../../../shards/postings/inversion.ts';
import type { CursorTerm } from '../../../shards/postings/postings-cursor.ts';
import { type PostingSections, PostingsCursor } from '../../../shards/postings/postings-cursor.ts';
import { PostingsWriter } from '../../../shards/postings/postings-writer.ts';
import { createScorer } from '../../../shards/score/bm25f.ts';
import type { Scorer } from '../../../shards/score/scorer.ts';
import { TermDictionary } from '../../../shards/segment/term-dictionary.ts';
import { AnalysedTermStream } from '../../../shards/text/analysed-term-stream.ts';
import type { Analyser } from '../../../shards/text/token.ts';
import { FIELD_NAMES, type FieldName, type FieldText } from '../../../shards/values/fields.ts';

/** Cuts "term@position term@position": tests say where a term stands. */
export const markedAnalyser: Analyser = {
  name: 'marked',
  analyse: (text) =>
    text
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => {
        const [term = '', position = '0'] = word.split('@');
        return { term, position: Number(position), start: 0, end: 0 };
      }),
  analyseQuery: () => [],
  prefixOf: () => '',
};

/** Positions of one term in one document by field. */
export type OraclePosting = { readonly doc: number; readonly positions: ReadonlyMap<FieldName, number[]> };
/** The obvious inverted index: a map from term to postings in rising order of document. */
export type Oracle = Map<string, OraclePosting[]>;

export const invertSlowly = (documents: readonly (readonly FieldText[])[]): Oracle => {
  const oracle: Oracle = new Map();
  documents.forEach((fields, doc) => {
    const found = new Map<string, Map<FieldName, Set<number>>>();
    for (const field of FIELD_NAMES) {
      let base = 0;
      for (const part of fields.filter((candidate) => candidate.field === field)) {
        const tokens = markedAnalyser.analyse(part.text, '');
        for (const { term, position } of tokens) {
          const byField = found.get(term) ?? new Map<FieldName, Set<number>>();
          found.set(term, byField);
          byField.set(field, (byField.get(field) ?? new Set()).add(base + position));
        }
        const last = tokens.at(-1);
        if (last) base += last.position + 1 + 8;
      }
    }
    for (const [term, byField] of found) {
      const positions = new Map(
        [...byField].map(([field, set]) => [field, [...set].sort((a, b) => a - b)] as const),
      );
      oracle.set(term, [...(oracle.get(term) ?? []), { doc, positions }]);
    }
  });
  return oracle;
};

export interface InMemoryIndex {
  readonly lists: EncodedLists;
  readonly dictionary: TermDictionary;
  readonly sections: PostingSections;
  readonly terms: ReadonlyMap<string, CursorTerm & { readonly ordinal: number }>;
  readonly lengths: (doc: number, field: number) => number;
  cursor(term: string, scorer: Scorer, bounds?: TermBounds): PostingsCursor;
}

const ONES = Object.fromEntries(FIELD_NAMES.map((name) => [name, 1])) as Record<FieldName, number>;
const openEnded: TermBounds = { termMax: 65535, blockMax: () => 65535 };

/** Inverts with the real writer; length codes are 1 everywhere unless given. `commonWords`: whatever their number. */
export const invertInMemory = (
  documents: readonly (readonly FieldText[])[],
  lengthCodes: readonly Uint8Array[] = FIELD_NAMES.map(() => new Uint8Array(documents.length).fill(1)),
  commonWords: ReadonlySet<string> = new Set(),
): InMemoryIndex => {
  const writer = new PostingsWriter(new AnalysedTermStream(markedAnalyser, 1));
  for (const fields of documents) writer.add(fields, '');
  const { tables } = createScorer({ averageLengths: ONES });
  assert.ok(tables);
  const inversion = writer.invert({
    order: Uint32Array.from(documents.keys()),
    lengthCodes: Uint8Array.from(lengthCodes.flatMap((codes) => [...codes])),
    scorer: tables,
    commonWords,
  });
  const docs = new ByteWriter();
  const positions = new ByteWriter();
  let step = inversion.next();
  for (; !step.done; step = inversion.next()) {
    docs.bytes(step.value.docs);
    positions.bytes(step.value.positions);
  }
  const lists = step.value;
  const docBytes = docs.toBytes();
  const sections = {
    docs: docBytes,
    docWords: new Uint32Array(docBytes.buffer, 0, Math.floor(docBytes.length / 4)),
    positions: positions.toBytes(),
    lastDocs: lists.lastDocs,
    docsOffsets: lists.docsOffsets,
    positionsOffsets: lists.positionsOffsets,
    shapes: lists.shapes,
    lengthCodes,
  };
  const dictionary = new TermDictionary(lists.dictionary, lists.termCount, lists.biwordCount);
  const terms = new Map([...dictionary.entries()].map((term) => [term.text, term]));
  return {
    lists,
    dictionary,
    sections,
    terms,
    lengths: (doc, field) => writer.lengthTokens(doc, field),
    cursor: (term, scorer, bounds = openEnded) => {
      const found = terms.get(term);
      if (found === undefined) throw new Error(`no term ${term}`);
      return new PostingsCursor(sections, found, scorer, bounds);
    },
  };
};

/** A scorer that shows what it was given, so that a test sees every frequency and length code. */
export const revealingScorer: Scorer = {
  table: 'revealing',
  scoresPhrases: false,
  impact: (frequencies, codes) =>
    Array.from(frequencies).reduce(
      (sum, frequency, i) => sum + frequency * (i * 7 + 1) * ((codes[i] ?? 0) + 1),
      0,
    ) % 65536,
  bodyImpact(frequency, code) {
    return this.impact([0, 0, 0, frequency, 0, 0], [0, 0, 0, code, 0, 0]);
  },
  widening: () => 1,
  narrowing: () => 1,
};

const marks = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'dd', 'é', '𝒳'),
      fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 0, max: 40 }) },
        fc.integer({ min: 0, max: 200_000 }),
      ),
    ),
    { maxLength: 12 },
  )
  .map((words) =>
    words
      .sort((x, y) => x[1] - y[1])
      .map(([term, position]) => `${term}@${position}`)
      .join(' '),
  );

const field = fc.oneof(
  { weight: 6, arbitrary: fc.constant<FieldName>('body') },
  fc.constantFrom(...FIELD_NAMES),
);

const fieldTexts: fc.Arbitrary<FieldText[]> = fc.array(fc.record({ field, text: marks }), { maxLength: 4 });

/** Documents enough to cross block borders: a few different ones, repeated and mixed. */
export const documentSets: fc.Arbitrary<FieldText[][]> = fc
  .record({
    kinds: fc.array(fieldTexts, { minLength: 1, maxLength: 6 }),
    picks: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 24, size: 'max' }),
    repeats: fc.constantFrom(1, 12, 40),
  })
  .map(({ kinds, picks, repeats }) =>
    Array.from({ length: repeats }, () =>
      picks.map((pick) => kinds[pick % kinds.length] as FieldText[]),
    ).flat(),
  );
