import type { NormalUrl } from '../shards/index.ts';
import { openPageLogReader } from './archive/page-log-reader.ts';
import { type IndexerConfig, indexerConfig } from './config.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { bodyText, staticScore } from './jobs/build-documents.ts';
import type { LatestPage, LatestRecord } from './jobs/latest-records.ts';
import { openScratchFolder } from './jobs/scratch-folder.ts';
import { type LogSurvey, type SurveyEntry, surveyLog } from './jobs/survey-log.ts';

/** What the page log knows of one URL, as `quarry export` prints it. */
export interface ExportRow {
  readonly url: NormalUrl;
  readonly status: number;
  /** ISO 8601, UTC. */
  readonly fetchedAt: string;
  readonly type?: string;
  readonly bytes?: number;
  readonly title?: string;
  readonly lang?: string;
  /** The page with the same text that is indexed in its place. */
  readonly duplicateOf?: NormalUrl;
  /** Where a redirect leads in the end, or its next hop when that is not indexed. */
  readonly redirectTo?: NormalUrl;
  /** Why there is nothing to index. */
  readonly error?: string;
  readonly text?: string;
  readonly links?: LatestPage['links'];
  /** Texts of the links that lead here, the most used first. */
  readonly anchors?: readonly string[];
  readonly staticScore?: number;
}

/** Fields that are exported only when asked for. */
export const EXTRA_EXPORT_FIELDS = ['text', 'links', 'anchors', 'staticScore'] as const;
export type ExtraExportField = (typeof EXTRA_EXPORT_FIELDS)[number];

export interface ExportOptions {
  readonly folder: DataFolder;
  readonly extra?: readonly ExtraExportField[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** One row per URL of the page log, in segment order. Needs no lock: intermediate files carry the process id. */
export const exportRows = async function* (options: ExportOptions): AsyncGenerator<ExportRow> {
  const config = indexerConfig.parse(options.config);
  const extra = new Set(options.extra);
  const needsLinks = extra.has('anchors') || extra.has('staticScore');
  await using scratch = await openScratchFolder(options.folder, `export-${process.pid}`);
  const survey = await surveyLog(openPageLogReader(options.folder.pages), {
    scratchFolder: scratch.path,
    memoryBytes: config.memoryBytes,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  for await (const entry of survey.entries(needsLinks ? config : undefined)) {
    yield { ...rowOf(entry.record, survey), ...extrasOf(entry, extra, config) };
  }
};

const rowOf = (record: LatestRecord, survey: LogSurvey): ExportRow => {
  const { url, status } = record;
  const base = { url, status, fetchedAt: new Date(record.fetchedAtMs).toISOString() };
  switch (record.kind) {
    case 'gone':
      return { ...base, error: record.reason };
    case 'redirect':
      return { ...base, redirectTo: survey.aliases.get(url) ?? record.target };
    case 'page': {
      const { type, bytes, title, lang } = record;
      const duplicateOf = survey.duplicates.get(url);
      return { ...base, type, bytes, title, lang, ...(duplicateOf === undefined ? {} : { duplicateOf }) };
    }
  }
};

const extrasOf = (
  { record, inLinks }: SurveyEntry,
  extra: ReadonlySet<ExtraExportField>,
  config: IndexerConfig,
): Partial<ExportRow> => {
  if (record.kind !== 'page') return {};
  const anchors = [...(record.anchors ?? []), ...(inLinks?.anchors ?? []).map(({ text }) => text)];
  return {
    ...(extra.has('text') ? { text: bodyText(record) } : {}),
    ...(extra.has('links') ? { links: record.links } : {}),
    ...(extra.has('anchors') ? { anchors } : {}),
    ...(extra.has('staticScore') ? { staticScore: staticScore(inLinks, config) } : {}),
  };
};
