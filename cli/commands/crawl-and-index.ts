import { type CrawlSummary, type IndexSummary, withWriter } from '../../index.ts';
import { type DataFolder, indexerConfig } from '../../indexer/index.ts';
import { currentGeneration, QuarryError } from '../../shards/index.ts';
import { type Command, type CommandContext, INTERRUPTED, option } from '../command.ts';
import { type EarlySearch, startEarlySearch } from '../early-search.ts';
import { indexShown } from './build-index.ts';
import { crawlShown } from './crawl.ts';
import {
  type CrawlSettings,
  crawlOptions,
  crawlSettings,
  indexOptions,
  indexSettings,
} from './crawl-settings.ts';
import { DEFAULT_HOST, DEFAULT_PORT, portOf, untilStopped } from './serve.ts';
import { verifyIndex } from './verify-folder.ts';

/** Result of the whole job; `index` is missing when it was interrupted or nothing had changed. */
interface Outcome {
  readonly crawl: CrawlSummary;
  readonly index?: IndexSummary;
}

const earlySearch = async (context: CommandContext, folder: DataFolder): Promise<EarlySearch | undefined> => {
  const { settings, data, clock, progress, misuse } = context;
  if (!('serve' in settings)) return undefined;
  return startEarlySearch({
    data,
    indexSettings: indexSettings(context),
    host: DEFAULT_HOST,
    port: portOf(settings['serve'], misuse),
    clock,
    hasIndex: (await currentGeneration(folder.shards)) !== undefined,
    say: (text) => progress.say(text),
  });
};

/** What becomes of the index behind a crawl: a damaged one is made anew from the page log. */
const indexNeed = async (
  folder: DataFolder,
  hasNews: boolean,
  { signal, output, settings }: CommandContext,
): Promise<'nothing' | 'update' | 'rebuild'> => {
  try {
    const current = await currentGeneration(folder.shards);
    if (current === undefined) return 'rebuild';
    const { shards = current.shardCount } = settings;
    if (hasNews || shards !== current.shardCount) return 'update';
    await verifyIndex(folder, signal);
    return 'nothing';
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    output.note(`The index is made anew: ${error.message}`);
    return 'rebuild';
  }
};

interface Work {
  readonly settings: CrawlSettings;
  readonly early: EarlySearch | undefined;
}

const work = async (
  context: CommandContext,
  folder: DataFolder,
  { settings, early }: Work,
): Promise<Outcome> => {
  const crawled = await crawlShown(context, folder, settings);
  if (crawled.stopped === 'interrupted') return { crawl: crawled };
  await early?.settle();
  const need = await indexNeed(folder, crawled.asked > 0, context);
  if (need === 'nothing') return { crawl: crawled };
  const indexed = await indexShown(context, folder, need === 'rebuild');
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
    const settings = await crawlSettings(context);
    // Now, not after hours of crawling.
    indexerConfig.parse(indexSettings(context));
    let early: EarlySearch | undefined;
    try {
      const outcome = await withWriter(data, async (folder) => {
        early = await earlySearch(context, folder);
        return work(context, folder, { settings, early });
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
