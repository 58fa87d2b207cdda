import { currentGeneration, generationFolder, type MoveSummary, moveSlots } from '../shards/index.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { requireDiskBytes } from './folder/free-space.ts';
import { measureFolder } from './folder/measure-folder.ts';
import { weightsFor } from './settings.ts';

export interface MoveShardsOptions {
  /** The caller holds its writer lock. */
  readonly folder: DataFolder;
  /** Shards wanted. */
  readonly shards: number;
  readonly onProgress?: (doneShards: number, totalShards: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Spreads the index over another number of shards by moving slots, without the page log; undefined when there is no index
 * or it has that many. The statistics stay as they are: they are of the same documents. Errors: INDEXER_DISK_LOW when
 * there is no room for a second copy of the index, and those of moveSlots.
 */
export const moveShards = async ({
  folder,
  shards,
  ...running
}: MoveShardsOptions): Promise<MoveSummary | undefined> => {
  const current = await currentGeneration(folder.shards);
  if (current === undefined || current.shardCount === shards) return undefined;
  const { lengthBytes } = await measureFolder(generationFolder(folder.shards, current.generation));
  await requireDiskBytes(folder.root, lengthBytes);
  return moveSlots({
    folder: folder.shards,
    shardCount: shards,
    weights: weightsFor(current.analyser),
    ...running,
  });
};
