import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './source-tree.ts';

export const projectPath = (path: string): string => join(PROJECT, path);

/**
 * The bytes of the worked example of a FORMAT.md: of each indented line behind "Worked example" the hex pairs with which
 * it begins, up to the next paragraph that is not indented.
 */
export const workedExample = (formatFile: string, title = 'Worked example'): Uint8Array => {
  const text = readFileSync(projectPath(formatFile), 'utf8');
  const start = text.indexOf(title);
  if (start < 0) throw new Error(`${formatFile} has no "${title}"`);
  const [block] = /\n\n((?: {4}.*\n|\n)+)/.exec(text.slice(start)) ?? [];
  const pairs = (block ?? '').split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const end = words.findIndex((word) => !/^[0-9a-f]{2}$/.test(word));
    return end < 0 ? words : words.slice(0, end);
  });
  if (pairs.length === 0) throw new Error(`${formatFile} has no bytes behind "${title}"`);
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
};
