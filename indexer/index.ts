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
