import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import { isMissing, rethrowNaming } from '../bytes/system-errors.ts';
import { failShards } from '../errors.ts';
import { type EpochNumber, epochNumber } from '../values/ids.ts';
import { decodeEpoch, encodeEpoch } from './epoch-file.ts';
import type { ShardStatistics } from './shard-statistics.ts';
import type { IndexStatistics } from './statistics.ts';

/** A query that was weighed just before a new epoch is still answered by the old one. */
const KEPT_EPOCHS = 2;
const FILE_NAME = /^(\d{6,})\.epoch$/;

const epochFile = (folder: string, epoch: EpochNumber): string =>
  join(folder, `${String(epoch).padStart(6, '0')}.epoch`);

/** Epochs in the folder, newest first; none when there is no folder. */
export const listEpochs = async (folder: string): Promise<EpochNumber[]> => {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return names
    .flatMap((name) => FILE_NAME.exec(name)?.[1] ?? [])
    .map((digits) => epochNumber(Number(digits)))
    .sort((a, b) => b - a);
};

/**
 * Reads one epoch, by default the newest. Throws SHARDS_NO_STATISTICS when there is none, SHARDS_UNKNOWN_EPOCH when
 * that one is not kept (any more), and the corrupt, too old or too new error.
 */
export const readStatistics = async (folder: string, epoch?: EpochNumber): Promise<IndexStatistics> => {
  const wanted = epoch ?? (await listEpochs(folder))[0];
  if (wanted === undefined) throw failShards('SHARDS_NO_STATISTICS', { folder });
  const file = epochFile(folder, wanted);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file).catch(rethrowNaming(file));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw failShards('SHARDS_UNKNOWN_EPOCH', { folder, epoch: wanted }, error);
  }
  return decodeEpoch(bytes, file);
};

/** Writes the next epoch atomically and removes all but the two newest. One writer at a time. */
export const writeEpoch = async (folder: string, statistics: ShardStatistics): Promise<EpochNumber> => {
  await mkdir(folder, { recursive: true });
  const known = await listEpochs(folder);
  const epoch = epochNumber((known[0] ?? 0) + 1);
  await writeFileAtomically(epochFile(folder, epoch), encodeEpoch(epoch, statistics));
  for (const old of known.slice(KEPT_EPOCHS - 1)) await rm(epochFile(folder, old), { force: true });
  return epoch;
};
