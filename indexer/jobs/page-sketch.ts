import { idOfUrl, type NormalUrl } from '../../shards/index.ts';
import { isIndexable } from './indexable.ts';
import type { LatestPage, LatestRecord } from './latest-records.ts';

/** The little of a record by which duplicates and aliases are found. */
export type PageSketch =
  | {
      readonly kind: 'document';
      readonly url: NormalUrl;
      /** Hash of title and text; '' when the document is a duplicate of nothing. */
      readonly textHash: string;
    }
  | { readonly kind: 'redirect'; readonly url: NormalUrl; readonly target: NormalUrl };

/** undefined for what is neither indexed nor another name of something. */
export const sketchOf = (record: LatestRecord): PageSketch | undefined => {
  if (record.kind === 'redirect') return { kind: 'redirect', url: record.url, target: record.target };
  if (!isIndexable(record)) return undefined;
  return { kind: 'document', url: record.url, textHash: standsAlone(record) ? '' : record.textHash };
};

/**
 * Whoever imports documents with ids of their own wants each of them. And that two pages show no word at all does
 * not make them the same.
 */
const standsAlone = (page: LatestPage): boolean =>
  idOfUrl(page.url) !== undefined || (page.title === '' && page.fields.every(({ text }) => text === ''));
