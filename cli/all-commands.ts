import type { Command } from './command.ts';
import { laterCommands } from './commands/later.ts';

/** Loaded when asked for: `quarry search` should not wait for the crawler's libraries. */
export const QUARRY_COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  crawl: async () => (await import('./commands/crawl.ts')).crawlCommand,
  index: async () => (await import('./commands/build-index.ts')).indexCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  search: async () => (await import('./commands/search.ts')).searchCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  shard: async () => (await import('./commands/shard.ts')).shardCommand,
  broker: async () => (await import('./commands/broker.ts')).brokerCommand,
  remove: async () => (await import('./commands/remove.ts')).removeCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  inspect: async () => (await import('./commands/inspect.ts')).inspectCommand,
  eval: async () => (await import('./commands/eval.ts')).evalCommand,
  bench: async () => (await import('./commands/bench.ts')).benchCommand,
  ...Object.fromEntries(laterCommands.map((command) => [command.name, () => Promise.resolve(command)])),
};

/** The commands of both programs: what one settings file can be written for. */
export const loadAllCommands = async (): Promise<readonly Command[]> => {
  const { crawlAndIndexCommand } = await import('./commands/crawl-and-index.ts');
  return [crawlAndIndexCommand, ...(await Promise.all(Object.values(QUARRY_COMMANDS).map((load) => load())))];
};
