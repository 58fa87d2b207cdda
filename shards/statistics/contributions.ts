import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import { isMissing } from '../bytes/system-errors.ts';
import { QuarryError } from '../values/errors.ts';
import { type Contribution, decodeContribution } from './contribution-file.ts';

/** In the data folder's `stats`. */
const FOLDER = 'contributions';
const FILE_NAME = /^(\d{2,})\.contribution$/;

const contributionFile = (statsFolder: string, shard: number): string =>
  join(statsFolder, FOLDER, `${String(shard).padStart(2, '0')}.contribution`);

/** Shards of which a contribution is kept. */
export const listContributions = async (statsFolder: string): Promise<number[]> => {
  try {
    const names = await readdir(join(statsFolder, FOLDER));
    return names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []).map(Number);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/**
 * What each shard added to an epoch last, by shard. A file that is damaged or of another version is left out: the shard is
 * counted again and the file written anew.
 */
export const readContributions = async (statsFolder: string): Promise<Map<number, Contribution>> => {
  const contributions = new Map<number, Contribution>();
  for (const shard of await listContributions(statsFolder)) {
    const file = contributionFile(statsFolder, shard);
    try {
      contributions.set(shard, decodeContribution(await readFile(file), file));
    } catch (error) {
      if (!(error instanceof QuarryError) && !isMissing(error)) throw error;
    }
  }
  return contributions;
};

/** Keeps a contribution, as the bytes of its file, in place of the shard's one before. */
export const keepContribution = async (
  statsFolder: string,
  shard: number,
  bytes: Uint8Array,
): Promise<void> => {
  await mkdir(join(statsFolder, FOLDER), { recursive: true });
  await writeFileAtomically(contributionFile(statsFolder, shard), [bytes]);
};

/** For a shard that is no longer part of the index. */
export const dropContribution = (statsFolder: string, shard: number): Promise<void> =>
  rm(contributionFile(statsFolder, shard), { force: true });
