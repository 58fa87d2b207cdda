import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { corrupt, type FileFormat } from '../bytes/file-envelope.ts';
import { FIELD_NAMES } from '../values/fields.ts';
import { eachField, type ShardStatistics } from './shard-statistics.ts';
import { TermFrequencies } from './term-frequencies.ts';

/** The part that epochs and contributions have in common: `counts` of FORMAT.md. */
export type Counts = Omit<ShardStatistics, 'staticScores'>;

const HASH_BYTES = 8;

/** Bytes that `counts` takes, roughly. */
export const countsCapacity = ({ frequencies }: Counts): number => 128 + frequencies.size * (HASH_BYTES + 2);

/** Largest first; languages of equal size by name, so that equal statistics make equal bytes. */
export const rankLanguages = (
  languages: ReadonlyMap<string, number>,
): readonly { readonly lang: string; readonly docCount: number }[] =>
  [...languages]
    .map(([lang, docCount]) => ({ lang, docCount }))
    .sort((a, b) => b.docCount - a.docCount || (a.lang < b.lang ? -1 : 1));

export const writeCounts = (writer: ByteWriter, counts: Counts): void => {
  const { docCount, totalLengths, languages, frequencies } = counts;
  writer.u32(docCount);
  writer.u32(frequencies.size);
  writer.u32(FIELD_NAMES.length);
  for (const field of FIELD_NAMES) writer.u64(BigInt(totalLengths[field]));
  const { hashes } = frequencies;
  writer.bytes(new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength));
  for (const count of frequencies.counts) writer.varint(count);
  const ranked = rankLanguages(languages);
  writer.varint(ranked.length);
  for (const { lang, docCount: langCount } of ranked) {
    writer.text(lang);
    writer.varint(langCount);
  }
};

/** Where counts are read from, for messages. */
export interface CountsSource {
  readonly reader: ByteReader;
  readonly format: FileFormat;
  readonly file: string;
}

const readFrequencies = ({ reader, format, file }: CountsSource, termCount: number): TermFrequencies => {
  // A copy, so that the hashes are aligned and the file's bytes can go.
  const hashBytes = new Uint8Array(reader.bytes(termCount * HASH_BYTES));
  const counts = new Uint32Array(termCount);
  const frequencies = new TermFrequencies(new BigUint64Array(hashBytes.buffer, 0, termCount), counts);
  const outOfOrder = frequencies.firstOutOfOrder();
  if (outOfOrder >= 0) throw corrupt(format, file, `term hash ${outOfOrder} out of order`, 'rising ones');
  for (let index = 0; index < termCount; index++) counts[index] = reader.varint();
  return frequencies;
};

/** Reads what writeCounts wrote, from the reader's place on. Throws the corrupt error. */
export const readCounts = (source: CountsSource): Counts => {
  const { reader, format, file } = source;
  const docCount = reader.u32();
  const termCount = reader.u32();
  const fieldCount = reader.u32();
  if (fieldCount !== FIELD_NAMES.length) {
    throw corrupt(format, file, `${fieldCount} fields`, `${FIELD_NAMES.length}`);
  }
  const totalLengths = eachField(() => Number(reader.u64()));
  const frequencies = readFrequencies(source, termCount);
  const languages = new Map<string, number>();
  for (let left = reader.varint(); left > 0; left--) languages.set(reader.text(), reader.varint());
  return { docCount, totalLengths, languages, frequencies };
};
