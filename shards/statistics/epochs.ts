import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileOnce } from '../bytes/atomic-file.ts';
import { isMissing, rethrowNaming } from '../bytes/system-errors.ts';
import { failShards } from '../errors.ts';
import { type EpochNumber, epochNumber } from '../values/ids.ts';
import { decodeEpoch, encodeEpoch } from './epoch-file.ts';
import type { ShardStatistics } from './shard-statistics.ts';
import type { IndexStatistics } from './statistics.ts';

/** A query that was weighed just before a new epoch is still answered by the old one. */
export const KEPT_EPOCHS = 2;
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
 * Bytes of one epoch's file, by default the newest. Throws SHARDS_NO_STATISTICS when there is none,
 * SHARDS_UNKNOWN_EPOCH when that one is not kept (any more).
 */
export const readEpochBytes = async (folder: string, epoch?: EpochNumber): Promise<Uint8Array> => {
  const wanted = epoch ?? (await listEpochs(folder))[0];
  if (wanted === undefined) throw failShards('SHARDS_NO_STATISTICS', { folder });
  const file = epochFile(folder, wanted);
  try {
    return await readFile(file).catch(rethrowNaming(file));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw failShards('SHARDS_UNKNOWN_EPOCH', { folder, epoch: wanted }, error);
  }
};

/** Reads one epoch, by default the newest. Throws as readEpochBytes, and the corrupt, too old or too new error. */
export const readStatistics = async (folder: string, epoch?: EpochNumber): Promise<IndexStatistics> => {
  const wanted = epoch ?? (await listEpochs(folder))[0];
  const bytes = await readEpochBytes(folder, wanted);
  return decodeEpoch(bytes, wanted === undefined ? folder : epochFile(folder, wanted));
};

const removeOldEpochs = async (folder: string): Promise<void> => {
  for (const old of (await listEpochs(folder)).slice(KEPT_EPOCHS)) {
    await rm(epochFile(folder, old), { force: true });
  }
};

/**
 * Writes the next epoch, at least `least`, atomically and removes all but the two newest. No number is given twice,
 * also when several processes publish.
 */
export const writeEpoch = async (
  folder: string,
  statistics: ShardStatistics,
  least: EpochNumber = epochNumber(1),
): Promise<EpochNumber> => {
  await mkdir(folder, { recursive: true });
  for (;;) {
    const newest = (await listEpochs(folder))[0] ?? 0;
    const epoch = epochNumber(Math.max(least, newest + 1));
    if (!(await writeFileOnce(epochFile(folder, epoch), encodeEpoch(epoch, statistics)))) continue;
    await removeOldEpochs(folder);
    return epoch;
  }
};

/**
 * Keeps an epoch that another process has published, under its own number. Throws SHARDS_EPOCH_CONFLICT when the folder has
 * a different one of that number.
 */
export const keepEpoch = async (folder: string, epoch: EpochNumber, bytes: Uint8Array): Promise<void> => {
  await mkdir(folder, { recursive: true });
  if (!(await writeFileOnce(epochFile(folder, epoch), [bytes]))) {
    const kept = await readEpochBytes(folder, epoch);
    if (Buffer.compare(kept, bytes) !== 0) throw failShards('SHARDS_EPOCH_CONFLICT', { folder, epoch });
  }
  await removeOldEpochs(folder);
};
