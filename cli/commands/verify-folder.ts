import { type DataFolder, openPageLogReader, readAliases } from '../../indexer/index.ts';
import { currentGeneration, readStatistics, verifyGeneration } from '../../shards/index.ts';

export interface VerifiedFolder {
  readonly kind: 'verified';
  /** Of the page log. */
  readonly records: number;
  readonly segments: number;
  readonly aliases: number;
}

/** Reads every file that has checksums. Throws the first damage, with file and place. */
export const verifyFolder = async (folder: DataFolder, signal: AbortSignal): Promise<VerifiedFolder> => {
  let records = 0;
  for await (const _entry of openPageLogReader(folder.pages).records(signal)) records += 1;
  if ((await currentGeneration(folder.shards)) === undefined) {
    return { kind: 'verified', records, segments: 0, aliases: 0 };
  }
  return { kind: 'verified', records, ...(await verifyIndex(folder, signal)) };
};

/** Reads every file of the index that is there. Throws the first damage, with file and place. */
export const verifyIndex = async (
  folder: DataFolder,
  signal: AbortSignal,
): Promise<Pick<VerifiedFolder, 'segments' | 'aliases'>> => {
  const { segmentCount } = await verifyGeneration(folder.shards, signal);
  await readStatistics(folder.stats);
  const aliases = await readAliases(folder);
  return { segments: segmentCount, aliases: aliases.size };
};
