import { KEPT_VOCABULARY_BYTES } from '../text/shared-term-stream.ts';

/** The part of the budget that the common vocabulary may take; then all shards are written, so that it begins anew. */
const VOCABULARY_SHARE = 1 / 4;
/** Below it the vocabulary stays whatever the part: beginning anew would free little. */
const LEAST_VOCABULARY_LIMIT_BYTES = 2 * KEPT_VOCABULARY_BYTES;
/** The part that is left to documents at least, however much the stream that cuts them takes. */
const DOCUMENTS_SHARE = 1 / 2;

/** Memory in bytes that a writer holds. */
export interface HeldMemory {
  /** Of updates that wait. */
  readonly queueBytes: number;
  /** By shard: of documents that are analysed. */
  readonly shardBytes: readonly number[];
  /** Of the stream that cuts the texts of all shards. */
  readonly streamBytes: number;
  /** Of that what its vocabulary takes, which only writing all shards gives back. */
  readonly vocabularyBytes: number;
}

/** Numbers of the shards that must be written before more is added, for a budget: none, that of the largest one, or all. */
export const fullShards = (held: HeldMemory, budgetBytes: number): readonly number[] => {
  const { queueBytes, shardBytes, streamBytes, vocabularyBytes } = held;
  if (vocabularyBytes > Math.max(budgetBytes * VOCABULARY_SHARE, LEAST_VOCABULARY_LIMIT_BYTES)) {
    return [...shardBytes.keys()];
  }
  const counted = Math.min(streamBytes, budgetBytes * (1 - DOCUMENTS_SHARE));
  const total = shardBytes.reduce((sum, bytes) => sum + bytes, queueBytes + counted);
  return total <= budgetBytes ? [] : [shardBytes.indexOf(Math.max(...shardBytes))];
};
