import { hasCrawl, readUrlRecords, type UrlRecord } from '../../crawler/index.ts';
import {
  type DataFolder,
  EXTRA_EXPORT_FIELDS,
  type ExportRow,
  type ExtraExportField,
  exportRows,
  openDataFolder,
} from '../../indexer/index.ts';
import { type Command, type CommandContext, option } from '../command.ts';

const EXTRA = EXTRA_EXPORT_FIELDS.join(', ');

const extraFields = ({ settings, misuse }: CommandContext): ExtraExportField[] => {
  const { fields = '' } = settings;
  const names = String(fields)
    .split(',')
    .map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const known = EXTRA_EXPORT_FIELDS.find((each) => each === name);
      if (known === undefined) throw misuse(`--fields ${name}: known extra fields are ${EXTRA}`);
      return known;
    });
};

/** A URL that the page log says nothing of: waiting, excluded or failed. */
const rowOfUrlRecord = ({
  url,
  status,
  reason,
  fetchedAtMs,
}: Readonly<UrlRecord>): Record<string, unknown> => ({
  url,
  status,
  ...(fetchedAtMs > 0 ? { fetchedAt: new Date(fetchedAtMs).toISOString() } : {}),
  ...(reason === '' ? {} : { error: reason }),
});

async function* allRows(folder: DataFolder, context: CommandContext): AsyncGenerator<ExportRow | object> {
  const logged = new Set<string>();
  const extra = extraFields(context);
  for await (const row of exportRows({ folder, extra, signal: context.signal })) {
    logged.add(row.url);
    yield row;
  }
  if (!hasCrawl(folder.crawl)) return;
  for await (const record of readUrlRecords(folder.crawl)) {
    if (!logged.has(record.url)) yield rowOfUrlRecord(record);
  }
}

export const exportCommand: Command = {
  name: 'export',
  takes: '',
  summary: 'Prints what is known of every URL, one JSON object a line.',
  options: [
    option({ flag: 'fields', help: `more fields, with commas between: ${EXTRA}`, placeholder: 'NAMES' }),
  ],
  run: async (context) => {
    const folder = await openDataFolder(context.data);
    for await (const row of allRows(folder, context)) {
      context.output.result(row, () => JSON.stringify(row));
    }
    return 0;
  },
};
