import { join } from 'node:path';
import { type NormalUrl, segmentOrderKey } from '../../shards/index.ts';
import type { LogRecord, PageSource } from '../archive/record.ts';
import { mergeJoin } from '../mapreduce/merge-join.ts';
import { loadRows, RowWriter } from '../mapreduce/row-file.ts';
import { type JobProgress, runJob } from '../mapreduce/run-job.ts';
import { type AnchorLimits, collectInLinks, type InLinks } from './collect-in-links.ts';
import { electDuplicates } from './elect-duplicates.ts';
import { isIndexable } from './indexable.ts';
import { invertLinks } from './invert-links.ts';
import { type LatestPage, type LatestRecord, latestRecords } from './latest-records.ts';
import { type PageSketch, sketchOf } from './page-sketch.ts';
import { resolveAliases } from './resolve-aliases.ts';

export interface SurveyOptions {
  /** Exists; holds the intermediate files, which whoever made the folder removes. */
  readonly scratchFolder: string;
  readonly memoryBytes: number;
  readonly onProgress?: (progress: JobProgress) => void;
  readonly signal?: AbortSignal;
}

/** One URL of the log. */
export interface SurveyEntry {
  readonly record: LatestRecord;
  /** undefined when nothing links to it, or in-links were not asked for. */
  readonly inLinks: InLinks | undefined;
}

/** The links of a page log, turned round once and kept on disk. */
export interface InvertedLinks {
  /** All URLs in segment order, with what links to them. */
  entries(): AsyncIterable<SurveyEntry>;
  /** What links to each document, undefined where nothing does; reads little more than the links. */
  toDocuments(): AsyncIterable<InLinks | undefined>;
}

/** What a page log says as a whole, after the jobs that look at all of it. */
export interface LogSurvey {
  /** All URLs in segment order; with `limits` the links are inverted for it. */
  entries(limits?: AnchorLimits): AsyncIterable<SurveyEntry>;
  /** The links for several readers; the scratch folder keeps them. Once a survey. */
  invertLinks(limits: AnchorLimits): Promise<InvertedLinks>;
  /** Whether a record of `entries` becomes a document. */
  isDocument(record: LatestRecord): record is LatestPage;
  /** Every alias that leads to a document, with that document. */
  readonly aliases: ReadonlyMap<NormalUrl, NormalUrl>;
  /** Pages that show the same as another one, which is indexed in their place. */
  readonly duplicates: ReadonlyMap<NormalUrl, NormalUrl>;
  readonly documentCount: number;
}

/** Reads a page log once and runs the jobs of the first half: latest records, duplicates, aliases. */
export const surveyLog = async (source: PageSource, options: SurveyOptions): Promise<LogSurvey> => {
  const latestPath = join(options.scratchFolder, 'latest');
  const sketchPath = join(options.scratchFolder, 'sketches');
  const jobOptions = (name: string): SurveyOptions => ({
    ...options,
    scratchFolder: join(options.scratchFolder, name),
  });
  const latest = (): AsyncIterable<LatestRecord> => loadRows<LatestRecord>(latestPath);
  const sketches = (): AsyncIterable<PageSketch> => loadRows<PageSketch>(sketchPath);

  const records = runJob(latestRecords, recordsOf(source, options.signal), jobOptions('latest-runs'));
  await storeLatest(records, latestPath, sketchPath);
  const duplicates = new Map<NormalUrl, NormalUrl>();
  for await (const { url, kept } of runJob(electDuplicates, sketches(), jobOptions('duplicate-runs'))) {
    duplicates.set(url, kept);
  }
  const { aliases, documentCount } = await nameAliases(sketches, duplicates);

  const resolve = (url: NormalUrl): NormalUrl => aliases.get(url) ?? url;
  const isSource = (record: LatestRecord): record is LatestPage =>
    record.kind === 'page' && !duplicates.has(record.url);
  const isDocument = (record: LatestRecord): record is LatestPage => isSource(record) && isIndexable(record);
  const targetsOf = (limits: AnchorLimits): AsyncIterable<InLinks> =>
    collectInLinks(runJob(invertLinks(resolve), filter(latest(), isSource), jobOptions('link-runs')), limits);
  const entries = (limits?: AnchorLimits): AsyncIterable<SurveyEntry> =>
    limits === undefined ? withoutInLinks(latest()) : withInLinks(latest(), targetsOf(limits));
  const keepLinks = async (limits: AnchorLimits): Promise<InvertedLinks> => {
    const path = join(options.scratchFolder, 'in-links');
    await storeRows(targetsOf(limits), path);
    const targets = (): AsyncIterable<InLinks> => loadRows<InLinks>(path);
    return {
      entries: () => withInLinks(latest(), targets()),
      toDocuments: () => linksToDocuments(sketches(), duplicates, targets()),
    };
  };
  return { entries, invertLinks: keepLinks, isDocument, aliases, duplicates, documentCount };
};

const storeRows = async <Row>(rows: AsyncIterable<Row>, path: string): Promise<void> => {
  await using writer = await RowWriter.open<Row>(path);
  for await (const row of rows) await writer.write(row);
};

async function* linksToDocuments(
  sketches: AsyncIterable<PageSketch>,
  duplicates: ReadonlyMap<NormalUrl, NormalUrl>,
  targets: AsyncIterable<InLinks>,
): AsyncGenerator<InLinks | undefined> {
  const keyOf = {
    left: ({ url }: PageSketch) => segmentOrderKey(url),
    right: ({ target }: InLinks) => segmentOrderKey(target),
  };
  for await (const [{ kind, url }, inLinks] of mergeJoin(sketches, targets, keyOf)) {
    if (kind === 'document' && !duplicates.has(url)) yield inLinks;
  }
}

async function* withoutInLinks(records: AsyncIterable<LatestRecord>): AsyncGenerator<SurveyEntry> {
  for await (const record of records) yield { record, inLinks: undefined };
}

async function* withInLinks(
  records: AsyncIterable<LatestRecord>,
  targets: AsyncIterable<InLinks>,
): AsyncGenerator<SurveyEntry> {
  const keyOf = {
    left: ({ url }: LatestRecord) => segmentOrderKey(url),
    right: ({ target }: InLinks) => segmentOrderKey(target),
  };
  for await (const [record, inLinks] of mergeJoin(records, targets, keyOf)) yield { record, inLinks };
}

async function* recordsOf(source: PageSource, signal: AbortSignal | undefined): AsyncGenerator<LogRecord> {
  for await (const { record } of source.records(signal)) yield record;
}

/** Stores the records, and beside them the few bytes of each that the next jobs look at. */
const storeLatest = async (
  records: AsyncIterable<LatestRecord>,
  latestPath: string,
  sketchPath: string,
): Promise<void> => {
  await using latest = await RowWriter.open<LatestRecord>(latestPath);
  await using sketches = await RowWriter.open<PageSketch>(sketchPath);
  for await (const record of records) {
    await latest.write(record);
    const sketch = sketchOf(record);
    if (sketch !== undefined) await sketches.write(sketch);
  }
};

/** Redirects and duplicates, followed to the document at their end; those that end nowhere are left out. */
const nameAliases = async (
  sketches: () => AsyncIterable<PageSketch>,
  duplicates: ReadonlyMap<NormalUrl, NormalUrl>,
): Promise<{ readonly aliases: ReadonlyMap<NormalUrl, NormalUrl>; readonly documentCount: number }> => {
  const direct = new Map(duplicates);
  for await (const sketch of sketches()) {
    if (sketch.kind === 'redirect') direct.set(sketch.url, sketch.target);
  }
  const resolved = resolveAliases(direct);
  const ends = new Set(resolved.values());
  const documents = new Set<NormalUrl>();
  let documentCount = 0;
  for await (const { kind, url } of sketches()) {
    if (kind !== 'document' || duplicates.has(url)) continue;
    documentCount += 1;
    if (ends.has(url)) documents.add(url);
  }
  const aliases = new Map([...resolved].filter(([, end]) => documents.has(end)));
  return { aliases, documentCount };
};

async function* filter<Item, Kept extends Item>(
  items: AsyncIterable<Item>,
  keep: (item: Item) => item is Kept,
): AsyncGenerator<Kept> {
  for await (const item of items) if (keep(item)) yield item;
}
