import { formatKey, hash64 } from './hash.ts';

/**
 * Fingerprint by which exact duplicates are found: XXH64 of title and body, block borders folded to spaces, as 16 hex
 * digits. The same for a page that was crawled and a document that was imported.
 */
export const textHashOf = (title: string, body: string): string =>
  formatKey(hash64(`${title}\n${body.replaceAll('\n', ' ')}`));
