import { createAnalyser, DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS, type WeightTable } from '../shards/index.ts';
import type { IndexerConfig } from './config.ts';

/** Whether everything of a document is one field, as with peers that have one. */
export const isSingleField = (analyser: string): boolean => createAnalyser(analyser).isSingleField === true;

/** Weights that bounds are made for: who indexes as a peer asks with the peer's scores, and bounds prune for one table only. */
export const weightsFor = (analyser: string): WeightTable =>
  isSingleField(analyser) ? LUCENE_COMPAT_WEIGHTS : DEFAULT_WEIGHTS;

/** What shapes the documents, as text that can be compared: all settings but memory and the number of shards. */
export const settingsOf = ({ memoryBytes: _memory, shards: _shards, ...shaping }: IndexerConfig): string =>
  JSON.stringify(shaping);
