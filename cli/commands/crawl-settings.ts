import { crawlConfig } from '../../crawler/index.ts';
import { indexerConfig } from '../../indexer/index.ts';
import type { CommandContext } from '../command.ts';
import { option } from '../command.ts';
import { type OptionSpec, optionsOf } from '../options.ts';
import { readSeedFile } from './seed-file.ts';

export const crawlOptions: readonly OptionSpec[] = [
  option({
    flag: 'seeds',
    key: 'seedFile',
    help: 'file with one seed URL per line; - reads standard input',
    placeholder: 'FILE',
  }),
  // Seeds are positional arguments: only a settings file lists them by name.
  ...optionsOf(crawlConfig.schema).map((spec) => (spec.key === 'seeds' ? { ...spec, fileOnly: true } : spec)),
  option({
    flag: 'warc',
    kind: 'boolean',
    help: 'not in this version: write WARC files beside the page log',
  }),
];

export const indexOptions: readonly OptionSpec[] = optionsOf(indexerConfig.schema);

const pick = (
  settings: Readonly<Record<string, unknown>>,
  schema: { readonly properties: object },
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => key in schema.properties));

export const indexSettings = ({ settings }: CommandContext): Record<string, unknown> =>
  pick(settings, indexerConfig.schema);

export type CrawlSettings = ReturnType<typeof crawlConfig.parse>;

/**
 * The crawl's part of the settings, with the seeds of command line and seed file, else the list of the settings file.
 * Standard input can be read only once.
 */
export const crawlSettings = async (context: CommandContext): Promise<CrawlSettings> => {
  const { settings, positionals, misuse } = context;
  if (settings['warc'] === true) throw misuse('--warc is not in this version; the page log keeps the bodies');
  const file = settings['seedFile'];
  const fromFile = typeof file === 'string' ? await readSeedFile(file) : [];
  const typed = [...positionals, ...fromFile];
  const seeds = typed.length > 0 ? typed : ((settings['seeds'] ?? []) as readonly string[]);
  if (seeds.length === 0)
    throw misuse('name at least one URL to start from, such as https://docs.example.org');
  return crawlConfig.parse({ ...pick(settings, crawlConfig.schema), seeds });
};
