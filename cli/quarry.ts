#!/usr/bin/env node
import { VERSION } from '../shards/index.ts';
import { loadAllCommands, QUARRY_COMMANDS } from './all-commands.ts';
import { runCommand } from './command.ts';

const overview = async (): Promise<string> => {
  const commands = await Promise.all(Object.values(QUARRY_COMMANDS).map((load) => load()));
  const lines = commands.map(({ name, takes, summary }) => {
    const call = `quarry ${name} ${takes}`;
    return call.length > 22 ? `  ${call}\n${' '.repeat(26)}${summary}` : `  ${call.padEnd(24)}${summary}`;
  });
  return [
    `quarry ${VERSION}: crawls web sites and makes them searchable`,
    '',
    `  ${'crawl-and-index URL…'.padEnd(24)}The main job in one command.`,
    ...lines,
    '',
    'quarry COMMAND --help tells more.',
    '',
  ].join('\n');
};

const HELP: ReadonlySet<string> = new Set(['--help', '-h', 'help']);

const main = async ([name, ...args]: readonly string[]): Promise<void> => {
  const load = Object.hasOwn(QUARRY_COMMANDS, name ?? '') ? QUARRY_COMMANDS[name ?? ''] : undefined;
  if (load !== undefined) return runCommand(`quarry ${name}`, await load(), args, loadAllCommands);
  if (name === '--version') process.stdout.write(`${VERSION}\n`);
  else if (name === undefined || HELP.has(name)) process.stdout.write(await overview());
  else {
    process.stderr.write(`quarry: there is no command ${name}; quarry --help lists them\n`);
    process.exitCode = 2;
  }
};

await main(process.argv.slice(2));
