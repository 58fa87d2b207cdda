import { type IndexSummary, indexFolder, withWriter } from '../../index.ts';
import { type DataFolder, openDataFolder } from '../../indexer/index.ts';
import { type Command, type CommandContext, option } from '../command.ts';
import { describeIndex } from './crawl-report.ts';
import { indexOptions, indexSettings } from './crawl-settings.ts';

/** Makes the index with the live line, then says what it holds. */
export const indexShown = async (context: CommandContext, folder: DataFolder): Promise<IndexSummary> => {
  const { progress, signal, output } = context;
  try {
    const summary = await indexFolder(folder, {
      settings: indexSettings(context),
      signal,
      onProgress: ({ step, done, total }) =>
        progress.update(`indexing: ${step} ${done}${total > 0 ? ` of ${total}` : ''}`),
    });
    progress.close();
    output.note(describeIndex(summary));
    return summary;
  } finally {
    progress.close();
  }
};

export const indexCommand: Command = {
  name: 'index',
  takes: '',
  summary: 'Makes shards and statistics anew from the page log.',
  options: [
    option({
      flag: 'rebuild',
      kind: 'boolean',
      help: 'make everything anew (what this version always does)',
    }),
    ...indexOptions,
  ],
  run: async (context) => {
    await openDataFolder(context.data);
    const summary = await withWriter(context.data, (folder) => indexShown(context, folder));
    context.output.result({ kind: 'summary', index: summary }, () => '');
    return 0;
  },
};
