import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  FILES_ADDRESS,
  HEADER_ADDRESS,
  HEADER_KEYS,
  HEADER_TERMS,
  PAGE_BYTES,
} from '../../../shards/kernels/search-layout.ts';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS } from '../../../shards/score/weights.ts';
import { evaluate } from '../../../shards/search/evaluate.ts';
import type { QueryPlan, TermGroup } from '../../../shards/search/query-plan.ts';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import { writeDeletes } from '../../../shards/segment/deletes.ts';
import {
  attachSegment,
  type OpenSegment,
  openSegment,
  reopenSegment,
} from '../../../shards/segment/segment-reader.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { epochNumber } from '../../../shards/values/ids.ts';
import { indexDocument } from '../../helpers/index-documents.ts';
import { scribbler } from '../../helpers/kernel-scratch.ts';

/** Numbers from 0 to below 1, the same in each run (Park and Miller's minimal standard generator). */
const randomNumbers = (seed: number) => () => {
  seed = (seed * 48_271) % 0x7fffffff;
  return seed / 0x7fffffff;
};

/** Words by the number of documents that hold them, at both sides of a block's end, and words in a share of all. */
const COUNTED = [1, 2, 15, 127, 128, 129, 255, 256, 257];
const SHARES = { tenth: 0.1, third: 0.3, most: 0.8, all: 1 };
const VOCABULARY = [...COUNTED.map((count) => `in${count}`), ...Object.keys(SHARES), 'nowhere'];

interface SegmentShape {
  readonly docCount: number;
  readonly hasStatics: boolean;
  readonly deleteEvery: number;
}

const SHAPES: readonly SegmentShape[] = [
  { docCount: 1500, hasStatics: false, deleteEvery: 0 },
  { docCount: 300, hasStatics: true, deleteEvery: 5 },
  { docCount: 1, hasStatics: false, deleteEvery: 0 },
  { docCount: 1100, hasStatics: true, deleteEvery: 0 },
];

/** Occurrences of a document's words in each field, text by text; few lengths, so that scores tie. */
const evenLengths = Object.fromEntries(FIELD_NAMES.map((name) => [name, 3])) as Record<FieldName, number>;

const fieldsOf = (doc: number, docCount: number, random: () => number) => {
  const texts = new Map<FieldName, string[]>();
  const put = (word: string) => {
    const field = random() < 0.7 ? 'body' : (FIELD_NAMES[Math.floor(random() * FIELD_NAMES.length)] ?? 'url');
    const times = random() < 0.6 ? 1 : Math.ceil(random() * 6);
    texts.set(field, [...(texts.get(field) ?? []), ...Array.from({ length: times }, () => word)]);
  };
  for (const count of COUNTED) {
    if (count <= docCount && (doc * 7) % docCount < count) put(`in${count}`);
  }
  for (const [word, share] of Object.entries(SHARES)) if (random() < share) put(word);
  if (random() < 0.3) put('most');
  return [...texts].map(([field, words]) => ({ field, text: words.join(' ') }));
};

const writeSegment = async (folder: string, id: number, shape: SegmentShape): Promise<OpenSegment> => {
  const { docCount, hasStatics, deleteEvery } = shape;
  const random = randomNumbers(id);
  const writer = await SegmentWriter.create({ folder, id, analyser: 'default', weights: DEFAULT_WEIGHTS });
  for (let doc = 0; doc < docCount; doc += 1) {
    const host = doc % 3 === 0 ? 'a.example' : 'b.example';
    const staticScore = hasStatics ? Math.floor(random() * 3) * 300_000 : 0;
    const fields = fieldsOf(doc, docCount, random);
    await writer.add({ ...indexDocument(`http://${host}/${id}/${doc}`, { fields }), staticScore });
  }
  const entry = await writer.finish();
  if (deleteEvery === 0) return openSegment(folder, entry);
  const deleted = Array.from({ length: docCount }, (_, doc) => doc).filter((doc) => doc % deleteEvery === 0);
  return openSegment(folder, await writeDeletes(folder, entry, 1, new RoaringBitmap32(deleted)));
};

const groups: fc.Arbitrary<readonly TermGroup[]> = fc
  .tuple(
    fc.shuffledSubarray(VOCABULARY, { minLength: 2, maxLength: 8 }),
    fc.array(fc.tuple(fc.nat({ max: 65_535 }), fc.constantFrom(1, 1, 1, 2, 3)), {
      minLength: 8,
      maxLength: 8,
    }),
  )
  .map(([words, shapes]) => {
    const made: TermGroup[] = [];
    let at = 0;
    for (const [weight, size] of shapes) {
      if (at < words.length) made.push({ terms: words.slice(at, at + size), weight });
      at += size;
    }
    return made;
  });

const planOf = (
  optional: readonly TermGroup[],
  host?: string,
  excluded: readonly TermGroup[] = [],
): QueryPlan => ({
  epoch: epochNumber(1),
  optional,
  required: [],
  phrases: [],
  excluded,
  excludedPhrases: [],
  sites: host === undefined ? [] : [{ host, pathPrefix: '' }],
  excludedSites: [],
});

const averages = fc
  .array(fc.constantFrom(0, 0.5, 2, 3, 9, 60), { minLength: 6, maxLength: 6 })
  .map(
    (values) =>
      Object.fromEntries(FIELD_NAMES.map((name, i) => [name, values[i]])) as Record<FieldName, number>,
  );

describe('segmentKernels', () => {
  let folder = '';
  const segments: OpenSegment[] = [];
  const scribblers: ((byte: number) => void)[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-kernels-'));
    for (const [i, shape] of SHAPES.entries()) {
      const segment = await writeSegment(folder, i + 1, shape);
      segments.push(segment);
      scribblers.push(scribbler(segment));
    }
  });
  after(async () => {
    for (const segment of segments) segment.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('holds its words as often as it should', () => {
    const [first] = segments;
    for (const count of COUNTED) assert.equal(first?.documentFrequency(`in${count}`), count);
    for (const word of Object.keys(SHARES)) assert.ok((first?.documentFrequency(word) ?? 0) > 100, word);
  });

  it('any of some words: hits, scores and counts are those of the exhaustive evaluation', () => {
    fc.assert(
      fc.property(
        fc.record({
          optional: groups,
          isExcluding: fc.constantFrom(false, false, false, true),
          host: fc.constantFrom(undefined, undefined, 'a.example', 'c.example'),
          which: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
          averageLengths: averages,
          weights: fc.constantFrom(DEFAULT_WEIGHTS, DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS),
          k: fc.constantFrom(0, 1, 2, 10, 11, 50, 120),
          countLimit: fc.constantFrom(1, 10, 200, 1000),
          leftOver: fc.constantFrom(0, 0x55, 0x7f, 0xff),
        }),
        ({ optional, isExcluding, host, which, averageLengths, weights, k, countLimit, leftOver }) => {
          for (const scribble of scribblers) scribble(leftOver);
          const asked = {
            segments: which.flatMap((index) => segments[index] ?? []),
            plan: isExcluding
              ? planOf(optional.slice(1), host, optional.slice(0, 1))
              : planOf(optional, host),
            scorer: createScorer({ averageLengths, weights }),
            k,
            countLimit,
            isLate: () => false,
          };
          const pruned = evaluate({ ...asked, evaluation: 'pruned' });
          assert.deepEqual(pruned, evaluate({ ...asked, evaluation: 'exhaustive' }));
        },
      ),
      { numRuns: 250 },
    );
  });

  it('single words: the same', () => {
    const scorer = createScorer({ averageLengths: evenLengths });
    for (const word of VOCABULARY) {
      for (const k of [1, 10, 100]) {
        const plan = planOf([{ terms: [word], weight: 5000 }], undefined);
        const asked = { segments, plan, scorer, k, isLate: () => false };
        assert.deepEqual(
          evaluate({ ...asked, evaluation: 'pruned' }),
          evaluate({ ...asked, evaluation: 'exhaustive' }),
        );
      }
    }
  });

  it('opened again with other deletes: the same, in no more memory', async (context) => {
    const open: OpenSegment[] = [
      await writeSegment(folder, 9, { docCount: 300, hasStatics: true, deleteEvery: 0 }),
    ];
    context.after(() => open.forEach((segment) => segment.close()));
    const scorer = createScorer({ averageLengths: evenLengths });
    const check = (segment: OpenSegment): number => {
      const plan = planOf([{ terms: ['most'], weight: 5000 }]);
      const asked = { segments: [segment], plan, scorer, k: 10, isLate: () => false };
      const pruned = evaluate({ ...asked, evaluation: 'pruned' });
      assert.deepEqual(pruned, evaluate({ ...asked, evaluation: 'exhaustive' }));
      return segment.kernelMemory.memory.buffer.byteLength;
    };
    const [first] = open as [OpenSegment];
    const bytes = check(first);
    let { entry } = first.share();
    for (let commit = 1; commit <= 3; commit += 1) {
      const deleted = Array.from({ length: 40 * commit }, (_, doc) => doc);
      entry = await writeDeletes(folder, entry, commit, new RoaringBitmap32(deleted));
      const again = reopenSegment(first, entry);
      open.push(again);
      assert.equal(check(again), bytes);
      assert.equal(check(first), bytes);
    }
  });

  it('a filter alone: the same', () => {
    const scorer = createScorer({ averageLengths: evenLengths });
    for (const k of [0, 1, 10, 1000]) {
      for (const excluded of [[], [{ terms: ['third'], weight: 1 }]]) {
        const plan = planOf([], 'b.example', excluded);
        const asked = { segments, plan, scorer, k, isLate: () => false };
        const pruned = evaluate({ ...asked, evaluation: 'pruned' });
        assert.ok(k === 0 || pruned.hits.length > 0);
        assert.deepEqual(pruned, evaluate({ ...asked, evaluation: 'exhaustive' }));
      }
    }
  });

  it('content that is impossible ends in the damage error, whatever it is, and leaves the files alone', () => {
    const [source] = segments;
    assert.ok(source);
    const shared = source.share();
    const random = randomNumbers(11);
    const scorer = createScorer({ averageLengths: evenLengths });
    const plan = planOf(
      VOCABULARY.map((word) => ({ terms: [word], weight: 5000 })),
      undefined,
    );
    const original = new Uint8Array(shared.memory.buffer);
    const pages = original.length / PAGE_BYTES;
    const header = new Uint32Array(shared.memory.buffer, HEADER_ADDRESS);
    const [from, to] = [header[HEADER_TERMS] ?? 0, header[HEADER_KEYS] ?? 0];
    let refused = 0;
    for (let run = 0; run < 150; run += 1) {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages + 64, shared: true });
      const bytes = new Uint8Array(memory.buffer);
      bytes.set(original);
      for (let change = 0; change < 60; change += 1) {
        bytes[from + Math.floor(random() * (to - from))] = random() * 256;
      }
      const files = Buffer.from(bytes);
      const hostile = attachSegment({ ...shared, memory });
      try {
        evaluate({ segments: [hostile], plan, scorer, k: 10, evaluation: 'pruned', isLate: () => false });
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'SHARDS_FILE_CORRUPT', String(error));
        refused += 1;
      }
      assert.ok(files.subarray(FILES_ADDRESS).equals(bytes.subarray(FILES_ADDRESS)));
    }
    assert.ok(refused > 0);
  });
});
