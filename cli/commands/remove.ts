import { removeDocuments } from '../../index.ts';
import { formatCount, pluralOf } from '../../shards/index.ts';
import { type Command, option } from '../command.ts';

const words = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const removeCommand: Command = {
  name: 'remove',
  takes: '[URL…]',
  summary: 'Takes documents out of the index, until a crawl or an import brings them again.',
  options: [
    option({
      flag: 'site',
      many: true,
      placeholder: 'HOST[/PATH]',
      help: 'all documents of a host, or under a path of it; may be given several times',
    }),
  ],
  run: async ({ data, positionals, settings, output, signal, progress, misuse }) => {
    const sites = words(settings['site']);
    if (positionals.length + sites.length === 0) throw misuse('name at least one URL, or a --site');
    try {
      const { documents, aliases, unknown, index } = await removeDocuments({
        data,
        urls: positionals,
        sites,
        signal,
        onProgress: ({ step, done }) => progress.update(`indexing: ${step} ${done}`),
      });
      progress.close();
      for (const url of unknown) output.note(`Not in the index: ${url}`);
      const names = aliases.length > 0 ? ` and ${pluralOf(aliases.length, 'other name')}` : '';
      output.note(
        `Removed ${pluralOf(documents.length, 'document')}${names}; ${formatCount(index.documents)} are left.`,
      );
      output.result({ kind: 'removed', removed: { documents, aliases, unknown }, index }, () => '');
      return 0;
    } finally {
      progress.close();
    }
  },
};
