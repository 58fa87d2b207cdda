import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { explainUrl } from '../../crawler/index.ts';
import { openIndex, withWriter } from '../../index.ts';
import { importFiles } from '../../indexer/index.ts';
import { builtProgram } from '../paths.ts';
import { type ProgramResult, runProgram } from '../program.ts';
import { type Contents, differences, isSame, readContents, titleOf } from './contents.ts';

/**
 * What is killed. `index`: of documents that were put into the page log before. `remove` takes documents out, the others
 * bring some or nothing.
 */
export const COMMANDS = ['import', 'index', 'index --rebuild', 'remove'] as const;
export type CommandName = (typeof COMMANDS)[number];

export interface CommandTask {
  readonly command: CommandName;
  /** The data folder. */
  readonly data: string;
  readonly shards: number;
  /** What the index holds before. */
  readonly before: Contents;
  /** What it holds after the command. */
  readonly after: Contents;
  /** When to kill it, in milliseconds from its start. */
  readonly killAfterMs: number;
}

export interface CommandOutcome {
  /** False when the command ended before. */
  readonly isKilled: boolean;
  /** Whether the killed command's change was in force. */
  readonly isAfterInForce: boolean;
  /** How long the command took when it was run again. */
  readonly completeMs: number;
  readonly faults: readonly string[];
}

const KILLED = 137;
const WORDS = 200;

/** A word that no other document and no other version holds. */
const wordOf = (url: string, version: number): string => `u${new URL(url).pathname.slice(1)}v${version}`;

const lineOf = (url: string, version: number): string => {
  const common = Array.from({ length: WORDS }, (_, at) => `w${(version * 31 + at * at) % 3000}`);
  const text = [wordOf(url, version), ...common].join(' ');
  return `${JSON.stringify({ url, title: titleOf(version), text })}\n`;
};

/** Writes the documents that are other than before, as a file to import. */
const writeChanged = async ({ data, before, after }: CommandTask): Promise<string> => {
  const file = `${data}.jsonl`;
  const changed = [...after].filter(([url, version]) => before.get(url) !== version);
  await writeFile(file, changed.map(([url, version]) => lineOf(url, version)).join(''));
  return file;
};

const intoPageLog = (data: string, file: string): Promise<unknown> =>
  withWriter(data, ({ pages }) =>
    importFiles({ files: [file], folder: pages, normalise: (url) => explainUrl(url) }),
  );

/** The command's words; what has to be there for it is made. */
const prepare = async (task: CommandTask): Promise<string[]> => {
  const { command, data, shards, before, after } = task;
  const common = ['--data', data, '--quiet', '--json'];
  if (command === 'remove') {
    const gone = [...before.keys()].filter((url) => !after.has(url));
    return ['remove', ...common, ...gone];
  }
  const file = await writeChanged(task);
  if (command === 'import') return ['import', ...common, '--shards', String(shards), file];
  if (command === 'index') await intoPageLog(data, file);
  return [...command.split(' '), ...common];
};

const quarry = (words: readonly string[], killAfterMs?: number): Promise<ProgramResult> =>
  runProgram(process.execPath, [builtProgram('quarry'), ...words], {
    onStart: ({ kill }) => {
      if (killAfterMs !== undefined) setTimeout(() => kill('SIGKILL'), killAfterMs).unref();
    },
  });

/** Searches for every document by the word that only it has. */
const searchAll = async (data: string, wanted: Contents, faults: string[]): Promise<void> => {
  await using index = await openIndex({ data });
  for (const [url, version] of wanted) {
    const { hits, total } = await index.search({ q: wordOf(url, version), snippet: false });
    if (total.value === 1 && hits[0]?.url === url) continue;
    faults.push(`${url} in version ${version} is found ${total.value} times`);
  }
};

/** The index's documents after `status --verify` and a search for each. */
const inspect = async (data: string, faults: string[]): Promise<Contents> => {
  if (!existsSync(join(data, 'shards', 'CURRENT'))) return new Map();
  const { status, stdout, stderr } = await quarry(['status', '--data', data, '--verify', '--json']);
  if (status !== 0) faults.push(`status --verify ended with ${status}: ${stderr || stdout}`);
  const contents = await readContents(join(data, 'shards'), faults);
  await searchAll(data, contents, faults);
  return contents;
};

/** Runs a command to its end. */
const complete = async (words: readonly string[], faults: string[]): Promise<number> => {
  const { status, stderr, wallMs } = await quarry(words);
  if (status !== 0) faults.push(`run again, ${words[0]} ended with ${status}: ${stderr}`);
  return wallMs;
};

/**
 * Kills a command, looks at what it left, and runs it again. Left must be all as before or all as after, whole and found
 * by searches; then, all as after.
 */
export const commandTrial = async (task: CommandTask): Promise<CommandOutcome> => {
  const { command, data, before, after, killAfterMs } = task;
  const faults: string[] = [];
  const words = await prepare(task);
  const { status, stderr } = await quarry(words, killAfterMs);
  if (status !== KILLED && status !== 0) faults.push(`${words[0]} ended with ${status}: ${stderr}`);
  const left = await inspect(data, faults);
  const isAfterInForce = isSame(left, after);
  if (status === 0 || !isSame(left, before)) faults.push(...(isAfterInForce ? [] : differences(left, after)));
  // What is removed cannot be removed again; the index may still have to be brought to its end.
  const isRemoved = command === 'remove' && isAfterInForce;
  const completeMs = await complete(isRemoved ? ['index', '--data', data, '--quiet'] : words, faults);
  faults.push(...differences(await inspect(data, faults), after));
  return { isKilled: status === KILLED, isAfterInForce, completeMs, faults };
};
