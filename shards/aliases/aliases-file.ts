import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../bytes/atomic-file.ts';
import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { corrupt, type FileFormat, openSealed, sealFile } from '../bytes/file-envelope.ts';
import { rethrowNaming } from '../bytes/system-errors.ts';
import { type NormalUrl, trustNormalUrl } from '../values/ids.ts';

export const ALIASES_FORMAT: FileFormat = {
  name: 'aliases',
  version: 1,
  oldestVersion: 1,
  remedy: 'run `quarry index --rebuild`',
};

/** Name of the attachment of a commit. */
export const ALIASES = 'aliases';

/** From another name of a document (a redirect, or a duplicate that was not kept) to the URL it is indexed under. */
export type Aliases = ReadonlyMap<NormalUrl, NormalUrl>;

const byCodeUnits = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Writes the aliases of an index as a file (FORMAT.md). Throws SHARDS_DISK_FULL. */
export const writeAliases = async (file: string, aliases: Aliases): Promise<void> => {
  const documents = [...new Set(aliases.values())].sort(byCodeUnits);
  const indexOf = new Map(documents.map((url, index) => [url, index]));
  const body = new ByteWriter();
  body.varint(documents.length);
  for (const url of documents) body.text(url);
  body.varint(aliases.size);
  for (const [alias, url] of [...aliases].sort(([a], [b]) => byCodeUnits(a, b))) {
    body.text(alias);
    body.varint(indexOf.get(url) ?? 0);
  }
  await writeFileAtomically(file, sealFile(ALIASES_FORMAT, [body.view()]));
};

/** The aliases in a file, in rising order. Throws the corrupt, too old or too new error. */
export const readAliases = async (file: string): Promise<Aliases> =>
  decodeAliases(await readFile(file).catch(rethrowNaming(file)), file);

/** The content of an aliases file; `file` names it in errors. */
export const decodeAliases = (bytes: Uint8Array, file: string): Aliases => {
  const { body } = openSealed(bytes, ALIASES_FORMAT, file);
  const reader = new ByteReader(body, file);
  const documents: NormalUrl[] = [];
  for (let left = reader.varint(); left > 0; left -= 1) documents.push(trustNormalUrl(reader.text()));
  const aliases = new Map<NormalUrl, NormalUrl>();
  for (let left = reader.varint(); left > 0; left -= 1) {
    const alias = trustNormalUrl(reader.text());
    const index = reader.varint();
    const url = documents[index];
    if (url === undefined)
      throw corrupt(ALIASES_FORMAT, file, `document ${index}`, `one below ${documents.length}`);
    aliases.set(alias, url);
  }
  if (reader.remaining > 0)
    throw corrupt(ALIASES_FORMAT, file, `${reader.remaining} bytes too many`, 'the end of the aliases');
  return aliases;
};
