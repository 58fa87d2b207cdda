import type { FieldName } from '../values/fields.ts';

/** How occurrences in one field count. */
export interface FieldWeight {
  /** What one occurrence counts, in occurrences in the body. */
  readonly weight: number;
  /** How far length tells against a document, 0..1 (b of BM25). */
  readonly b: number;
  /** The average length is taken as at least this many tokens: a field that most documents lack has a tiny mean. */
  readonly leastAverage: number;
}

/** Parameters of BM25F under a name that a segment's derived bounds record. */
export interface WeightTable {
  /** Name and version: other figures, other name. */
  readonly name: string;
  /** Saturation of the combined frequency, above 0. */
  readonly k1: number;
  readonly fields: Readonly<Record<FieldName, FieldWeight>>;
  /** Whether a phrase scores as one term, by its own occurrences; otherwise its words score as elsewhere. */
  readonly scoresPhrases?: boolean;
}

const field = (weight: number, b: number, leastAverage = 1): FieldWeight => ({ weight, b, leastAverage });

/**
 * One table for everything. nDCG@10 with all words optional, over the test collections, which have a title and a body:
 *
 *   k1   b    title w, b    NPL    CACM   Cranfield  MED
 *   0.9  0.4  1    0.4     0.435  0.477  0.351      0.660
 *   1.5  0.6  2    0.4     0.441  0.504  0.377      0.681   <- this table
 *   1.2  0.75 1    0.75    0.436  0.501  0.368      0.681
 *   2.0  0.75 2    0.5     0.426  0.510  0.381      0.690
 *
 * And MRR@10 of 600 index terms of the PostgreSQL manual over a crawl of 28 hosts, 2,577 pages, all hosts searched: 0.771
 * with this table, 0.758 with headings 0.5, emphasis 0.2, anchor 0.5 and k1 1.2. Differences of 0.01 to 0.02 are noise, so
 * the middle was taken. Body holds all visible text once more, so that the weights of headings and emphasis are
 * what an occurrence counts on top.
 */
export const DEFAULT_WEIGHTS: WeightTable = {
  name: 'default-2',
  k1: 1.5,
  fields: {
    title: field(2, 0.4, 4),
    headings: field(1, 0.5, 8),
    emphasis: field(0.5, 0.5, 8),
    body: field(1, 0.6),
    anchor: field(1, 0.5, 4),
    url: field(0.5, 0.3, 4),
  },
};

/** BM25 as Lucene computes it over one field; the import with analyser `lucene-english` fills the body alone. */
export const LUCENE_COMPAT_WEIGHTS: WeightTable = {
  name: 'lucene-compat-1',
  k1: 1.2,
  scoresPhrases: true,
  fields: {
    title: field(0, 0),
    headings: field(0, 0),
    emphasis: field(0, 0),
    body: field(1, 0.75),
    anchor: field(0, 0),
    url: field(0, 0),
  },
};

/** Tables by the name that `quarry bench query --scoring` takes. */
export const WEIGHT_TABLES = { default: DEFAULT_WEIGHTS, 'lucene-compat': LUCENE_COMPAT_WEIGHTS } as const;
export type ScoringName = keyof typeof WEIGHT_TABLES;
