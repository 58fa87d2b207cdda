import { stat } from 'node:fs/promises';
import { failShards } from '../errors.ts';
import { currentGeneration, shardFolder } from './current.ts';
import { readManifest, segmentFile } from './manifest.ts';
import { verifySegment } from './verify-segment.ts';

/** What was read and found whole. */
export interface VerifiedGeneration {
  readonly generation: number;
  readonly segmentCount: number;
  /** Of the stored pages, the largest files. */
  readonly bytes: number;
}

/** Reads every byte of the generation in force. Throws SHARDS_NO_INDEX, or the corrupt, too old or too new error. */
export const verifyGeneration = async (folder: string, signal?: AbortSignal): Promise<VerifiedGeneration> => {
  const info = await currentGeneration(folder);
  if (info === undefined) throw failShards('SHARDS_NO_INDEX', { folder });
  let segmentCount = 0;
  let bytes = 0;
  for (let shard = 0; shard < info.shardCount; shard += 1) {
    const path = shardFolder(folder, info.generation, shard);
    const { segments } = await readManifest(path, info.manifests[shard] ?? 0);
    for (const entry of segments) {
      signal?.throwIfAborted();
      await verifySegment(path, entry);
      segmentCount += 1;
      bytes += (await stat(segmentFile(path, entry.id, 'pages'))).size;
    }
  }
  return { generation: info.generation, segmentCount, bytes };
};
