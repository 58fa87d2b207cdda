import { createAnalyser } from '../shards/index.ts';
import type { IndexerConfig } from './config.ts';

/** Whether everything of a document is one field, as with peers that have one. */
export const isSingleField = ({ analyzer }: IndexerConfig): boolean =>
  createAnalyser(analyzer).isSingleField === true;

/** What shapes the documents, as text that can be compared: all settings but memory and the number of shards. */
export const settingsOf = ({ memoryBytes: _memory, shards: _shards, ...shaping }: IndexerConfig): string =>
  JSON.stringify(shaping);
