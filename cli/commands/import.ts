import { importDocuments } from '../../index.ts';
import type { Command } from '../command.ts';
import { describeIndex } from './crawl-report.ts';
import { indexOptions, indexSettings } from './crawl-settings.ts';

export const importCommand: Command = {
  name: 'import',
  takes: 'FILE…',
  summary:
    'Adds documents from .jsonl or .jsonl.gz files ({url or id, title, text, …} a line) and makes the index.',
  options: indexOptions,
  run: async (context) => {
    const { data, positionals, output, signal, progress, misuse } = context;
    if (positionals.length === 0) throw misuse('name at least one file to import');
    try {
      const summary = await importDocuments({
        data,
        files: positionals,
        settings: indexSettings(context),
        signal,
        onProgress: ({ step, done }) => progress.update(`indexing: ${step} ${done}`),
      });
      progress.close();
      output.note(describeIndex(summary));
      output.result({ kind: 'summary', index: summary }, () => '');
      return 0;
    } finally {
      progress.close();
    }
  },
};
