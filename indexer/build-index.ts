import {
  ALIASES,
  type Clock,
  createAnalyser,
  DEFAULT_WEIGHTS,
  type EpochNumber,
  type GenerationInfo,
  type IndexWriter,
  LUCENE_COMPAT_WEIGHTS,
  openIndexWriter,
  publishStatistics,
  StaticScores,
  systemClock,
  writeAliases,
} from '../shards/index.ts';
import { openPageLogReader } from './archive/page-log-reader.ts';
import { type IndexerConfig, indexerConfig } from './config.ts';
import { failIndexer } from './errors.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { requireDiskBytes } from './folder/free-space.ts';
import { measureFolder } from './folder/measure-folder.ts';
import { buildDocument, staticScore } from './jobs/build-documents.ts';
import { openScratchFolder } from './jobs/scratch-folder.ts';
import { type InvertedLinks, type LogSurvey, surveyLog } from './jobs/survey-log.ts';

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
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export interface IndexSummary {
  readonly documents: number;
  /** Pages with the same text as another one, which stands for them. */
  readonly duplicates: number;
  /** Redirects that lead to a document. */
  readonly redirects: number;
  readonly shards: number;
  readonly generation: number;
  readonly epoch: EpochNumber;
  /** Length of the new generation's files. */
  readonly bytes: number;
  readonly durationMs: number;
}

const DOCUMENTS_BETWEEN_REPORTS = 64;

/**
 * Builds a new generation of shards from the page log alone, puts it into force in one step, then publishes the
 * statistics over it. Until the swap, and after any failure or abort before it, the old generation serves. When the
 * statistics cannot be published, the new generation serves with those of the old one, or, if it is the first, searches
 * fail with SHARDS_NO_STATISTICS until an index is made again. Errors: INDEXER_DISK_LOW when less than half of the page log's length
 * is free (an index has rarely less), INDEXER_NOTHING_TO_INDEX, INDEXER_SCRATCH_DISK_FULL, those of reading the page
 * log and of writing shards.
 */
export const buildIndex = async (options: BuildIndexOptions): Promise<IndexSummary> => {
  const { folder, clock = systemClock, signal, onProgress } = options;
  const config = indexerConfig.parse(options.config);
  const startedMs = clock.monotonicMs();
  await requireDiskBytes(folder.root, (await measureFolder(folder.pages)).lengthBytes / 2);
  await using scratch = await openScratchFolder(folder, 'index');
  const survey = await surveyLog(openPageLogReader(folder.pages), {
    scratchFolder: scratch.path,
    memoryBytes: config.memoryBytes,
    onProgress: ({ job, phase, doneCount }) => {
      // Reducing goes on while the next step takes the output, which tells its own progress.
      if (phase === 'map') onProgress?.({ step: job, done: doneCount, total: 0 });
    },
    ...(signal === undefined ? {} : { signal }),
  });
  if (survey.documentCount === 0) throw failIndexer('INDEXER_NOTHING_TO_INDEX', { folder: folder.root });
  const { generation, path } = await writeGeneration(survey, config, options);
  const epoch = await publishStatistics({ shardsFolder: folder.shards, statsFolder: folder.stats });
  return {
    documents: survey.documentCount,
    duplicates: survey.duplicates.size,
    redirects: survey.aliases.size - survey.duplicates.size,
    shards: config.shards,
    generation,
    epoch,
    bytes: (await measureFolder(path)).lengthBytes,
    durationMs: clock.monotonicMs() - startedMs,
  };
};

const writeGeneration = async (
  survey: LogSurvey,
  config: IndexerConfig,
  options: BuildIndexOptions,
): Promise<GenerationInfo & { readonly path: string }> => {
  const isSingleField = createAnalyser(config.analyzer).isSingleField === true;
  const links = await survey.invertLinks(config);
  const writer = await openIndexWriter({
    folder: options.folder.shards,
    shardCount: config.shards,
    analyser: config.analyzer,
    // Who indexes as a peer asks with the peer's scores, and bounds prune for one table only.
    weights: isSingleField ? LUCENE_COMPAT_WEIGHTS : DEFAULT_WEIGHTS,
    memoryBytes: config.memoryBytes,
    highTierThreshold: await highTierThreshold(links, config),
    rebuild: true,
  });
  try {
    const settings = { ...config, isSingleField };
    await addDocuments({ survey, links }, writer, settings, options);
    options.onProgress?.({ step: 'shards', done: 0, total: config.shards });
    await writer.attach(ALIASES, (file) => writeAliases(file, survey.aliases));
    return { ...(await writer.commit()), path: writer.folder };
  } finally {
    await writer.close();
  }
};

/** The static score from which on a page is one of the best, over the whole index. */
const highTierThreshold = async (links: InvertedLinks, config: IndexerConfig): Promise<number> => {
  const scores = new StaticScores();
  for await (const inLinks of links.toDocuments()) scores.add(staticScore(inLinks, config));
  return scores.highTierThreshold();
};

const addDocuments = async (
  { survey, links }: { readonly survey: LogSurvey; readonly links: InvertedLinks },
  writer: IndexWriter,
  settings: IndexerConfig & { readonly isSingleField: boolean },
  { onProgress, signal }: BuildIndexOptions,
): Promise<void> => {
  let done = 0;
  const report = (): void => {
    signal?.throwIfAborted();
    onProgress?.({ step: 'documents', done, total: survey.documentCount });
  };
  for await (const { record, inLinks } of links.entries()) {
    if (!survey.isDocument(record)) continue;
    await writer.add(buildDocument(record, inLinks, settings));
    done += 1;
    if (done % DOCUMENTS_BETWEEN_REPORTS === 0) report();
  }
  report();
};
