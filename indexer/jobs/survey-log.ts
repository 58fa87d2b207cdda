import { join } from 'node:path';
import { type NormalUrl, segmentOrderKey } from '../../shards/index.ts';
import type { LogEnd, PageSource } from '../archive/record.ts';
import { mergeJoin } from '../mapreduce/merge-join.ts';
import { loadRows, RowWriter } from '../mapreduce/row-file.ts';
import { type JobProgress, runJob } from '../mapreduce/run-job.ts';
import { type AnchorLimits, collectInLinks, type InLinks } from './collect-in-links.ts';
import { electDuplicates } from './elect-duplicates.ts';
import { isIndexable } from './indexable.ts';
import { invertLinks } from './invert-links.ts';
import { type LatestPage, type LatestRecord, type LocatedRecord, latestRecords } from './latest-records.ts';
import { type KnownPage, type PageChange, pageChanges } from './page-changes.ts';
import type { PageSketch } from './page-sketch.ts';
import { resolveAliases } from './resolve-aliases.ts';

/** What an index knew of a log before the part that is surveyed. */
export interface KnownLog {
  /** End of the part that it knew. */
  readonly end: LogEnd;
  readonly pages: () => AsyncIterable<KnownPage>;
  readonly inLinks: () => AsyncIterable<InLinks>;
}

export interface SurveyOptions {
  /** Exists; holds the intermediate files, which whoever made the folder removes. */
  readonly scratchFolder: string;
  readonly memoryBytes: number;
  /** Left out, the whole log is read. */
  readonly known?: KnownLog | undefined;
  readonly onProgress?: (progress: JobProgress) => void;
  readonly signal?: AbortSignal;
}

/** One URL of the log. */
export interface SurveyEntry {
  readonly record: LatestRecord;
  /** undefined when nothing links to it, or in-links were not asked for. */
  readonly inLinks: InLinks | undefined;
}

/** One URL of what was known and what is new, with what is needed to index it. */
export interface SurveyChange extends PageChange {
  /** Whether it is to be a document of the index: a page that is no duplicate. */
  readonly isDocument: boolean;
  /** The new record, when it is a page. */
  readonly page: LatestPage | undefined;
  readonly inLinks: InLinks | undefined;
}

/** What a page log says as a whole, after the jobs that look at all of it. */
export interface LogSurvey {
  /** All URLs with a new record, in segment order; with `limits` the links are inverted for it. */
  entries(limits?: AnchorLimits): AsyncIterable<SurveyEntry>;
  /** All URLs that are to be indexed or were, in segment order. */
  changes(limits: AnchorLimits): AsyncIterable<SurveyChange>;
  /** What links to each document, undefined where nothing does. */
  linksToDocuments(limits: AnchorLimits): AsyncIterable<InLinks | undefined>;
  /** In-links of all targets in segment order; the links are inverted for them. */
  inLinks(limits: AnchorLimits): AsyncIterable<InLinks>;
  /** Every alias that leads to a document, with that document. */
  readonly aliases: ReadonlyMap<NormalUrl, NormalUrl>;
  /** Pages that show the same as another one, which is indexed in their place. */
  readonly duplicates: ReadonlyMap<NormalUrl, NormalUrl>;
  readonly documentCount: number;
  /** Documents that have to be analysed, or taken out. */
  readonly changeCount: number;
}

/** The files in the scratch folder, each written once. */
interface SurveyFiles {
  readonly latest: () => AsyncIterable<LatestRecord>;
  readonly changes: () => AsyncIterable<PageChange>;
}

/**
 * Reads the new part of a page log once and runs the jobs of the first half over it and what was known: latest records,
 * duplicates, aliases.
 */
export const surveyLog = async (source: PageSource, options: SurveyOptions): Promise<LogSurvey> => {
  const { known } = options;
  const jobOptions = (name: string): SurveyOptions => ({
    ...options,
    scratchFolder: join(options.scratchFolder, name),
  });
  const records = runJob(latestRecords, recordsOf(source, options), jobOptions('latest-runs'));
  const files = await storeRecords(records, options);
  const duplicates = new Map<NormalUrl, NormalUrl>();
  const elected = runJob(electDuplicates, sketchesOf(files), jobOptions('duplicate-runs'));
  for await (const { url, kept } of elected) duplicates.set(url, kept);
  const counts = await nameAliases(files, duplicates);

  const { aliases } = counts;
  const inLinksPath = join(options.scratchFolder, 'in-links');
  const resolve = (url: NormalUrl): NormalUrl => aliases.get(url) ?? url;
  const isSource = (record: LatestRecord): record is LatestPage =>
    record.kind === 'page' && !duplicates.has(record.url);
  const invert = async (limits: AnchorLimits): Promise<void> => {
    const rows = runJob(invertLinks(resolve), filter(files.latest(), isSource), jobOptions('link-runs'));
    await storeRows(collectInLinks(rows, limits), inLinksPath);
  };
  let inverted: Promise<void> | undefined;
  const inLinks = async function* (limits: AnchorLimits): AsyncGenerator<InLinks> {
    if (known !== undefined) return yield* known.inLinks();
    await (inverted ??= invert(limits));
    yield* loadRows<InLinks>(inLinksPath);
  };
  const entries = (limits?: AnchorLimits): AsyncIterable<SurveyEntry> =>
    withInLinks(files.latest(), limits === undefined ? nothing() : inLinks(limits));
  const changes = (limits: AnchorLimits) => changesWith(files, inLinks(limits), duplicates);
  const linksToDocuments = async function* (limits: AnchorLimits): AsyncGenerator<InLinks | undefined> {
    const keyOf = { left: orderOf, right: targetOrderOf };
    for await (const [change, links] of mergeJoin(files.changes(), inLinks(limits), keyOf)) {
      if (isDocument(change, duplicates)) yield links;
    }
  };
  return { entries, changes, linksToDocuments, inLinks, duplicates, ...counts };
};

const orderOf = ({ url }: { readonly url: NormalUrl }): string => segmentOrderKey(url);
const targetOrderOf = ({ target }: InLinks): string => segmentOrderKey(target);

async function* withInLinks(
  records: AsyncIterable<LatestRecord>,
  targets: AsyncIterable<InLinks>,
): AsyncGenerator<SurveyEntry> {
  const keyOf = { left: orderOf, right: targetOrderOf };
  for await (const [record, inLinks] of mergeJoin(records, targets, keyOf)) yield { record, inLinks };
}

async function* changesWith(
  files: SurveyFiles,
  targets: AsyncIterable<InLinks>,
  duplicates: LogSurvey['duplicates'],
): AsyncGenerator<SurveyChange> {
  const withRecords = mergeJoin(files.changes(), files.latest(), { left: orderOf, right: orderOf });
  const keyOf = {
    left: ([change]: readonly [PageChange, LatestRecord | undefined]) => orderOf(change),
    right: targetOrderOf,
  };
  for await (const [[change, record], inLinks] of mergeJoin(withRecords, targets, keyOf)) {
    const page = record !== undefined && isIndexable(record) ? record : undefined;
    yield { ...change, isDocument: isDocument(change, duplicates), page, inLinks };
  }
}

const isDocument = ({ url, sketch }: PageChange, duplicates: LogSurvey['duplicates']): boolean =>
  sketch?.kind === 'document' && !duplicates.has(url);

async function* recordsOf(
  source: PageSource,
  { signal, known }: SurveyOptions,
): AsyncGenerator<LocatedRecord> {
  for await (const { record, location } of source.records(signal, known?.end)) {
    yield record.kind === 'page' ? { ...record, location } : record;
  }
}

const storeRows = async <Row>(rows: AsyncIterable<Row>, path: string): Promise<void> => {
  await using writer = await RowWriter.open<Row>(path);
  for await (const row of rows) await writer.write(row);
};

/** Stores the new records, and beside them the few bytes of each URL that the next jobs look at. */
const storeRecords = async (
  records: AsyncIterable<LatestRecord>,
  { scratchFolder, known }: SurveyOptions,
): Promise<SurveyFiles> => {
  const latestPath = join(scratchFolder, 'latest');
  const changesPath = join(scratchFolder, 'changes');
  const latest = (): AsyncIterable<LatestRecord> => loadRows<LatestRecord>(latestPath);
  await storeRows(records, latestPath);
  await storeRows(pageChanges(known?.pages() ?? nothing(), latest()), changesPath);
  return { latest, changes: () => loadRows<PageChange>(changesPath) };
};

async function* nothing(): AsyncGenerator<never> {}

async function* sketchesOf({ changes }: SurveyFiles): AsyncGenerator<PageSketch> {
  for await (const { sketch } of changes()) if (sketch !== undefined) yield sketch;
}

/** Redirects and duplicates, followed to the document at their end; those that end nowhere are left out. */
const nameAliases = async (
  files: SurveyFiles,
  duplicates: LogSurvey['duplicates'],
): Promise<Pick<LogSurvey, 'aliases' | 'documentCount' | 'changeCount'>> => {
  const direct = new Map(duplicates);
  for await (const sketch of sketchesOf(files)) {
    if (sketch.kind === 'redirect') direct.set(sketch.url, sketch.target);
  }
  const resolved = resolveAliases(direct);
  const ends = new Set(resolved.values());
  const documents = new Set<NormalUrl>();
  let documentCount = 0;
  let changeCount = 0;
  for await (const change of files.changes()) {
    const { url, wasIndexed, isChanged } = change;
    const isWanted = isDocument(change, duplicates);
    if (isWanted ? isChanged || !wasIndexed : wasIndexed) changeCount += 1;
    if (!isWanted) continue;
    documentCount += 1;
    if (ends.has(url)) documents.add(url);
  }
  const aliases = new Map([...resolved].filter(([, end]) => documents.has(end)));
  return { aliases, documentCount, changeCount };
};

async function* filter<Item, Kept extends Item>(
  items: AsyncIterable<Item>,
  keep: (item: Item) => item is Kept,
): AsyncGenerator<Kept> {
  for await (const item of items) if (keep(item)) yield item;
}
