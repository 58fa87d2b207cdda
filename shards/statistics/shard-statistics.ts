import { NO_MORE_DOCS } from '../postings/posting-cursor.ts';
import { createScorer } from '../score/bm25f.ts';
import type { RoaringBitmap32 } from '../segment/bitmap.ts';
import type { Segment } from '../segment/segment.ts';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import { hash64 } from '../values/hash.ts';
import { sumFrequencies, type TermCounts, type TermFrequencies } from './term-frequencies.ts';

/**
 * What one shard, or several together, contribute to an epoch. All figures count the same population: the documents
 * that are not deleted. (An index that counts deleted documents in df but not in N scores wrongly, and can leave a
 * term with more documents than there are.)
 */
export interface ShardStatistics {
  readonly docCount: number;
  /** Exact tokens of each field, over all documents. */
  readonly totalLengths: Readonly<Record<FieldName, number>>;
  /** Documents by primary language subtag, '' where unknown. */
  readonly languages: ReadonlyMap<string, number>;
  readonly frequencies: TermFrequencies;
}

const eachField = (value: (field: FieldName) => number): Record<FieldName, number> => {
  const record: Partial<Record<FieldName, number>> = {};
  for (const field of FIELD_NAMES) record[field] = value(field);
  return record as Record<FieldName, number>;
};

/** Scores are not asked for: any averages will do to open a cursor. */
const anyScorer = createScorer({ averageLengths: eachField(() => 1) });

const liveFrequency = (segment: Segment, term: string, deletes: RoaringBitmap32): number => {
  const cursor = segment.cursor(term, anyScorer);
  let count = 0;
  if (cursor === undefined) return count;
  for (let doc = cursor.next(); doc < NO_MORE_DOCS; doc = cursor.next()) if (!deletes.has(doc)) count++;
  return count;
};

/** Reads the dictionary; where documents are deleted, also the postings, since no dictionary knows what is left. */
const segmentCounts = (segment: Segment): TermCounts => {
  const hashes: bigint[] = [];
  const counts: number[] = [];
  const { deletes } = segment;
  for (const { term, docCount } of segment.terms()) {
    const count = deletes === undefined ? docCount : liveFrequency(segment, term, deletes);
    if (count === 0) continue;
    hashes.push(hash64(term));
    counts.push(count);
  }
  return { hashes: BigUint64Array.from(hashes), counts: Uint32Array.from(counts) };
};

const sumLanguages = (maps: readonly ReadonlyMap<string, number>[]): Map<string, number> => {
  const sum = new Map<string, number>();
  for (const map of maps) for (const [lang, count] of map) sum.set(lang, (sum.get(lang) ?? 0) + count);
  return sum;
};

/** Statistics of a shard from its segments. Linear in its terms. */
export const collectShardStatistics = (segments: readonly Segment[]): ShardStatistics => ({
  docCount: segments.reduce((sum, { liveCount }) => sum + liveCount, 0),
  totalLengths: eachField((field) => segments.reduce((sum, segment) => sum + segment.totalLength(field), 0)),
  languages: sumLanguages(segments.map((segment) => segment.languageCounts())),
  frequencies: sumFrequencies(segments.map(segmentCounts)),
});

/** Sums are exact integers: however the documents lie in shards, the result is the same. */
export const sumStatistics = (shards: readonly ShardStatistics[]): ShardStatistics => ({
  docCount: shards.reduce((sum, { docCount }) => sum + docCount, 0),
  totalLengths: eachField((field) => shards.reduce((sum, { totalLengths }) => sum + totalLengths[field], 0)),
  languages: sumLanguages(shards.map(({ languages }) => languages)),
  frequencies: sumFrequencies(shards.map(({ frequencies }) => frequencies)),
});
