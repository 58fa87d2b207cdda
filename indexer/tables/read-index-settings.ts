import { currentGeneration, QuarryError } from '../../shards/index.ts';
import type { IndexerConfig } from '../config.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import { readIndexMemory } from './index-memory.ts';

/**
 * The settings that the index in force was made with, as far as they are known: nothing of an index that cannot be read,
 * or that is not there.
 */
export const readIndexSettings = async ({ shards }: DataFolder): Promise<Partial<IndexerConfig>> => {
  try {
    const current = await currentGeneration(shards);
    if (current === undefined) return {};
    const memory = await readIndexMemory(shards);
    const shaping = memory === undefined ? {} : (JSON.parse(memory.state.settings) as Partial<IndexerConfig>);
    return { ...shaping, shards: current.shardCount };
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    return {};
  }
};
