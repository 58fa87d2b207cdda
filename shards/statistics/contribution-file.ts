import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { corrupt, type FileFormat, openSealed, sealFile } from '../bytes/file-envelope.ts';
import type { ShardStatistics } from './shard-statistics.ts';
import { STATIC_BUCKETS, StaticScores } from './static-scores.ts';
import { countsCapacity, readCounts, writeCounts } from './statistics-codec.ts';

/** Layout in FORMAT.md. */
export const CONTRIBUTION_FORMAT: FileFormat = {
  name: 'contribution',
  version: 1,
  oldestVersion: 1,
  remedy: 'delete it: the shard is counted again',
};

/** What one shard adds to the next epoch. */
export interface Contribution {
  readonly shard: number;
  /** Names the segments and deletes that were counted: equal versions, equal counts. */
  readonly version: string;
  /** Wall clock when they were counted, milliseconds since 1970. */
  readonly countedAtMs: number;
  readonly statistics: ShardStatistics;
}

const writeStaticScores = (writer: ByteWriter, { counts }: StaticScores): void => {
  const used = [...counts.entries()].filter(([, count]) => count > 0);
  writer.varint(used.length);
  for (const [bucket, count] of used) {
    writer.varint(bucket);
    writer.varint(count);
  }
};

const readStaticScores = (reader: ByteReader, file: string): StaticScores => {
  const scores = new StaticScores();
  for (let left = reader.varint(); left > 0; left--) {
    const bucket = reader.varint();
    if (bucket >= STATIC_BUCKETS) {
      throw corrupt(CONTRIBUTION_FORMAT, file, `static score bucket ${bucket}`, `below ${STATIC_BUCKETS}`);
    }
    scores.counts[bucket] = reader.varint();
  }
  return scores;
};

/** A contribution as one sealed file. */
export const encodeContribution = (contribution: Contribution): Uint8Array => {
  const { shard, version, countedAtMs, statistics } = contribution;
  const writer = new ByteWriter(countsCapacity(statistics));
  writer.u32(shard);
  writer.u64(BigInt(countedAtMs));
  writer.text(version);
  writeCounts(writer, statistics);
  writeStaticScores(writer, statistics.staticScores);
  return Buffer.concat(sealFile(CONTRIBUTION_FORMAT, [writer.view()]));
};

/** Reads what encodeContribution wrote; every byte is checked. Throws the corrupt, too old or too new error of `file`. */
export const decodeContribution = (bytes: Uint8Array, file: string): Contribution => {
  const { body } = openSealed(bytes, CONTRIBUTION_FORMAT, file);
  const reader = new ByteReader(body, file);
  const shard = reader.u32();
  const countedAtMs = Number(reader.u64());
  const version = reader.text();
  const counts = readCounts({ reader, format: CONTRIBUTION_FORMAT, file });
  return {
    shard,
    version,
    countedAtMs,
    statistics: { ...counts, staticScores: readStaticScores(reader, file) },
  };
};
