import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { defineErrors } from '../../shards/index.ts';

export const seedFileErrors = {
  CLI_SEED_FILE: { exit: 2, message: 'seed file {file}: cannot be read ({reason})' },
} as const;
const fail = defineErrors(seedFileErrors);

/** One URL per line; blank lines and those that begin with # are passed over. `-` is standard input. */
export const readSeedFile = async (file: string): Promise<string[]> => {
  const lines = (await readText(file)).split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
};

const readText = async (file: string): Promise<string> => {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw fail('CLI_SEED_FILE', { file, reason: (error as Error).message }, error);
  }
};
