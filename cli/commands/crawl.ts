import { type CrawlEvent, type CrawlSummary, crawlFolder, withWriter } from '../../index.ts';
import type { DataFolder } from '../../indexer/index.ts';
import { type Command, type CommandContext, INTERRUPTED } from '../command.ts';
import { describeCrawl, showCrawlEvents } from './crawl-report.ts';
import { type CrawlSettings, crawlOptions, crawlSettings } from './crawl-settings.ts';

const ANONYMOUS =
  'No --contact was given: a site owner who has a question about this crawl cannot reach you. (--contact URL or mail address)';

const isAnonymous = ({ contact, agent }: CrawlSettings): boolean => contact === '' && agent === '';

/** The events as they are shown; with the first page a word to those who crawl without a name. */
const showEvents = ({ progress }: CommandContext, settings: CrawlSettings): ((event: CrawlEvent) => void) => {
  const show = showCrawlEvents(progress, settings.maxTimeS);
  let isTold = !isAnonymous(settings);
  return (event) => {
    if (event.kind === 'page' && !isTold) {
      isTold = true;
      progress.say(ANONYMOUS);
    }
    show(event);
  };
};

/** Crawls with the live line, then says how it went. */
export const crawlShown = async (
  context: CommandContext,
  folder: DataFolder,
  settings: CrawlSettings,
): Promise<CrawlSummary> => {
  const { progress, signal, output } = context;
  try {
    const summary = await crawlFolder(folder, {
      settings,
      signal,
      onEvent: showEvents(context, settings),
    });
    progress.close();
    output.note(describeCrawl(summary));
    return summary;
  } finally {
    progress.close();
  }
};

export const crawlCommand: Command = {
  name: 'crawl',
  takes: 'URL…',
  summary: 'Fetches pages into the page log, without making an index.',
  options: crawlOptions,
  run: async (context) => {
    const settings = await crawlSettings(context);
    const summary = await withWriter(context.data, (folder) => crawlShown(context, folder, settings));
    context.output.result({ kind: 'summary', crawl: summary }, () => 'Make the index with quarry index.');
    return summary.stopped === 'interrupted' ? INTERRUPTED : 0;
  },
};
