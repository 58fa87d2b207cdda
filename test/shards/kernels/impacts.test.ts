import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  HEADER_ADDRESS,
  HEADER_DOC_COUNT,
  HEADER_LENGTH_CODES,
  ROWS_FREQUENCIES,
  ROWS_OTHERS,
  SCORER_K1,
  SCORER_OCCURRENCES,
} from '../../../shards/kernels/search-layout.ts';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { kernelMemory } from './kernel-memory.ts';

const BODY = FIELD_NAMES.indexOf('body');
const CODES = 0x20000;
const BASE = 0x30000;
const ROWS = 0x40000;
const IMPACTS = 0x50000;
const DOCS = 128;

interface Exports {
  impactsOf(base: number, rows: number, first: number, count: number, others: boolean, impacts: number): void;
}

const frequency = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: 0x7fffffff }),
);
const posting = fc.record({
  frequencies: fc.array(frequency, { minLength: 6, maxLength: 6 }),
  codes: fc.array(fc.nat({ max: 255 }), { minLength: 6, maxLength: 6 }),
});

test('impactsOf - equals the scorer, in the body alone and in all fields', () => {
  const { exports, bytes, words } = kernelMemory<Exports>(6);
  words[HEADER_ADDRESS / 4 + HEADER_DOC_COUNT] = DOCS;
  words[HEADER_ADDRESS / 4 + HEADER_LENGTH_CODES] = CODES;
  const floats = new Float32Array(words.buffer);
  fc.assert(
    fc.property(
      fc.array(posting, { minLength: 1, maxLength: DOCS }),
      fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { minLength: 6, maxLength: 6 }),
      fc.boolean(),
      (postings, averages, others) => {
        const averageLengths = Object.fromEntries(FIELD_NAMES.map((name, i) => [name, averages[i]]));
        const scorer = createScorer({ averageLengths: averageLengths as Record<FieldName, number> });
        assert.ok(scorer.tables);
        floats.set(scorer.tables.occurrences, (BASE + SCORER_OCCURRENCES) / 4);
        floats[(BASE + SCORER_K1) / 4] = scorer.tables.k1;
        for (const [doc, { frequencies, codes }] of postings.entries()) {
          words[ROWS / 4 + doc] = doc;
          for (const field of FIELD_NAMES.keys()) {
            bytes[CODES + field * DOCS + doc] = codes[field] ?? 0;
            const slot = field < BODY ? field : field - 1;
            const row = field === BODY ? ROWS_FREQUENCIES : ROWS_OTHERS + slot * DOCS * 4;
            words[(ROWS + row) / 4 + doc] = frequencies[field] ?? 0;
          }
        }
        exports.impactsOf(BASE, ROWS, 0, postings.length, others, IMPACTS);
        for (const [doc, { frequencies, codes }] of postings.entries()) {
          const counted = frequencies.map((value, field) => (others || field === BODY ? value : 0));
          assert.equal(words[IMPACTS / 4 + doc], scorer.impact(counted, codes));
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('impactsOf - one half may be added in single precision to any share of 65535', () => {
  for (let share = 0; share <= 2 ** 24; share += 1) {
    const scaled = Math.fround((share / 2 ** 24) * 65_535);
    if (Math.floor(Math.fround(scaled + 0.5)) !== Math.floor(scaled + 0.5)) assert.fail(`share ${share}`);
  }
});
