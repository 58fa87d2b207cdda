import { defineErrors } from '../../shards/index.ts';
import type { Command } from '../command.ts';

export const laterErrors = {
  CLI_NOT_IN_THIS_VERSION: { exit: 2, message: 'quarry {command} is not in this version: {instead}' },
} as const;
const fail = defineErrors(laterErrors);

/** Commands of the design that a later version brings. They answer with what to do today, never with a made-up result. */
const LATER: Readonly<Record<string, string>> = {
  snapshot: 'copy the data folder while no writer runs',
  restore: 'copy the data folder back while no writer runs',
  graph: 'quarry export --fields links gives every page with its links',
  cycle: 'quarry crawl does the same work continuously',
  focus: 'crawl with --include and --scope',
  mcp: 'quarry serve answers agents at /api/search',
};

export const laterCommands: readonly Command[] = Object.entries(LATER).map(([name, instead]) => ({
  name,
  takes: '',
  summary: `Not in this version: ${instead}.`,
  options: [],
  run: () => Promise.reject(fail('CLI_NOT_IN_THIS_VERSION', { command: name, instead })),
}));
