import { type CrawlSummary, crawlFolder, withWriter } from '../../index.ts';
import type { DataFolder } from '../../indexer/index.ts';
import { type Command, type CommandContext, INTERRUPTED } from '../command.ts';
import { describeCrawl, showCrawlEvents } from './crawl-report.ts';
import { crawlOptions, crawlSettings } from './crawl-settings.ts';

const ANONYMOUS =
  'No --contact was given: a site owner who has a question about this crawl cannot reach you. (--contact URL or mail address)';

const isAnonymous = ({ contact = '', agent = '' }: CommandContext['settings']): boolean =>
  contact === '' && agent === '';

/** Crawls with the live line, then says how it went. */
export const crawlShown = async (context: CommandContext, folder: DataFolder): Promise<CrawlSummary> => {
  const { progress, signal, output, settings } = context;
  if (isAnonymous(settings)) output.note(ANONYMOUS);
  const maxTimeS = typeof settings['maxTimeS'] === 'number' ? settings['maxTimeS'] : 0;
  try {
    const summary = await crawlFolder(folder, {
      settings: await crawlSettings(context),
      signal,
      onEvent: showCrawlEvents(progress, maxTimeS),
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
    await crawlSettings(context);
    const summary = await withWriter(context.data, (folder) => crawlShown(context, folder));
    context.output.result({ kind: 'summary', crawl: summary }, () => 'Make the index with quarry index.');
    return summary.stopped === 'interrupted' ? INTERRUPTED : 0;
  },
};
