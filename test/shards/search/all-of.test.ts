import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  ROLE_BIWORD,
  ROLE_COVERED,
  ROLE_OPTIONAL,
  ROLE_REQUIRED,
} from '../../../shards/kernels/search-layout.ts';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS } from '../../../shards/score/weights.ts';
import { evaluate } from '../../../shards/search/evaluate.ts';
import { kernelWords } from '../../../shards/search/kernel-words.ts';
import type { PhraseClause, QueryPlan, TermGroup } from '../../../shards/search/query-plan.ts';
import { segmentKernels } from '../../../shards/search/segment-kernels.ts';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import { writeDeletes } from '../../../shards/segment/deletes.ts';
import { type OpenSegment, openSegment } from '../../../shards/segment/segment-reader.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import type { IndexDocument } from '../../../shards/values/document.ts';
import { FIELD_NAMES, type FieldName, type FieldText } from '../../../shards/values/fields.ts';
import { epochNumber, trustNormalUrl } from '../../../shards/values/ids.ts';
import { scribbler } from '../../helpers/kernel-scratch.ts';

/** Words of falling frequency: the first is in nearly every document, the last in few. */
const WORDS = ['the', 'crawl', 'shard', 'index', 'rank', 'merge', 'fetch', 'robot', 'sitemap', 'zebra'];
/** Lists of one posting, of one full block, and of a block and one more; and a word that is nowhere. */
const ODD_WORDS = ['single', 'exactblock', 'blockandone', 'absent'];

/** Numbers in 0..1 that depend on the seed alone (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const textOf = (random: () => number, length: number, skew: number): string =>
  Array.from({ length }, () => WORDS[Math.floor(random() ** skew * WORDS.length)]).join(' ');

/** Lengths change every 64 documents, so that blocks differ by their bounds. */
const longestOf = (number: number): number => [30, 6, 120, 12, 60][(number >> 6) % 5] ?? 30;
/** Rare words gather in some stretches of documents, so that the blocks of a longer list may be the wider ones. */
const skewOf = (number: number): number => [2.5, 12, 1.2, 6, 2][(number >> 8) % 5] ?? 2;

const FIELDS_BESIDES_BODY: readonly FieldName[] = ['title', 'headings', 'emphasis', 'anchor', 'url'];

const documentOf = (random: () => number, id: number, number: number, withFields: boolean): IndexDocument => {
  const fields: FieldText[] = [];
  const skew = skewOf(number);
  // One long document in forty has positions above one byte, and lists of them of many groups.
  const length = random() < 0.025 ? 2000 : Math.floor(random() * longestOf(number));
  for (let part = random() < 0.2 ? 2 : 1; part > 0; part--)
    fields.push({ field: 'body', text: textOf(random, length, skew) });
  if (withFields) {
    for (const field of FIELDS_BESIDES_BODY) {
      if (random() < 0.4) fields.push({ field, text: textOf(random, 1 + Math.floor(random() * 5), skew) });
    }
  }
  const odd = [
    number < 128 ? 'exactblock' : '',
    number < 129 ? 'blockandone' : '',
    number === 77 ? 'single' : '',
  ];
  fields.push({ field: 'body', text: odd.join(' ') });
  return {
    url: trustNormalUrl(`http://host${number % 5}.test/${number % 3}/${id}-${number}`),
    title: '',
    fields,
    storedText: '',
    lang: 'en',
    type: 'text/html',
    fetchedAtMs: 0,
    staticScore: random() < 0.3 ? Math.floor(random() * 400_000) : 0,
  };
};

interface SegmentShape {
  readonly id: number;
  readonly docCount: number;
  readonly withFields: boolean;
  /** Every so many documents one is deleted; 0 for none. */
  readonly deletedEvery: number;
}

const SHAPES: readonly SegmentShape[] = [
  { id: 1, docCount: 900, withFields: true, deletedEvery: 0 },
  { id: 2, docCount: 600, withFields: false, deletedEvery: 9 },
  { id: 3, docCount: 40, withFields: true, deletedEvery: 3 },
  // Lists of many blocks, and a threshold from the start: that of the segments before.
  { id: 4, docCount: 6000, withFields: false, deletedEvery: 0 },
];

let folder = '';
const segments: OpenSegment[] = [];
const scribblers: ((byte: number) => void)[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-all-of-'));
  for (const { id, docCount, withFields, deletedEvery } of SHAPES) {
    const random = randomOf(id);
    const writer = await SegmentWriter.create({ folder, id, analyser: 'default', weights: DEFAULT_WEIGHTS });
    for (let number = 0; number < docCount; number++)
      await writer.add(documentOf(random, id, number, withFields));
    const deleted = Array.from({ length: docCount }, (_, doc) => doc).filter(
      (doc) => deletedEvery > 0 && doc % deletedEvery === 0,
    );
    const entry = await writeDeletes(folder, await writer.finish(), 1, new RoaringBitmap32(deleted));
    const segment = openSegment(folder, entry);
    segments.push(segment);
    scribblers.push(scribbler(segment));
  }
});

after(async () => {
  for (const segment of segments) segment.close();
  await rm(folder, { recursive: true, force: true });
});

const term = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_WORDS) },
);
const weight = fc.constantFrom(0, 1, 700, 700, 2048, 65_535);
const group: fc.Arbitrary<TermGroup> = fc.record({
  terms: fc.oneof(
    { weight: 6, arbitrary: term.map((name) => [name]) },
    { weight: 3, arbitrary: fc.uniqueArray(term, { minLength: 2, maxLength: 4 }) },
  ),
  weight,
});
const phrase: fc.Arbitrary<PhraseClause> = fc
  .array(fc.record({ group, gap: fc.constantFrom(1, 1, 1, 2, 3) }), { minLength: 1, maxLength: 4 })
  .map((words) => {
    let offset = -(words[0]?.gap ?? 0);
    return { words: words.map(({ group: word, gap }) => ({ group: word, offset: (offset += gap) })) };
  });
const some = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength });
const rarely = <T>(item: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary: some(item, 2) });
const site = fc.record({
  host: fc.constantFrom('host1.test', 'host3.test'),
  pathPrefix: fc.constantFrom('', '/1'),
});

const plan: fc.Arbitrary<QueryPlan> = fc
  .record({
    required: some(group, 3),
    phrases: rarely(phrase),
    optional: rarely(group),
    excluded: rarely(group),
    excludedPhrases: fc.oneof(
      { weight: 9, arbitrary: fc.constant<PhraseClause[]>([]) },
      { weight: 1, arbitrary: some(phrase, 1) },
    ),
    sites: rarely(site),
    excludedSites: rarely(site),
  })
  .filter(({ required, phrases }) => required.length + phrases.length > 0)
  .map((clauses) => ({ epoch: epochNumber(1), ...clauses }));

const averageLengths = fc
  .array(fc.double({ min: 0.5, max: 60, noNaN: true }), { minLength: 6, maxLength: 6 })
  .map(
    (values) =>
      Object.fromEntries(FIELD_NAMES.map((name, i) => [name, values[i]])) as Record<FieldName, number>,
  );

const question = fc.record({
  plan,
  averageLengths,
  weights: fc.constantFrom(DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS),
  k: fc.integer({ min: 0, max: 50 }),
  countLimit: fc.constantFrom(0, 1, 10, 50, 1000),
  from: fc.nat({ max: SHAPES.length - 1 }),
  leftOver: fc.constantFrom(0, 0x55, 0x7f, 0xff),
});

test('the kernel gives the hits, scores, ties and totals of the exhaustive evaluation', () => {
  fc.assert(
    fc.property(
      question,
      ({ plan: asked, averageLengths: averages, weights, k, countLimit, from, leftOver }) => {
        for (const scribble of scribblers) scribble(leftOver);
        const scorer = createScorer({ averageLengths: averages, weights });
        const answer = (evaluation: 'pruned' | 'exhaustive') => {
          const query = {
            segments: segments.slice(from),
            plan: asked,
            scorer,
            k,
            countLimit,
            isLate: () => false,
          };
          const { hits, total } = evaluate({ ...query, evaluation });
          return { hits, total };
        };
        assert.deepEqual(answer('pruned'), answer('exhaustive'));
      },
    ),
    { numRuns: 300 },
  );
});

test('phrases of common words are asked by their biwords', () => {
  const [segment] = segments;
  assert.ok(segment);
  const group = (...terms: string[]): TermGroup => ({ terms, weight: 700 });
  const roles = (words: readonly (readonly [TermGroup, number])[], scoresPhrases: boolean, optional = 0) => {
    const phrase = { words: words.map(([name, offset]) => ({ group: name, offset })) };
    const empty = { required: [], excluded: [], excludedPhrases: [], sites: [], excludedSites: [] };
    const others = Array.from({ length: optional }, () => group('zebra'));
    const asked: QueryPlan = { ...empty, epoch: epochNumber(1), phrases: [phrase], optional: others };
    return kernelWords(asked, segment, scoresPhrases)?.map(({ role, phrase: number }) => [role, number]);
  };
  const [the, crawl, shard, zebra] = ['the', 'crawl', 'shard', 'zebra'].map((name) => group(name));
  assert.ok(the && crawl && shard && zebra);
  const two = [
    [the, 0],
    [crawl, 1],
  ] as const;
  const covered = [ROLE_COVERED, 1];
  const required = [ROLE_REQUIRED, 1];
  const biword = [ROLE_BIWORD, 1];
  assert.deepEqual(roles(two, true), [covered, covered, biword]);
  assert.deepEqual(roles(two, true, 1), [required, required, biword, [ROLE_OPTIONAL, 0]]);
  assert.deepEqual(roles(two, false), [[ROLE_REQUIRED, 0], [ROLE_REQUIRED, 0], biword]);
  assert.deepEqual(roles([...two, [shard, 2]], true), [required, required, required, biword, biword]);
  const long = Array.from({ length: 40 }, (_, offset) => [offset % 2 === 0 ? the : crawl, offset] as const);
  assert.equal(roles(long, true)?.length, 42, '40 words and two biwords');
  const longer = Array.from({ length: 63 }, (_, offset) => [offset % 2 === 0 ? the : crawl, offset] as const);
  assert.equal(roles(longer, true)?.length, 63, 'with them more than the kernel knows');
  const noBiword = [required, required];
  assert.deepEqual(
    roles(
      [the, crawl].map((word, i) => [word, 2 * i] as const),
      true,
    ),
    noBiword,
    'a gap',
  );
  assert.deepEqual(
    roles(
      [
        [the, 0],
        [group('crawl', 'shard'), 1],
      ],
      true,
    ),
    noBiword,
    'two terms',
  );
  assert.deepEqual(
    roles(
      [
        [the, 0],
        [group('single'), 1],
      ],
      true,
    ),
    noBiword,
    'a rare word',
  );
});

test('the kernel itself answers words of one or several terms, phrases, optional and excluded words', () => {
  const one = (name: string): TermGroup => ({ terms: [name], weight: 700 });
  const answer = (clauses: Partial<QueryPlan>) => {
    const empty = { required: [], phrases: [], optional: [], excluded: [], excludedPhrases: [] };
    const asked: QueryPlan = { epoch: epochNumber(1), sites: [], excludedSites: [], ...empty, ...clauses };
    const averages = Object.fromEntries(FIELD_NAMES.map((name) => [name, 20])) as Record<FieldName, number>;
    const query = {
      scorer: createScorer({ averageLengths: averages }),
      k: 3,
      threshold: 0,
      countWanted: 11,
      allowed: undefined,
      isLate: () => false,
    };
    const hits: number[] = [];
    const [segment] = segments;
    if (segment === undefined) return undefined;
    const words = kernelWords(asked, segment, query.scorer.scoresPhrases);
    if (words === undefined) return undefined;
    const found = segmentKernels(segment)?.allOf(words, query, (doc) => hits.push(doc));
    return found && { ...found, hits: hits.length };
  };
  const known = { counted: 11, isLate: false, isHopeless: false, hits: 3 };
  const phrases = [
    {
      words: [
        { group: one('the'), offset: 0 },
        { group: one('crawl'), offset: 1 },
      ],
    },
  ];
  assert.deepEqual(answer({ required: [one('the'), one('crawl')] }), known);
  assert.deepEqual(answer({ required: [one('shard')], optional: [one('merge')] }), known);
  assert.deepEqual(answer({ required: [one('the')], excluded: [one('zebra')] }), known);
  assert.deepEqual(answer({ phrases }), known);
  assert.deepEqual(answer({ required: [one('absent')] }), { ...known, counted: 0, hits: 0 });
  assert.deepEqual(answer({ required: [{ terms: ['the', 'crawl'], weight: 1 }] }), known);
  assert.equal(answer({ optional: [one('the')] }), undefined, 'nothing is required');
});

test('a list that stood in front of its second block without entering it can go back to the first', async () => {
  const writer = await SegmentWriter.create({
    folder,
    id: 90,
    analyser: 'default',
    weights: DEFAULT_WEIGHTS,
  });
  // Documents are in the order of their URLs: the first block is of host1, the second, which has the higher bound, of host2.
  for (let number = 0; number < 256; number++) {
    const isFirst = number < 128;
    await writer.add({
      ...documentOf(() => 0.9, number, number, false),
      url: trustNormalUrl(`http://host${isFirst ? 1 : 2}.test/${String(number).padStart(3, '0')}`),
      fields: [{ field: 'body', text: 'lead companion '.repeat(isFirst ? 1 : 9) }],
      staticScore: 0,
    });
  }
  const segment = openSegment(folder, await writer.finish());
  const scribble = scribbler(segment);
  const one = (name: string): TermGroup => ({ terms: [name], weight: 700 });
  const empty = { phrases: [], optional: [], excluded: [], excludedPhrases: [], excludedSites: [] };
  const asked: QueryPlan = {
    ...empty,
    epoch: epochNumber(1),
    required: [one('lead'), one('companion')],
    sites: [{ host: 'host1.test', pathPrefix: '' }],
  };
  // Those of the documents: so their bounds hold unwidened.
  const averages = { title: 1, headings: 1, emphasis: 1, body: 10, anchor: 1, url: 1 };
  const scorer = createScorer({ averageLengths: averages, weights: DEFAULT_WEIGHTS });
  const answer = (evaluation: 'pruned' | 'exhaustive') =>
    evaluate({
      segments: [segment],
      plan: asked,
      scorer,
      k: 5,
      countLimit: 1000,
      isLate: () => false,
      evaluation,
    });
  for (const leftOver of [0x7f, 0xff, 0]) {
    assert.equal(answer('pruned').total.value, 128);
    scribble(leftOver);
    assert.deepEqual(answer('pruned').hits, answer('exhaustive').hits);
  }
  segment.close();
});
