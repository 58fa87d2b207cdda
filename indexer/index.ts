export { openPageLogReader } from './archive/page-log-reader.ts';
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
export { failIndexer, indexerErrors } from './errors.ts';
