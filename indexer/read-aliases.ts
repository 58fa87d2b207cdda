import {
  ALIASES,
  type Aliases,
  attachmentFile,
  currentGeneration,
  readAliases as readAliasesFile,
} from '../shards/index.ts';
import type { DataFolder } from './folder/data-folder.ts';

/**
 * The other names of the documents of the index in force: redirects and duplicates, each with the document's URL.
 * Empty when there is no index yet. Throws the corrupt, too old or too new error.
 */
export const readAliases = async ({ shards }: DataFolder): Promise<Aliases> => {
  const current = await currentGeneration(shards);
  const file = current && attachmentFile(shards, current, ALIASES);
  return file === undefined ? new Map() : readAliasesFile(file);
};
