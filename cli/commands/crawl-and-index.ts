import { type CrawlSummary, type IndexSummary, withWriter } from '../../index.ts';
import type { DataFolder } from '../../indexer/index.ts';
import { currentGeneration } from '../../shards/index.ts';
import { type Command, type CommandContext, INTERRUPTED, option } from '../command.ts';
import { type EarlySearch, startEarlySearch } from '../early-search.ts';
import { crawlShown } from './crawl.ts';
import { crawlOptions, crawlSettings, indexOptions, indexSettings } from './crawl-settings.ts';
import { indexShown } from './index.ts';
import { DEFAULT_HOST, DEFAULT_PORT, untilStopped } from './serve.ts';

/** Result of the whole job; `index` is missing when it was interrupted or nothing had changed. */
interface Outcome {
  readonly crawl: CrawlSummary;
  readonly index?: IndexSummary;
}

const earlySearch = async (context: CommandContext, folder: DataFolder): Promise<EarlySearch | undefined> => {
  const { settings, data, clock, progress } = context;
  if (!('serve' in settings)) return undefined;
  const { serve: port } = settings;
  return startEarlySearch({
    data,
    indexSettings: indexSettings(context),
    host: DEFAULT_HOST,
    port: typeof port === 'number' ? port : DEFAULT_PORT,
    clock,
    hasIndex: (await currentGeneration(folder.shards)) !== undefined,
    say: (text) => progress.say(text),
  });
};

const work = async (context: CommandContext, folder: DataFolder, early?: EarlySearch): Promise<Outcome> => {
  const crawled = await crawlShown(context, folder);
  if (crawled.stopped === 'interrupted') return { crawl: crawled };
  await early?.settle();
  const unchanged = crawled.asked === 0 && (await currentGeneration(folder.shards)) !== undefined;
  if (unchanged) return { crawl: crawled };
  const indexed = await indexShown(context, folder);
  return { crawl: crawled, index: indexed };
};

const nextStep = (data: string): string => {
  const where = data === './quarry-data' ? '' : ` --data ${data}`;
  return `Search it:\n  quarry serve${where}\n  quarry search${where} WORDS`;
};

export const crawlAndIndexCommand: Command = {
  name: 'crawl-and-index',
  takes: 'URL…',
  summary: 'Crawls the sites of the URLs and makes them searchable. Interrupted, it goes on when run again.',
  options: [
    ...crawlOptions,
    ...indexOptions,
    option({
      flag: 'serve',
      kind: 'integer',
      optionalValue: true,
      placeholder: 'PORT',
      help: `answer searches from the first minute on and when done (port ${DEFAULT_PORT})`,
    }),
  ],
  run: async (context) => {
    const { data, output, signal } = context;
    await crawlSettings(context);
    let early: EarlySearch | undefined;
    try {
      const outcome = await withWriter(data, async (folder) => {
        early = await earlySearch(context, folder);
        return work(context, folder, early);
      });
      output.result({ kind: 'summary', ...outcome }, () => (early === undefined ? nextStep(data) : ''));
      if (outcome.crawl.stopped === 'interrupted') return INTERRUPTED;
      if (early !== undefined) await untilStopped(await early.page(), signal, output);
      return 0;
    } finally {
      await early?.close();
    }
  },
};
