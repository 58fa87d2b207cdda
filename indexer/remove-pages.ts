import {
  type Clock,
  type NormalUrl,
  type OpenSegment,
  openGeneration,
  type SiteFilter,
  systemClock,
  urlKey,
} from '../shards/index.ts';
import { openPageLogWriter } from './archive/page-log-writer.ts';
import { failIndexer } from './errors.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { readAliases } from './read-aliases.ts';

export interface RemovePagesOptions {
  /** The caller holds its writer lock. */
  readonly folder: DataFolder;
  readonly urls: readonly NormalUrl[];
  /** All documents of these hosts, and under these paths. */
  readonly sites: readonly SiteFilter[];
  readonly clock?: Clock;
}

export interface RemovedPages {
  /** Documents that are to leave the index. */
  readonly documents: readonly NormalUrl[];
  /** Other names of theirs, which go with them: else a duplicate would stand in for its removed twin. */
  readonly aliases: readonly NormalUrl[];
  /** Asked for, but not in the index. */
  readonly unknown: readonly NormalUrl[];
}

/**
 * Writes into the page log that documents are gone, so that the next index leaves them out and goes on doing so until a
 * crawl or an import brings them again. Another name of a document stands for the document. Errors:
 * INDEXER_NOTHING_TO_REMOVE, those of reading the index and of the page log.
 */
export const removePages = async (options: RemovePagesOptions): Promise<RemovedPages> => {
  const { folder, clock = systemClock } = options;
  const found = await findPages(options);
  if (found.documents.length === 0) throw failIndexer('INDEXER_NOTHING_TO_REMOVE', { folder: folder.root });
  await using log = await openPageLogWriter(folder.pages);
  const fetchedAtMs = clock.nowMs();
  for (const url of [...found.documents, ...found.aliases]) {
    await log.append({ kind: 'gone', url, status: 0, fetchedAtMs, reason: 'removed' });
  }
  await log.sync();
  return found;
};

const findPages = async ({ folder, urls, sites }: RemovePagesOptions): Promise<RemovedPages> => {
  const aliases = await readAliases(folder);
  const generation = await openGeneration(folder.shards);
  try {
    const segments = generation.shards.flat();
    const wanted = urls.map((url) => aliases.get(url) ?? url);
    const isLive = (url: NormalUrl): boolean => segments.some((segment) => holds(segment, url));
    const ofSites = segments.flatMap((segment) => sites.flatMap((site) => liveOfSite(segment, site)));
    const documents = new Set([...wanted.filter(isLive), ...ofSites]);
    return {
      documents: [...documents],
      aliases: [...aliases].filter(([, target]) => documents.has(target)).map(([alias]) => alias),
      unknown: urls.filter((_, index) => !documents.has(wanted[index] as NormalUrl)),
    };
  } finally {
    generation.close();
  }
};

const holds = (segment: OpenSegment, url: NormalUrl): boolean => {
  const doc = segment.find(urlKey(url));
  return doc >= 0 && segment.deletes?.has(doc) !== true;
};

const liveOfSite = (segment: OpenSegment, site: SiteFilter): NormalUrl[] => {
  const documents = segment.site(site);
  if (segment.deletes !== undefined) documents.andNotInPlace(segment.deletes);
  return Array.from(documents, (doc) => segment.stored(doc).url);
};
