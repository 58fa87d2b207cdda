import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { corrupt, type FileFormat, openSealed, sealFile } from '../bytes/file-envelope.ts';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import { type EpochNumber, epochNumber } from '../values/ids.ts';
import type { ShardStatistics } from './shard-statistics.ts';
import type { IndexStatistics } from './statistics.ts';
import { TermFrequencies } from './term-frequencies.ts';

/** Layout in FORMAT.md. */
export const EPOCH_FORMAT: FileFormat = {
  name: 'epoch',
  version: 1,
  oldestVersion: 1,
  remedy: 'run `quarry index` to make it anew',
};

const HASH_BYTES = 8;

/** Largest first; languages of equal size by name, so that equal statistics make equal bytes. */
const rankLanguages = (languages: ReadonlyMap<string, number>): IndexStatistics['languages'] =>
  [...languages]
    .map(([lang, docCount]) => ({ lang, docCount }))
    .sort((a, b) => b.docCount - a.docCount || (a.lang < b.lang ? -1 : 1));

/** An epoch as the parts of one sealed file. */
export const encodeEpoch = (epoch: EpochNumber, statistics: ShardStatistics): Uint8Array[] => {
  const { docCount, totalLengths, languages, frequencies } = statistics;
  const writer = new ByteWriter(64 + frequencies.size * (HASH_BYTES + 2));
  writer.u32(epoch);
  writer.u32(docCount);
  writer.u32(frequencies.size);
  writer.u32(FIELD_NAMES.length);
  for (const field of FIELD_NAMES) writer.u64(BigInt(totalLengths[field]));
  for (const hash of frequencies.hashes) writer.u64(hash);
  for (const count of frequencies.counts) writer.varint(count);
  const ranked = rankLanguages(languages);
  writer.varint(ranked.length);
  for (const { lang, docCount: langCount } of ranked) {
    writer.text(lang);
    writer.varint(langCount);
  }
  return sealFile(EPOCH_FORMAT, [writer.view()]);
};

const readAverages = (reader: ByteReader, docCount: number): Record<FieldName, number> => {
  const averages: Partial<Record<FieldName, number>> = {};
  for (const field of FIELD_NAMES) averages[field] = Number(reader.u64()) / Math.max(1, docCount);
  return averages as Record<FieldName, number>;
};

const readFrequencies = (reader: ByteReader, termCount: number, file: string): TermFrequencies => {
  // A copy, so that the hashes are aligned and the file's bytes can go.
  const hashBytes = new Uint8Array(reader.bytes(termCount * HASH_BYTES));
  const hashes = new BigUint64Array(hashBytes.buffer, 0, termCount);
  for (let index = 1; index < termCount; index++) {
    if ((hashes[index - 1] ?? 0n) >= (hashes[index] ?? 0n)) {
      throw corrupt(EPOCH_FORMAT, file, `term hash ${index} out of order`, 'rising ones');
    }
  }
  const counts = new Uint32Array(termCount);
  for (let index = 0; index < termCount; index++) counts[index] = reader.varint();
  return new TermFrequencies(hashes, counts);
};

/** Reads what encodeEpoch wrote; every byte is checked. Throws the corrupt, too old or too new error of `file`. */
export const decodeEpoch = (bytes: Uint8Array, file: string): IndexStatistics => {
  const { body } = openSealed(bytes, EPOCH_FORMAT, file);
  const reader = new ByteReader(body, file);
  const epoch = epochNumber(reader.u32());
  const docCount = reader.u32();
  const termCount = reader.u32();
  const fieldCount = reader.u32();
  if (fieldCount !== FIELD_NAMES.length) {
    throw corrupt(EPOCH_FORMAT, file, `${fieldCount} fields`, `${FIELD_NAMES.length}`);
  }
  const averageLengths = readAverages(reader, docCount);
  const frequencies = readFrequencies(reader, termCount, file);
  const languages: { lang: string; docCount: number }[] = [];
  for (let left = reader.varint(); left > 0; left--) {
    languages.push({ lang: reader.text(), docCount: reader.varint() });
  }
  return {
    epoch,
    docCount,
    averageLengths,
    languages,
    documentFrequency: (term) => frequencies.of(term),
  };
};
