import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { type FileFormat, openSealed, sealFile } from '../bytes/file-envelope.ts';
import { type EpochNumber, epochNumber } from '../values/ids.ts';
import { averageLengthsOf, type ShardStatistics } from './shard-statistics.ts';
import type { IndexStatistics } from './statistics.ts';
import { countsCapacity, rankLanguages, readCounts, writeCounts } from './statistics-codec.ts';

/** Layout in FORMAT.md. */
export const EPOCH_FORMAT: FileFormat = {
  name: 'epoch',
  version: 2,
  oldestVersion: 1,
  remedy: 'run `quarry index` to make it anew',
};

/** First version that says what belongs to the high tier; before it all documents did. */
const FIRST_VERSION_WITH_TIERS = 2;

/** An epoch as the parts of one sealed file. */
export const encodeEpoch = (epoch: EpochNumber, statistics: ShardStatistics): Uint8Array[] => {
  const writer = new ByteWriter(countsCapacity(statistics));
  writer.u32(epoch);
  writer.u32(statistics.staticScores.highTierThreshold());
  writeCounts(writer, statistics);
  return sealFile(EPOCH_FORMAT, [writer.view()]);
};

/** Reads what encodeEpoch wrote; every byte is checked. Throws the corrupt, too old or too new error of `file`. */
export const decodeEpoch = (bytes: Uint8Array, file: string): IndexStatistics => {
  const { body, version } = openSealed(bytes, EPOCH_FORMAT, file);
  const reader = new ByteReader(body, file);
  const epoch = epochNumber(reader.u32());
  const highTierThreshold = version >= FIRST_VERSION_WITH_TIERS ? reader.u32() : 0;
  const counts = readCounts({ reader, format: EPOCH_FORMAT, file });
  return {
    epoch,
    docCount: counts.docCount,
    averageLengths: averageLengthsOf(counts),
    highTierThreshold,
    languages: rankLanguages(counts.languages),
    documentFrequency: (term) => counts.frequencies.of(term),
  };
};
