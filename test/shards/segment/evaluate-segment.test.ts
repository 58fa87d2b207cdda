import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { DEFAULT_WEIGHTS } from '../../../shards/score/weights.ts';
import { evaluate } from '../../../shards/search/evaluate.ts';
import type { QueryPlan, TermGroup } from '../../../shards/search/query-plan.ts';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import { writeDeletes } from '../../../shards/segment/deletes.ts';
import type { Segment } from '../../../shards/segment/segment.ts';
import { type OpenSegment, openSegment } from '../../../shards/segment/segment-reader.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import type { IndexDocument } from '../../../shards/values/document.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { epochNumber } from '../../../shards/values/ids.ts';
import { analysedDocument, indexDocuments, inSegmentOrder } from '../../helpers/index-documents.ts';
import { MemorySegment } from '../../helpers/memory-segment.ts';

const group: fc.Arbitrary<TermGroup> = fc.record({
  terms: fc.uniqueArray(
    fc.constantFrom('crawl', 'shard', 'index', 'the', 'rank', 'x', '検索', '検', '😀', 'absent'),
    { minLength: 1, maxLength: 2 },
  ),
  weight: fc.integer({ min: 1, max: 65_535 }),
});
/** Of the groups of a plan, no two name the same term. */
const disjoint = (groups: readonly TermGroup[]): TermGroup[] => {
  const seen = new Set<string>();
  return groups.filter(({ terms }) => {
    if (terms.some((term) => seen.has(term))) return false;
    for (const term of terms) seen.add(term);
    return true;
  });
};
const plan: fc.Arbitrary<QueryPlan> = fc
  .record({
    groups: fc.array(group, { minLength: 1, maxLength: 5 }),
    cut: fc.nat({ max: 3 }),
    phrase: fc.boolean(),
    offset: fc.constantFrom(1, 2),
    sites: fc.constantFrom(
      [],
      [{ host: 'example.org', pathPrefix: '' }],
      [{ host: 'www.example.org', pathPrefix: '/docs' }],
    ),
  })
  .map(({ groups, cut, phrase, offset, sites }) => {
    const [first, second, ...rest] = disjoint(groups);
    const words =
      first && second
        ? [
            { group: first, offset: 0 },
            { group: second, offset },
          ]
        : [];
    const isPhrase = phrase && words.length > 0;
    const others = isPhrase ? rest : [first, second, ...rest].filter((one) => one !== undefined);
    return {
      epoch: epochNumber(1),
      required: others.slice(0, cut === 3 ? 1 : 0),
      optional: others.slice(cut === 3 ? 1 : 0),
      phrases: isPhrase ? [{ words }] : [],
      excluded: [],
      excludedPhrases: [],
      sites,
      excludedSites: [],
    };
  });

const averages = fc
  .array(fc.double({ min: 0, max: 200, noNaN: true }), { minLength: 6, maxLength: 6 })
  .map(
    (values) =>
      Object.fromEntries(FIELD_NAMES.map((name, i) => [name, values[i]])) as Record<FieldName, number>,
  );

/** Two segments on the disk, and the same documents on plain arrays. */
const bothWays = async (folder: string, documents: readonly IndexDocument[], deleted: number) => {
  const written: OpenSegment[] = [];
  const obvious: Segment[] = [];
  const middle = Math.ceil(documents.length / 2);
  for (const [i, part] of [documents.slice(0, middle), documents.slice(middle)].entries()) {
    const writer = await SegmentWriter.create({
      folder,
      id: i + 1,
      analyser: 'default',
      weights: DEFAULT_WEIGHTS,
    });
    for (const document of part) await writer.add(document);
    const deletes = Array.from({ length: part.length }, (_, doc) => doc).filter((doc) => doc % 7 < deleted);
    const entry = await writeDeletes(folder, await writer.finish(), 1, new RoaringBitmap32(deletes));
    written.push(openSegment(folder, entry));
    obvious.push(
      new MemorySegment({
        documents: inSegmentOrder(part).map(analysedDocument),
        deleted: deletes,
        id: i + 1,
      }),
    );
  }
  return { written, obvious };
};

test('pruned over written segments equals exhaustive over obvious ones, score for score', async () => {
  await fc.assert(
    fc.asyncProperty(
      indexDocuments,
      fc.array(fc.record({ plan, averages, k: fc.constantFrom(1, 3, 10, 100) }), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.constantFrom(0, 1, 3),
      async (documents, queries, deleted) => {
        const folder = await mkdtemp(join(tmpdir(), 'quarry-evaluate-'));
        try {
          const { written, obvious } = await bothWays(folder, documents, deleted);
          for (const query of queries) {
            const scorer = createScorer({ averageLengths: query.averages });
            const common = { plan: query.plan, scorer, k: query.k, isLate: () => false };
            const pruned = evaluate({ ...common, segments: written, evaluation: 'pruned' });
            const exhaustive = evaluate({ ...common, segments: obvious, evaluation: 'exhaustive' });
            const shown = (result: typeof pruned) => result.hits.map(({ key, score }) => ({ key, score }));
            assert.deepEqual(shown(pruned), shown(exhaustive));
            assert.deepEqual(
              shown(evaluate({ ...common, segments: written, evaluation: 'exhaustive' })),
              shown(exhaustive),
            );
          }
          for (const segment of written) segment.close();
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: 20 },
  );
});
