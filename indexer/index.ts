export { openPageLogReader } from './archive/page-log-reader.ts';
export type { PageLogStatus } from './archive/page-log-status.ts';
export { pageLogStatus } from './archive/page-log-status.ts';
export type { PageLogWriter, PageLogWriterOptions } from './archive/page-log-writer.ts';
export { openPageLogWriter } from './archive/page-log-writer.ts';
export type {
  GoneRecord,
  LogLocation,
  LogRecord,
  PageLink,
  PageRecord,
  PageSink,
  PageSource,
  RedirectRecord,
  RobotsFlags,
} from './archive/record.ts';
export type { BuildIndexOptions, IndexProgress, IndexSummary } from './build-index.ts';
export { buildIndex } from './build-index.ts';
export type { IndexerConfig } from './config.ts';
export { indexerConfig } from './config.ts';
export { failIndexer, indexerErrors } from './errors.ts';
export type { ExportOptions, ExportRow, ExtraExportField } from './export.ts';
export { EXTRA_EXPORT_FIELDS, exportRows } from './export.ts';
export type { DataFolder } from './folder/data-folder.ts';
export { DATA_FOLDER_VERSION, ensureDataFolder, openDataFolder } from './folder/data-folder.ts';
export { freeDiskBytes, requireDiskBytes } from './folder/free-space.ts';
export type { FolderSize } from './folder/measure-folder.ts';
export { measureFolder } from './folder/measure-folder.ts';
export type { WriterLock } from './folder/writer-lock.ts';
export { lockDataFolder } from './folder/writer-lock.ts';
export type {
  ImportFilesOptions,
  ImportOptions,
  ImportSummary,
  RollbackSink,
} from './import/import-documents.ts';
export { importDocuments, importFiles } from './import/import-documents.ts';
export type { Normalise } from './import/import-line.ts';
export type { MoveShardsOptions } from './move-shards.ts';
export { moveShards } from './move-shards.ts';
export { readAliases } from './read-aliases.ts';
export type { RemovedPages, RemovePagesOptions } from './remove-pages.ts';
export { removePages } from './remove-pages.ts';
export { readIndexSettings } from './tables/read-index-settings.ts';
