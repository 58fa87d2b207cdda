import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BoundsCollector } from '../../../shards/postings/bounds-collector.ts';
import { OTHER_COUNT } from '../../../shards/postings/field-slots.ts';
import type { Posting } from '../../../shards/postings/posting.ts';
import { PostingsEncoder } from '../../../shards/postings/postings-encoder.ts';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';

const MOST_DOCS = 700;
const scorer = createScorer({
  averageLengths: Object.fromEntries(FIELD_NAMES.map((name) => [name, 3])) as Record<FieldName, number>,
});
const lengthCodes = FIELD_NAMES.map(() => new Uint8Array(MOST_DOCS).fill(4));

const posting = (doc: number, bodyFrequency: number, otherFrequency: number): Posting => ({
  doc,
  bodyFrequency,
  others: otherFrequency === 0 ? undefined : new Uint32Array(OTHER_COUNT).fill(otherFrequency),
  othersStart: 0,
  deltas: Uint32Array.from(
    { length: bodyFrequency + OTHER_COUNT * otherFrequency },
    (_, i) => (i * 37) % 300,
  ),
  deltasStart: 0,
  deltasEnd: bodyFrequency + OTHER_COUNT * otherFrequency,
});

/** Codes the lists; what is coded is taken away when `takesNow` says so. */
const encode = (lists: readonly (readonly Posting[])[], takesNow: () => boolean) => {
  const bounds = new BoundsCollector(scorer, lengthCodes);
  const encoder = new PostingsEncoder(bounds);
  const docs: number[] = [];
  const positions: number[] = [];
  const take = (): void => {
    const coded = encoder.take();
    docs.push(...coded.docs);
    positions.push(...coded.positions);
    assert.equal(encoder.pendingBytes, 0);
  };
  const terms = lists.map((list) => {
    encoder.startTerm();
    for (const each of list) {
      encoder.add(each, each.doc);
      if (takesNow()) take();
    }
    const term = encoder.endTerm();
    return { ...term, inline: term.inline && [...term.inline] };
  });
  take();
  const { lastDocs, docsOffsets, positionsOffsets, shapes } = encoder;
  const records = [lastDocs, docsOffsets, positionsOffsets, shapes].map((column) => [...column.view()]);
  return { terms, docs, positions, records, bounds: bounds.finish() };
};

test('lists are coded alike whenever what is ready is taken away', () => {
  const lists = fc.array(
    fc.tuple(fc.integer({ min: 1, max: MOST_DOCS }), fc.array(fc.nat(2), { minLength: 1, maxLength: 5 })),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(lists, fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }), (shapes, pattern) => {
      const wanted = shapes.map(([count, others]) =>
        Array.from({ length: count }, (_, i) => posting(i, 1 + (i % 3), others[i % others.length] ?? 0)),
      );
      let at = 0;
      const taken = encode(wanted, () => pattern[at++ % pattern.length] ?? false);
      assert.deepEqual(
        taken,
        encode(wanted, () => false),
      );
    }),
    { numRuns: 60 },
  );
});
