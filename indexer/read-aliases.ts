import {
  type Aliases,
  currentGeneration,
  generationFolder,
  readAliases as readGenerationAliases,
} from '../shards/index.ts';
import type { DataFolder } from './folder/data-folder.ts';

/**
 * The other names of the documents of the generation in force: redirects and duplicates, each with the document's URL.
 * Empty when there is no index yet. Throws the corrupt, too old or too new error.
 */
export const readAliases = async ({ shards }: DataFolder): Promise<Aliases> => {
  const current = await currentGeneration(shards);
  return current === undefined
    ? new Map()
    : readGenerationAliases(generationFolder(shards, current.generation));
};
