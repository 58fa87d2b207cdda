#!/usr/bin/env node
import { VERSION } from '../shards/index.ts';
import { type Command, runCommand } from './command.ts';
import { laterCommands } from './commands/later.ts';

/** Loaded when asked for: `quarry search` should not wait for the crawler's libraries. */
const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  crawl: async () => (await import('./commands/crawl.ts')).crawlCommand,
  index: async () => (await import('./commands/build-index.ts')).indexCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  search: async () => (await import('./commands/search.ts')).searchCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  inspect: async () => (await import('./commands/inspect.ts')).inspectCommand,
  eval: async () => (await import('./commands/eval.ts')).evalCommand,
  bench: async () => (await import('./commands/bench.ts')).benchCommand,
  ...Object.fromEntries(laterCommands.map((command) => [command.name, () => Promise.resolve(command)])),
};

const overview = async (): Promise<string> => {
  const commands = await Promise.all(Object.values(LOADERS).map((load) => load()));
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

const main = async ([name, ...args]: readonly string[]): Promise<void> => {
  const load = Object.hasOwn(LOADERS, name ?? '') ? LOADERS[name ?? ''] : undefined;
  if (load !== undefined) return runCommand(`quarry ${name}`, await load(), args);
  if (name === '--version') process.stdout.write(`${VERSION}\n`);
  else if (name === undefined || name === '--help' || name === 'help') process.stdout.write(await overview());
  else {
    process.stderr.write(`quarry: there is no command ${name}; quarry --help lists them\n`);
    process.exitCode = 2;
  }
};

await main(process.argv.slice(2));
