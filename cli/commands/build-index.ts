import { type IndexSummary, indexFolder, type MoveSummary, moveShards, withWriter } from '../../index.ts';
import { type DataFolder, openDataFolder } from '../../indexer/index.ts';
import { pluralOf } from '../../shards/index.ts';
import { type Command, type CommandContext, option } from '../command.ts';
import { describeIndex } from './crawl-report.ts';
import { indexOptions, indexSettings } from './crawl-settings.ts';

/** Brings the index up to the page log with the live line, then says what it holds. */
export const indexShown = async (
  context: CommandContext,
  folder: DataFolder,
  rebuild = context.settings['rebuild'] === true,
): Promise<IndexSummary> => {
  const { progress, signal, output } = context;
  try {
    const summary = await indexFolder(folder, {
      settings: indexSettings(context),
      rebuild,
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

const describeMove = ({ info, movedSlots, movedDocs, keptSegments }: MoveSummary): string =>
  [
    `Spread the index over ${pluralOf(info.shardCount, 'shard')}.`,
    `  moved      ${pluralOf(movedDocs, 'document')} in ${pluralOf(movedSlots, 'slot')}`,
    `  kept       ${pluralOf(keptSegments, 'segment')} as they were`,
    'The page log was not read; quarry index without --shards takes in what is new in it.',
  ].join('\n');

/** Moves slots when another number of shards was asked for than the index has; undefined when there is nothing to move. */
const moveShown = async ({ data, settings, progress, signal }: CommandContext) => {
  const { shards, rebuild } = settings;
  if (typeof shards !== 'number' || rebuild === true) return undefined;
  try {
    return await moveShards({
      data,
      shards,
      signal,
      onProgress: (done, total) => progress.update(`moving: shard ${done} of ${total}`),
    });
  } finally {
    progress.close();
  }
};

export const indexCommand: Command = {
  name: 'index',
  takes: '',
  summary: 'Brings shards and statistics up to the page log.',
  options: [
    option({
      flag: 'rebuild',
      kind: 'boolean',
      help: 'make everything anew, also what has not changed; link texts and static scores too',
    }),
    ...indexOptions,
  ],
  run: async (context) => {
    await openDataFolder(context.data);
    const moved = await moveShown(context);
    if (moved !== undefined) {
      const { info, ...rest } = moved;
      const { generation, shardCount: shards, docCount: documents } = info;
      context.output.note(describeMove(moved));
      context.output.result({ kind: 'moved', moved: { generation, shards, documents, ...rest } }, () => '');
      return 0;
    }
    const summary = await withWriter(context.data, (folder) => indexShown(context, folder));
    context.output.result({ kind: 'summary', index: summary }, () => '');
    return 0;
  },
};
