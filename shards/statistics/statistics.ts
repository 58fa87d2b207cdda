import type { FieldName } from '../values/fields.ts';
import type { EpochNumber } from '../values/ids.ts';

/** The global statistics of one epoch: all over the same population (live documents of all shards). */
export interface IndexStatistics {
  readonly epoch: EpochNumber;
  readonly docCount: number;
  /** Mean tokens per document and field, over all documents. */
  readonly averageLengths: Readonly<Record<FieldName, number>>;
  /** Static score from which on a document belongs to the high tier of its shard; 0: every document does. */
  readonly highTierThreshold: number;
  /** Documents that hold `term` in any field; 0 when the epoch does not know it. */
  documentFrequency(term: string): number;
  /** Documents by primary language subtag ('' = unknown), largest first. */
  readonly languages: readonly { readonly lang: string; readonly docCount: number }[];
}
