import type { LatestPage, LatestRecord } from './latest-records.ts';

/** Media types that become documents; all others are recorded and not searched. */
export const INDEXABLE_TYPES: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'text/markdown',
  'text/x-markdown',
]);

/** Whether a record may become a document: a page of a type with text that did not ask to be left out. */
export const isIndexable = (record: LatestRecord): record is LatestPage =>
  record.kind === 'page' && !record.robots.noindex && INDEXABLE_TYPES.has(record.type);
