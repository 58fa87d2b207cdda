import { join } from 'node:path';
import { builtProgram } from '../paths.ts';
import { jsonLines, runSuccessfully } from '../program.ts';

/** One known URL, as `quarry export --json` tells it. */
export interface ExportedUrl {
  readonly url: string;
  readonly status: string | number;
  readonly type?: string;
  readonly duplicateOf?: string;
  readonly redirectTo?: string;
  readonly error?: string;
}

/** The last object that `crawl-and-index --json` prints. */
export interface CrawlSummaryRow {
  readonly kind: 'summary';
  readonly crawl: { readonly asked: number; readonly byStatus: Readonly<Record<string, number>> };
  readonly index?: { readonly documents: number; readonly duplicates: number };
}

export const summaryOf = (stdout: string): CrawlSummaryRow | undefined =>
  jsonLines<CrawlSummaryRow>(stdout).findLast(({ kind }) => kind === 'summary');

/** What Quarry puts into the index: the media types of indexer/jobs/indexable.ts, named here once more by intent. */
const INDEXED_TYPES = new Set(['text/html', 'application/xhtml+xml', 'text/plain', 'text/markdown']);

export const isIndexedType = (type: string | undefined): boolean => INDEXED_TYPES.has(type ?? '');

export const crawlFolder = (workFolder: string): string => join(workFolder, 'crawl');

/** Runs `quarry` and gives the objects that it printed. */
export const quarryRows = async <Row>(words: readonly string[]): Promise<Row[]> => {
  const [command = '', ...rest] = words;
  const { stdout } = await runSuccessfully(process.execPath, [
    builtProgram('quarry'),
    command,
    ...rest,
    '--json',
  ]);
  return jsonLines<Row>(stdout);
};

export const exportedUrls = (data: string): Promise<ExportedUrl[]> => quarryRows(['export', '--data', data]);

/** The first number that stands under one of the names, at any depth; undefined when there is none. */
export const numberNamed = (value: unknown, names: readonly string[]): number | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const own = entries.find(([name, found]) => names.includes(name) && typeof found === 'number');
  if (own !== undefined) return own[1] as number;
  for (const [, inner] of entries) {
    const found = numberNamed(inner, names);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Documents in the index, as `quarry status` counts them. */
export const indexedCount = async (data: string): Promise<number | undefined> =>
  numberNamed(await quarryRows(['status', '--data', data]), ['documents', 'docs', 'documentCount']);
