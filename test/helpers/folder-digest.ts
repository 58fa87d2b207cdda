import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** LMDB's table of readers: it changes with every look. */
const READERS = 'lock.mdb';

/**
 * Hash of every file of a folder by its path, folders with a `/`; undefined when there is no such folder. Two equal
 * digests mean that nobody has changed anything.
 */
export const folderDigest = (folder: string): Readonly<Record<string, string>> | undefined => {
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder, { recursive: true }).map(String).sort();
  const digestOf = (name: string): readonly [string, string] => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return [`${name}/`, ''];
    return [name, createHash('sha256').update(readFileSync(path)).digest('base64')];
  };
  return Object.fromEntries(names.filter((name) => !name.endsWith(READERS)).map(digestOf));
};
