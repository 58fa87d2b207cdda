import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawlFolder, serve, withWriter } from '../../index.ts';
import { formatCount } from '../../shards/index.ts';
import { loadAllCommands } from '../all-commands.ts';
import { type Command, type CommandContext, INTERRUPTED, option, runCommand } from '../command.ts';
import { indexShown } from '../commands/build-index.ts';
import { crawlAndIndexCommand } from '../commands/crawl-and-index.ts';
import { showCrawlEvents } from '../commands/crawl-report.ts';
import { DEFAULT_HOST, DEFAULT_PORT, untilStopped } from '../commands/serve.ts';
import { startDemoWeb } from './index.ts';

/** Our own web on loopback needs no politeness. */
const OWN_WEB = { allowPrivate: true, delayMs: 0, politeness: 0 } as const;

const runDemo = async (context: CommandContext, data: string): Promise<number> => {
  const { output, progress, signal, settings } = context;
  await using web = await startDemoWeb();
  output.note(
    `A small web of ${formatCount(web.pageCount)} pages on ${web.seeds.length} hosts: the documentation of the installed packages.`,
  );
  const isDone = await withWriter(data, async (folder) => {
    const crawled = await crawlFolder(folder, {
      settings: { ...OWN_WEB, seeds: [...web.seeds] },
      resolver: web.resolver,
      onEvent: showCrawlEvents(progress, 0),
      signal,
    });
    progress.close();
    output.note(`Crawled ${formatCount(crawled.ok)} pages.`);
    if (crawled.stopped === 'interrupted') return false;
    await indexShown(context, folder);
    return true;
  });
  if (!isDone) return INTERRUPTED;
  const served = await serve({ data, host: DEFAULT_HOST, port: Number(settings['port'] ?? DEFAULT_PORT) });
  await untilStopped(served, signal, output);
  return 0;
};

/** Crawls and serves the demo web out of a folder that goes away with it. */
const demoCommand: Command = {
  name: 'start',
  takes: '',
  summary:
    'Serves a small real web on loopback, crawls and indexes it, and opens the search page. With URLs: crawls those.',
  options: [
    option({
      flag: 'port',
      kind: 'integer',
      default: DEFAULT_PORT,
      help: 'port of the search page; 0 takes a free one',
    }),
  ],
  run: async (context) => {
    const data = await mkdtemp(join(tmpdir(), 'quarry-demo-'));
    try {
      return await runDemo(context, data);
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  },
};

const args = process.argv.slice(2);
const takesUrls = args.some((arg) => !arg.startsWith('-') && Number.isNaN(Number(arg)));
if (takesUrls) await runCommand('npm start --', crawlAndIndexCommand, ['--serve', ...args], loadAllCommands);
else await runCommand('npm start --', demoCommand, args, loadAllCommands);
