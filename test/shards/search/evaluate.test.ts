import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contribution, createScorer } from '../../../shards/score/bm25f.ts';
import { DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS } from '../../../shards/score/weights.ts';
import { evaluate, type ShardQuery } from '../../../shards/search/evaluate.ts';
import { explainMatch } from '../../../shards/search/explain-match.ts';
import type { QueryPlan, SiteFilter, TermGroup } from '../../../shards/search/query-plan.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { epochNumber } from '../../../shards/values/ids.ts';
import { type MemoryDocument, MemorySegment } from '../../helpers/memory-segment.ts';

const TERMS = ['a', 'b', 'c', 'd', 'e', 'f'];
const HOSTS = ['one.test', 'www.one.test', 'two.test'];

const term = fc.constantFrom(...TERMS);
const fieldText = fc.array(term, { maxLength: 8 });
/** Few shapes repeated many times, so that ties abound and lists cross blocks. */
const shape = fc.record({
  body: fieldText,
  title: fc.array(term, { maxLength: 2 }),
  anchor: fc.array(term, { maxLength: 2 }),
  staticScore: fc.constantFrom(0, 0, 0, 1000, 300_000),
});
const segmentShape = fc.record({
  shapes: fc.array(shape, { minLength: 1, maxLength: 12 }),
  copies: fc.integer({ min: 1, max: 12 }),
  blockSize: fc.constantFrom(1, 2, 3, 8, 128),
  boundSlack: fc.constantFrom(0, 1, 500),
  deleted: fc.array(fc.nat(143), { maxLength: 20 }),
});

const place = (terms: readonly string[]) => terms.map((name, position) => ({ term: name, position }));

const makeSegment = (
  {
    shapes,
    copies,
    blockSize,
    boundSlack,
    deleted,
  }: typeof segmentShape extends fc.Arbitrary<infer T> ? T : never,
  id: number,
): MemorySegment => {
  const documents: MemoryDocument[] = [];
  for (let copy = 0; copy < copies; copy++) {
    for (const [index, { body, title, anchor, staticScore }] of shapes.entries()) {
      documents.push({
        url: `http://${HOSTS[index % HOSTS.length]}/${id}/${copy}/${index}`,
        fields: { body: place(body), title: place(title), anchor: place(anchor) },
        staticScore,
      });
    }
  }
  const gone = [...new Set(deleted)].filter((doc) => doc < documents.length);
  return new MemorySegment({ documents, deleted: gone, id, blockSize, boundSlack });
};

const group: fc.Arbitrary<TermGroup> = fc.record({
  terms: fc.oneof(
    fc.array(term, { minLength: 1, maxLength: 1 }),
    fc.uniqueArray(fc.constantFrom(...TERMS, 'unknown'), { minLength: 1, maxLength: 3 }),
  ),
  weight: fc.constantFrom(0, 1, 700, 2048, 9000, 65535),
});
const groups = (maxLength: number) => fc.array(group, { maxLength });
const phrase = fc.record({
  words: fc
    .array(fc.record({ group, gap: fc.integer({ min: 1, max: 2 }) }), { minLength: 1, maxLength: 3 })
    .map((words) => {
      let offset = -(words[0]?.gap ?? 0);
      return words.map(({ group: wordGroup, gap }) => ({ group: wordGroup, offset: (offset += gap) }));
    }),
});
const site: fc.Arbitrary<SiteFilter> = fc.record({
  host: fc.constantFrom('one.test', 'www.one.test', 'two.test', 'none.test'),
  pathPrefix: fc.constantFrom('', '/1', '/1/2'),
});
const some = <T>(item: fc.Arbitrary<T>, maxLength: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.array(item, { maxLength }) },
  );

const plan: fc.Arbitrary<QueryPlan> = fc.record({
  epoch: fc.constant(epochNumber(1)),
  optional: groups(4),
  required: some(group, 3),
  phrases: some(phrase, 2),
  excluded: some(group, 2),
  excludedPhrases: some(phrase, 1),
  sites: some(site, 2),
  excludedSites: some(site, 1),
});

const averageLengths = fc
  .array(fc.float({ min: Math.fround(0.1), max: 60, noNaN: true }), {
    minLength: FIELD_NAMES.length,
    maxLength: FIELD_NAMES.length,
  })
  .map(
    (means) =>
      Object.fromEntries(FIELD_NAMES.map((field, i) => [field, means[i]])) as Record<FieldName, number>,
  );

const query = fc.record({
  segments: fc.array(segmentShape, { minLength: 1, maxLength: 3 }),
  averageLengths,
  weights: fc.constantFrom(DEFAULT_WEIGHTS, DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS),
  plan,
  k: fc.constantFrom(0, 1, 2, 3, 10, 50, 1100),
  countLimit: fc.constantFrom(0, 1, 5, 1000),
});

const inTime = () => false;
const shardQuery = (input: typeof query extends fc.Arbitrary<infer T> ? T : never): ShardQuery => ({
  segments: input.segments.map((segment, index) => makeSegment(segment, index + 1)),
  plan: input.plan,
  scorer: createScorer({ averageLengths: input.averageLengths, weights: input.weights }),
  k: input.k,
  countLimit: input.countLimit,
  evaluation: 'pruned',
  isLate: inTime,
});

test('evaluate - pruned equals exhaustive: hits, scores, ties, totals', () => {
  fc.assert(
    fc.property(query, (input) => {
      const pruned = shardQuery(input);
      assert.deepEqual(evaluate(pruned), evaluate({ ...pruned, evaluation: 'exhaustive' }));
    }),
    { numRuns: 1000 },
  );
});

test('evaluate - the best k are a prefix of the best k + n', () => {
  fc.assert(
    fc.property(query, fc.integer({ min: 1, max: 5 }), (input, more) => {
      const smaller = shardQuery(input);
      const { hits } = evaluate({ ...smaller, k: input.k + more });
      assert.deepEqual(evaluate(smaller).hits, hits.slice(0, input.k));
    }),
    { numRuns: 300 },
  );
});

test('evaluate - where phrases score as one term, by their own occurrences', () => {
  const text = (body: string) => ({ body: place(body.split(' ')) });
  const documents = [
    { url: 'http://one.test/once', fields: text('a b c a c b c c') },
    { url: 'http://one.test/twice', fields: text('a b c a b c c c') },
    { url: 'http://one.test/never', fields: text('b a c b a c c c') },
  ];
  const scorer = createScorer({
    averageLengths: { title: 1, headings: 1, emphasis: 1, body: 8, anchor: 1, url: 1 },
    weights: LUCENE_COMPAT_WEIGHTS,
  });
  const words = ['a', 'b'].map((name, offset) => ({
    group: { terms: [name], weight: 2048 + offset },
    offset,
  }));
  const none = {
    optional: [],
    required: [],
    excluded: [],
    excludedPhrases: [],
    sites: [],
    excludedSites: [],
  };
  const segment = new MemorySegment({ documents });
  const phrasePlan = { epoch: epochNumber(1), ...none, phrases: [{ words }] };
  const { hits } = evaluate({
    segments: [segment],
    plan: phrasePlan,
    scorer,
    k: 3,
    evaluation: 'pruned',
    isLate: inTime,
  });
  const lengthCode = segment.lengthCodes('body')[0] ?? 0;
  const expected = [2, 1].map((frequency) => {
    const impact = scorer.bodyImpact(frequency, lengthCode);
    return contribution(2048, impact) + contribution(2049, impact);
  });
  assert.deepEqual(
    hits.map(({ score }) => score),
    expected,
  );
  const explained = [...documents.keys()].map((doc) => explainMatch(phrasePlan, segment, scorer, doc).value);
  assert.deepEqual(
    explained.toSorted((a, b) => b - a),
    [...expected, 0],
  );
});
