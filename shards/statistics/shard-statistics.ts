import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import { StaticScores } from './static-scores.ts';
import { sumFrequencies, type TermFrequencies } from './term-frequencies.ts';

/**
 * What one segment, one shard, or several together, contribute to an epoch. All figures count the same population: the
 * documents that are not deleted. (An index that counts deleted documents in df but not in N scores wrongly, and can
 * leave a term with more documents than there are. One that counts those not yet merged away in both would score by
 * when its shards happen to merge, so that the same documents in one shard and in sixteen could rank differently.)
 */
export interface ShardStatistics {
  readonly docCount: number;
  /** Exact tokens of each field, over all documents. */
  readonly totalLengths: Readonly<Record<FieldName, number>>;
  /** Documents by primary language subtag, '' where unknown. */
  readonly languages: ReadonlyMap<string, number>;
  readonly frequencies: TermFrequencies;
  readonly staticScores: StaticScores;
}

/** One value per field. */
export const eachField = (value: (field: FieldName) => number): Record<FieldName, number> => {
  const record: Partial<Record<FieldName, number>> = {};
  for (const field of FIELD_NAMES) record[field] = value(field);
  return record as Record<FieldName, number>;
};

/** Mean tokens per document and field; 0 without documents. */
export const averageLengthsOf = ({
  docCount,
  totalLengths,
}: Pick<ShardStatistics, 'docCount' | 'totalLengths'>): Record<FieldName, number> =>
  eachField((field) => totalLengths[field] / Math.max(1, docCount));

const sumLanguages = (maps: readonly ReadonlyMap<string, number>[]): Map<string, number> => {
  const sum = new Map<string, number>();
  for (const map of maps) for (const [lang, count] of map) sum.set(lang, (sum.get(lang) ?? 0) + count);
  return sum;
};

const sumStaticScores = (parts: readonly StaticScores[]): StaticScores => {
  const sum = new StaticScores();
  for (const part of parts) sum.addAll(part);
  return sum;
};

/** Sums are exact integers: however the documents lie in segments and shards, the result is the same. */
export const sumStatistics = (parts: readonly ShardStatistics[]): ShardStatistics => ({
  docCount: parts.reduce((sum, { docCount }) => sum + docCount, 0),
  totalLengths: eachField((field) => parts.reduce((sum, { totalLengths }) => sum + totalLengths[field], 0)),
  languages: sumLanguages(parts.map(({ languages }) => languages)),
  frequencies: sumFrequencies(parts.map(({ frequencies }) => frequencies)),
  staticScores: sumStaticScores(parts.map(({ staticScores }) => staticScores)),
});
