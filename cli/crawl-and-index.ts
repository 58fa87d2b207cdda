#!/usr/bin/env node
import { loadAllCommands } from './all-commands.ts';
import { runCommand } from './command.ts';
import { crawlAndIndexCommand } from './commands/crawl-and-index.ts';

await runCommand('crawl-and-index', crawlAndIndexCommand, process.argv.slice(2), loadAllCommands);
