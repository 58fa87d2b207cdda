import { NO_MORE_DOCS, type PostingCursor } from '../postings/posting-cursor.ts';
import { createScorer } from '../score/bm25f.ts';
import type { Segment } from '../segment/segment.ts';
import { hash64 } from '../values/hash.ts';
import { eachField, type ShardStatistics, sumStatistics } from './shard-statistics.ts';
import type { TermCounts } from './sort-by-hash.ts';
import { StaticScores } from './static-scores.ts';
import { frequenciesOf } from './term-frequencies.ts';

/** Work that stops after every some hundred microseconds; its last step returns the result. */
export type Steps<Result> = Generator<undefined, Result>;

const TERMS_PER_STEP = 512;
const DOCS_PER_STEP = 8192;
/** A list so many times as long as the deletes is asked for each of them, a shorter one is walked. */
const LEAP_FACTOR = 8;

/** Scores are not asked for: any averages will do to open a cursor. */
const anyScorer = createScorer({ averageLengths: eachField(() => 1) });

/** The deleted documents of a segment, in two forms. */
interface Deleted {
  readonly rising: Uint32Array;
  readonly has: (doc: number) => boolean;
}

/** Made once a segment, when it is first needed. */
const knownDeleted = new WeakMap<Segment, Deleted>();

const deletedOf = (segment: Segment): Deleted | undefined => {
  const { deletes, docCount } = segment;
  if (deletes === undefined) return undefined;
  const known = knownDeleted.get(segment);
  if (known !== undefined) return known;
  const rising = deletes.toUint32Array();
  const flags = new Uint8Array(docCount);
  for (const doc of rising) flags[doc] = 1;
  const deleted: Deleted = { rising, has: (doc) => flags[doc] === 1 };
  knownDeleted.set(segment, deleted);
  return deleted;
};

const deletedByWalking = (cursor: PostingCursor, deleted: Deleted): number => {
  let count = 0;
  for (let doc = cursor.next(); doc < NO_MORE_DOCS; doc = cursor.next()) if (deleted.has(doc)) count++;
  return count;
};

const deletedByLeaping = (cursor: PostingCursor, { rising }: Deleted): number => {
  let count = 0;
  for (const doc of rising) {
    if (cursor.doc < doc) cursor.advance(doc);
    if (cursor.doc === doc) count++;
  }
  return count;
};

/** Documents of a segment that hold the term and are not deleted. */
const liveFrequency = (segment: Segment, term: string, deleted: Deleted): number => {
  const cursor = segment.cursor(term, anyScorer);
  if (cursor === undefined) return 0;
  const isLong = cursor.docCount > LEAP_FACTOR * deleted.rising.length;
  const gone = isLong ? deletedByLeaping(cursor, deleted) : deletedByWalking(cursor, deleted);
  return cursor.docCount - gone;
};

/** Documents that hold the term in any of the segments and are not deleted. For single terms; reads their postings. */
export const liveDocumentFrequency = (segments: readonly Segment[], term: string): number =>
  segments.reduce((sum, segment) => {
    const inAll = segment.documentFrequency(term);
    const deleted = inAll === 0 ? undefined : deletedOf(segment);
    return sum + (deleted === undefined ? inAll : liveFrequency(segment, term, deleted));
  }, 0);

/** Reads the dictionary; where documents are deleted, also the postings, since no dictionary knows what is left. */
function* countTerms(segment: Segment): Steps<TermCounts> {
  const hashes = new BigUint64Array(segment.termCount);
  const counts = new Uint32Array(segment.termCount);
  const deleted = deletedOf(segment);
  const entries = deleted === undefined ? segment.hashedTerms() : liveTerms(segment, deleted);
  let index = 0;
  for (const { hash, docCount } of entries) {
    hashes[index] = hash;
    counts[index] = docCount;
    index++;
    if (index % TERMS_PER_STEP === 0) yield;
  }
  return { hashes, counts };
}

function* liveTerms(
  segment: Segment,
  deleted: Deleted,
): Generator<{ readonly hash: bigint; readonly docCount: number }> {
  for (const { term } of segment.terms()) {
    yield { hash: hash64(term), docCount: liveFrequency(segment, term, deleted) };
  }
}

function* countStaticScores(segment: Segment): Steps<StaticScores> {
  const scores = new StaticScores();
  const { deletes } = segment;
  for (let doc = 0; doc < segment.docCount; doc++) {
    if (deletes?.has(doc) !== true) scores.add(segment.staticScore(doc));
    if (doc % DOCS_PER_STEP === DOCS_PER_STEP - 1) yield;
  }
  return scores;
}

/** Counts the live documents of a segment, step by step. Linear in its terms and documents, with deletes in its postings. */
export function* countSegment(segment: Segment): Steps<ShardStatistics> {
  const terms = yield* countTerms(segment);
  yield;
  const staticScores = yield* countStaticScores(segment);
  return {
    docCount: segment.liveCount,
    totalLengths: eachField((field) => segment.totalLength(field)),
    languages: segment.languageCounts(),
    frequencies: frequenciesOf(terms),
    staticScores,
  };
}

/** All steps at once. */
export const atOnce = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** Statistics of a shard from its segments, at once. */
export const collectShardStatistics = (segments: readonly Segment[]): ShardStatistics =>
  sumStatistics(segments.map((segment) => atOnce(countSegment(segment))));
