import { ALIASES, type IndexWriter, writeAliases } from '../shards/index.ts';
import type { LogEnd, LogLocation, PageSource } from './archive/record.ts';
import type { IndexerConfig } from './config.ts';
import { buildDocument } from './jobs/build-documents.ts';
import { type LatestPage, withoutBody } from './jobs/latest-records.ts';
import type { KnownPage } from './jobs/page-changes.ts';
import type { LogSurvey, SurveyChange } from './jobs/survey-log.ts';
import { isSingleField, settingsOf } from './settings.ts';
import { attachInLinks, attachPages, attachState, type IndexMemory } from './tables/index-memory.ts';

export interface WriteChangesOptions {
  readonly survey: LogSurvey;
  /** What the index remembered; undefined when it is made anew. */
  readonly memory: IndexMemory | undefined;
  /** Static score from which on a document is one of the best. */
  readonly highTierThreshold: number;
  readonly source: PageSource;
  /** End of the log when the survey began. */
  readonly end: LogEnd;
  readonly config: IndexerConfig;
  readonly writer: IndexWriter;
  /** Called after each document, with the number of them; may throw to stop. */
  readonly onDocument: (done: number) => void;
}

export interface ChangeCounts {
  /** Documents that were analysed. */
  readonly updated: number;
  /** Documents that left the index. */
  readonly removed: number;
}

/**
 * Gives the writer what a survey found: documents to put in, documents to take out, and what the index is to remember of
 * the log; all of it belongs to the writer's next commit.
 */
export const writeChanges = async (options: WriteChangesOptions): Promise<ChangeCounts> => {
  const { survey, memory, highTierThreshold, end, config, writer } = options;
  const counts = { updated: 0, removed: 0 };
  // The documents are written as their rows are asked for.
  await attachPages(writer, applyChanges(options, counts));
  if (memory === undefined) await attachInLinks(writer, survey.inLinks(config));
  await writer.attach(ALIASES, (file) => writeAliases(file, survey.aliases));
  const changed = counts.updated + counts.removed;
  await attachState(writer, {
    end,
    settings: settingsOf(config),
    highTierThreshold,
    rebuiltDocuments: memory?.state.rebuiltDocuments ?? survey.documentCount,
    changedSince: memory === undefined ? 0 : memory.state.changedSince + changed,
  });
  return counts;
};

async function* applyChanges(
  options: WriteChangesOptions,
  counts: { updated: number; removed: number },
): AsyncGenerator<KnownPage> {
  const { survey, config, writer, onDocument } = options;
  const settings = { ...config, isSingleField: isSingleField(config.analyzer) };
  for await (const change of survey.changes(config)) {
    const { url, sketch, location, isDocument, wasIndexed, isChanged } = change;
    if (isDocument && (isChanged || !wasIndexed)) {
      const document = buildDocument(await pageOf(change, options.source), change.inLinks, settings);
      await (wasIndexed ? writer.update(document) : writer.add(document));
      counts.updated += 1;
      onDocument(counts.updated);
    } else if (!isDocument && wasIndexed) {
      await writer.remove(url);
      counts.removed += 1;
    }
    if (sketch === undefined) continue;
    yield { sketch, ...(location === undefined ? {} : { location }), isIndexed: isDocument };
  }
}

/** The new record, else the one in the log: of a page that stands for itself since its duplicate is gone. */
const pageOf = async ({ page, location }: SurveyChange, source: PageSource): Promise<LatestPage> => {
  if (page !== undefined) return page;
  const record = await source.read(location as LogLocation);
  if (record.kind === 'page') return withoutBody(record);
  throw new Error(`the log has no page where ${record.url} was indexed from`);
};
