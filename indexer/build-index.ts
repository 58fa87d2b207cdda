import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Clock,
  type EpochNumber,
  openIndexWriter,
  publishStatistics,
  QuarryError,
  StaticScores,
  systemClock,
  type WriterOptions,
} from '../shards/index.ts';
import { findTrustedEnd } from './archive/end-file.ts';
import { openPageLogReader } from './archive/page-log-reader.ts';
import type { LogEnd } from './archive/record.ts';
import { type IndexerConfig, indexerConfig } from './config.ts';
import { failIndexer } from './errors.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { requireDiskBytes } from './folder/free-space.ts';
import { measureFolder } from './folder/measure-folder.ts';
import { staticScore } from './jobs/build-documents.ts';
import { openScratchFolder, type ScratchFolder } from './jobs/scratch-folder.ts';
import { type LogSurvey, surveyLog } from './jobs/survey-log.ts';
import { moveShards } from './move-shards.ts';
import { settingsOf, weightsFor } from './settings.ts';
import { type IndexMemory, readIndexMemory } from './tables/index-memory.ts';
import { writeChanges } from './write-changes.ts';

export interface IndexProgress {
  /** What is being done, in words: the name of a job, 'documents', 'shards'. */
  readonly step: string;
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

export interface BuildIndexOptions {
  /** The caller holds its writer lock. */
  readonly folder: DataFolder;
  /** Settings of config.ts. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Makes everything anew, whatever the index remembers. */
  readonly rebuild?: boolean;
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export interface IndexSummary {
  readonly documents: number;
  /** Documents that were analysed. */
  readonly updated: number;
  /** Documents that left the index; 0 when everything was made anew. */
  readonly removed: number;
  /** Whether everything was made anew, with the in-links of today. */
  readonly isRebuilt: boolean;
  /** Pages with the same text as another one, which stands for them. */
  readonly duplicates: number;
  /** Redirects that lead to a document. */
  readonly redirects: number;
  readonly shards: number;
  readonly generation: number;
  readonly epoch: EpochNumber;
  /** Length of the generation's files. */
  readonly bytes: number;
  readonly durationMs: number;
}

const DOCUMENTS_BETWEEN_REPORTS = 64;
/**
 * When so large a part of the documents has changed since everything was last made anew, it is made anew again: link texts
 * and static scores are those of that moment.
 */
const REBUILD_SHARE = 0.1;

/**
 * Brings the index up to what the page log says: reads only what is new in the log and changes only the documents that are
 * new, changed, gone, or no longer (or again) duplicates, in one commit; when another number of shards is asked for, slots are
 * moved before, which is a commit of its own. Everything is made anew, as a new generation,
 * when `rebuild` asks for it, when there is no index that remembers its log, when the settings are others, when the log
 * is shorter than it was, or when a tenth of the documents have changed since the last time. Then the statistics are
 * published. Until the commit, and after any failure or abort before it, the index stays as it is. When the statistics
 * cannot be published, the new commit serves with those before, or, if it is the first, searches fail with
 * SHARDS_NO_STATISTICS until an index is made again. Errors: INDEXER_DISK_LOW when everything is made anew and less
 * than half of the log's length is free (an index has rarely less), INDEXER_NOTHING_TO_INDEX, INDEXER_SCRATCH_DISK_FULL, those of
 * reading the page log and of writing shards.
 */
export const buildIndex = async (options: BuildIndexOptions): Promise<IndexSummary> => {
  const { folder, clock = systemClock, rebuild = false } = options;
  const config = indexerConfig.parse(options.config);
  const startedMs = clock.monotonicMs();
  await using scratch = await openScratchFolder(folder, 'index');
  const end = await findTrustedEnd(folder.pages);
  const remembered = rebuild ? undefined : await usableMemory(options, config, end);
  const { survey, memory } = await surveyChanges({ scratch, config, options }, remembered);
  if (survey.documentCount === 0 && memory === undefined)
    throw failIndexer('INDEXER_NOTHING_TO_INDEX', { folder: folder.root });
  const highTierThreshold = memory?.state.highTierThreshold ?? (await highTierThresholdOf(survey, config));
  const how = { rebuild: memory === undefined, highTierThreshold };
  await using writer = await openIndexWriter(writerOptions(folder, config, how));
  const source = openPageLogReader(folder.pages);
  const onDocument = reporter(options, memory === undefined ? survey.documentCount : survey.changeCount);
  const counts = await writeChanges({
    survey,
    memory,
    highTierThreshold,
    source,
    end,
    config,
    writer,
    onDocument,
  });
  options.onProgress?.({ step: 'shards', done: 0, total: config.shards });
  await writer.commit();
  const epoch = await publishStatistics({ shardsFolder: folder.shards, statsFolder: folder.stats, clock });
  const { generation } = await writer.settle();
  return {
    documents: survey.documentCount,
    ...counts,
    isRebuilt: memory === undefined,
    duplicates: survey.duplicates.size,
    redirects: survey.aliases.size - survey.duplicates.size,
    shards: config.shards,
    generation,
    epoch,
    bytes: (await measureFolder(writer.folder)).lengthBytes,
    durationMs: clock.monotonicMs() - startedMs,
  };
};

/** Tells how many documents are done, now and then; stops when the signal says so. */
const reporter =
  ({ onProgress, signal }: BuildIndexOptions, total: number) =>
  (done: number): void => {
    if (done % DOCUMENTS_BETWEEN_REPORTS !== 0 && done !== total) return;
    signal?.throwIfAborted();
    onProgress?.({ step: 'documents', done, total });
  };

/** The static score from which on a page is one of the best, over the whole index. */
const highTierThresholdOf = async (survey: LogSurvey, config: IndexerConfig): Promise<number> => {
  const scores = new StaticScores();
  for await (const inLinks of survey.linksToDocuments(config)) scores.add(staticScore(inLinks, config));
  return scores.highTierThreshold();
};

const writerOptions = (
  folder: DataFolder,
  config: IndexerConfig,
  how: Pick<WriterOptions, 'rebuild' | 'highTierThreshold'>,
): WriterOptions => ({
  folder: folder.shards,
  shardCount: config.shards,
  analyser: config.analyzer,
  weights: weightsFor(config.analyzer),
  memoryBytes: config.memoryBytes,
  ...how,
});

/**
 * What the index remembers, if its settings are these and the log goes on from there. Of an index of another number of shards
 * the slots are moved first.
 */
const usableMemory = async (
  { folder, onProgress, signal }: BuildIndexOptions,
  config: IndexerConfig,
  end: LogEnd,
): Promise<IndexMemory | undefined> => {
  const { shards } = config;
  try {
    const memory = await readIndexMemory(folder.shards);
    if (memory?.state.settings !== settingsOf(config)) return undefined;
    if (memory.state.end.recordCount > end.recordCount) return undefined;
    if (memory.info.shardCount === shards) return memory;
    await moveShards({
      folder,
      shards,
      onProgress: (done, total) => onProgress?.({ step: 'shards', done, total }),
      ...(signal === undefined ? {} : { signal }),
    });
    return await readIndexMemory(folder.shards);
  } catch (error) {
    // What is damaged or of another version is made anew, and what there is no room to move.
    if (error instanceof QuarryError) return undefined;
    throw error;
  }
};

interface SurveyTask {
  readonly scratch: ScratchFolder;
  readonly config: IndexerConfig;
  readonly options: BuildIndexOptions;
}

/** Surveys what is new in the log, or all of it when too much of the index is no longer as it was made. */
const surveyChanges = async (
  task: SurveyTask,
  memory: IndexMemory | undefined,
): Promise<{ readonly survey: LogSurvey; readonly memory: IndexMemory | undefined }> => {
  if (memory !== undefined) {
    const survey = await surveyFrom(task, memory);
    const changed = memory.state.changedSince + survey.changeCount;
    // An index that loses all its documents is no reason to refuse, as one that never had any is.
    const isEmptied = survey.documentCount === 0;
    if (isEmptied || changed <= REBUILD_SHARE * memory.state.rebuiltDocuments) return { survey, memory };
  }
  return { survey: await surveyFrom(task, undefined), memory: undefined };
};

const surveyFrom = async (
  { scratch, config, options }: SurveyTask,
  memory: IndexMemory | undefined,
): Promise<LogSurvey> => {
  const { folder, onProgress, signal } = options;
  const known = memory && {
    end: memory.state.end,
    pages: () => memory.pages(),
    inLinks: () => memory.inLinks(),
  };
  if (known === undefined)
    await requireDiskBytes(folder.root, (await measureFolder(folder.pages)).lengthBytes / 2);
  const scratchFolder = join(scratch.path, known === undefined ? 'all' : 'new');
  await mkdir(scratchFolder);
  return surveyLog(openPageLogReader(folder.pages), {
    scratchFolder,
    known,
    memoryBytes: config.memoryBytes,
    onProgress: ({ job, phase, doneCount }) => {
      // Reducing goes on while the next step takes the output, which tells its own progress.
      if (phase === 'map') onProgress?.({ step: job, done: doneCount, total: 0 });
    },
    ...(signal === undefined ? {} : { signal }),
  });
};
