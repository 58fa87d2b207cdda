import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import {
  type CrawlEvent,
  type CrawlSummary,
  crawlConfig,
  explainUrl,
  type HostResolver,
  crawl as runCrawl,
} from './crawler/index.ts';
import {
  type DataFolder,
  ensureDataFolder,
  failIndexer,
  type IndexProgress,
  type IndexSummary,
  importFiles,
  indexerConfig,
  lockDataFolder,
  openDataFolder,
  openPageLogWriter,
  type RemovedPages,
  readIndexSettings,
  removePages,
  buildIndex as runJobs,
  moveShards as runMove,
} from './indexer/index.ts';
import {
  type Answer,
  type Broker,
  createBroker,
  createServer,
  isLoopback,
  parseSite,
  queryConfig,
  type SearchOptions,
} from './query/index.ts';
import {
  connectNode,
  createShardServer,
  formatNodeAddress,
  type MoveSummary,
  type NormalUrl,
  openNode,
  parseNodeAddress,
  QuarryError,
  type ShardClient,
  type SiteFilter,
  StatisticsRefresher,
  type StoredPage,
  trustNormalUrl,
  VERSION,
} from './shards/index.ts';

export type { CrawlEvent, CrawlSummary } from './crawler/index.ts';
export type { IndexProgress, IndexSummary, RemovedPages } from './indexer/index.ts';
export type { Answer, AnswerHit, SearchOptions } from './query/index.ts';
export type { MoveSummary, StoredPage } from './shards/index.ts';
export { QuarryError, VERSION } from './shards/index.ts';

type Settings = Readonly<Record<string, unknown>>;

export interface FolderOptions {
  /** The data folder; made when it does not exist. */
  readonly data: string;
  /** Aborted: what is done is saved, the next run goes on from there. */
  readonly signal?: AbortSignal;
}

export interface CrawlOptions extends FolderOptions {
  /** Settings of crawler/config.ts; `seeds` is the one that must be there. */
  readonly settings: Settings;
  readonly onEvent?: (event: CrawlEvent) => void;
  /** Instead of the system's name service. */
  readonly resolver?: HostResolver;
}

export interface IndexOptions extends FolderOptions {
  /** Settings of indexer/config.ts. */
  readonly settings?: Settings;
  /** Makes everything anew, also what has not changed. */
  readonly rebuild?: boolean;
  readonly onProgress?: (progress: IndexProgress) => void;
}

/**
 * Runs `write` as the only writer of the data folder. A folder that this call made goes away again when `write` fails
 * before anything was kept in it, or because nothing that was kept can be indexed.
 * Errors: INDEXER_FOLDER_… (another writer, another version, not ours), and those of `write`.
 */
export const withWriter = async <Result>(
  data: string,
  write: (folder: DataFolder) => Promise<Result>,
): Promise<Result> => {
  const isNew = !existsSync(data);
  const folder = await ensureDataFolder(data);
  await using _lock = await lockDataFolder(folder);
  try {
    return await write(folder);
  } catch (error) {
    if (isNew && (isOfNoUse(error) || (await isBare(folder))))
      await rm(folder.root, { recursive: true, force: true });
    throw error;
  }
};

/** Whether what was archived is of no use to anyone: the sites have no page that may be indexed. */
const isOfNoUse = (error: unknown): boolean =>
  error instanceof QuarryError && error.code === 'INDEXER_NOTHING_TO_INDEX';

/** Whether nothing was archived in a folder. */
const isBare = async ({ pages, crawl: crawlFolder, shards }: DataFolder): Promise<boolean> => {
  const names = await Promise.all([pages, crawlFolder, shards].map((path) => readdir(path)));
  return names.every((each) => each.length === 0);
};

/** Crawls into a folder whose writer lock the caller holds. */
export const crawlFolder = async (
  folder: DataFolder,
  options: Omit<CrawlOptions, 'data'>,
): Promise<CrawlSummary> => {
  const { settings, onEvent, resolver, signal } = options;
  const config = crawlConfig.parse(settings);
  const pages = await openPageLogWriter(folder.pages);
  try {
    return await runCrawl({
      config,
      folder: folder.crawl,
      pages,
      ...(onEvent === undefined ? {} : { onProgress: onEvent }),
      ...(resolver === undefined ? {} : { resolver }),
      ...(signal === undefined ? {} : { signal }),
    });
  } finally {
    await pages.close();
  }
};

/** Brings shards and statistics up to the page log of a folder whose writer lock the caller holds. */
export const indexFolder = async (
  folder: DataFolder,
  options: Omit<IndexOptions, 'data'>,
): Promise<IndexSummary> => {
  const { settings, rebuild = false, onProgress, signal } = options;
  return runJobs({
    folder,
    rebuild,
    // What an index was made with stays unless something else is asked for.
    config: indexerConfig.parse({ ...(await readIndexSettings(folder)), ...settings }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  });
};

/** Crawls into a data folder; interrupted, it goes on at the next call. Errors: CRAWL_…, INDEXER_FOLDER_…, CONFIG_…. */
export const crawl = async ({ data, ...options }: CrawlOptions): Promise<CrawlSummary> => {
  crawlConfig.parse(options.settings);
  return withWriter(data, (folder) => crawlFolder(folder, options));
};

/** Brings the index of a data folder up to its page log, or makes it. Errors: INDEXER_…, CONFIG_…. */
export const buildIndex = async ({ data, ...options }: IndexOptions): Promise<IndexSummary> => {
  indexerConfig.parse(options.settings);
  await openDataFolder(data);
  return withWriter(data, (folder) => indexFolder(folder, options));
};

export interface MoveOptions extends FolderOptions {
  /** Shards wanted. */
  readonly shards: number;
  readonly onProgress?: (doneShards: number, totalShards: number) => void;
}

/**
 * Spreads the index of a data folder over another number of shards by moving slots; undefined when it has that many, or
 * there is none. Errors: INDEXER_…, SHARDS_….
 */
export const moveShards = async ({ data, ...options }: MoveOptions): Promise<MoveSummary | undefined> => {
  indexerConfig.parse({ shards: options.shards });
  await openDataFolder(data);
  return withWriter(data, (folder) => runMove({ folder, ...options }));
};

export interface ImportOptions extends IndexOptions {
  /** `.jsonl` or `.jsonl.gz` files. */
  readonly files: readonly string[];
}

/** Adds documents without a crawl, then brings the index up to them. A bad line changes nothing. Errors: INDEXER_…, CONFIG_…. */
export const importDocuments = async ({ data, files, ...options }: ImportOptions): Promise<IndexSummary> => {
  indexerConfig.parse(options.settings);
  return withWriter(data, async (folder) => {
    await importFiles({
      files,
      folder: folder.pages,
      normalise: (url) => explainUrl(url),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return indexFolder(folder, options);
  });
};

export interface RemoveOptions extends IndexOptions {
  readonly urls?: readonly string[];
  /** Hosts, each with an optional path prefix: all documents of them, and of the hosts below them. */
  readonly sites?: readonly string[];
}

/**
 * Takes documents out of the index, with all their names, until a crawl or an import brings them again. Errors:
 * INDEXER_BAD_REMOVAL, INDEXER_NOTHING_TO_REMOVE, CONFIG_….
 */
export const removeDocuments = async ({
  data,
  urls = [],
  sites = [],
  ...options
}: RemoveOptions): Promise<RemovedPages & { readonly index: IndexSummary }> => {
  indexerConfig.parse(options.settings);
  const asked = { urls: urls.map(removedUrl), sites: sites.map(removedSite) };
  await openDataFolder(data);
  return withWriter(data, async (folder) => {
    const removed = await removePages({ folder, ...asked });
    return { ...removed, index: await indexFolder(folder, options) };
  });
};

/** A document that was imported without a URL goes by `id:`, as answers name it. */
const removedUrl = (text: string): NormalUrl => {
  if (text.startsWith('id:')) return trustNormalUrl(text);
  const explained = explainUrl(text);
  if ('url' in explained) return explained.url;
  throw failIndexer('INDEXER_BAD_REMOVAL', { given: text, reason: explained.error });
};

const removedSite = (text: string): SiteFilter => {
  const site = parseSite(text);
  if (site !== undefined) return site;
  throw failIndexer('INDEXER_BAD_REMOVAL', { given: text, reason: 'a site is a host, perhaps with a path' });
};

/** An index open for queries. It follows new generations by itself. */
export interface SearchIndex extends AsyncDisposable {
  search(options: SearchOptions): Promise<Answer>;
  /** The stored copy of a page, undefined when the index has none. */
  page(url: string): Promise<StoredPage | undefined>;
  readonly broker: Broker;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly data: string;
  /** Settings of query/config.ts. */
  readonly settings?: Settings;
  /** Threads that search, over shared memory; 0, the default, searches in the calling thread. */
  readonly workers?: number;
}

/** Opens the index of a data folder. Errors: INDEXER_FOLDER_…, SHARDS_… (no index yet, damaged, too old, too new). */
export const openIndex = async ({ data, settings, workers = 0 }: OpenOptions): Promise<SearchIndex> => {
  const config = queryConfig.parse(settings);
  const folder = await openDataFolder(data);
  const node = await openNode({ shardsFolder: folder.shards, statsFolder: folder.stats, workers });
  return searchIndexOf(createBroker({ nodes: [node], config }));
};

const searchIndexOf = (broker: Broker): SearchIndex => {
  return {
    search: (options) => broker.search(options),
    page: (url) => broker.page(url),
    broker,
    close: () => broker.close(),
    [Symbol.asyncDispose]: () => broker.close(),
  };
};

export interface ServeOptions extends OpenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 8080; 0 takes a free one. */
  readonly port?: number;
  /** Asked of every client when given. */
  readonly token?: string;
  readonly onWarning?: (text: string) => void;
}

export interface Served extends AsyncDisposable {
  /** Of the search page. */
  readonly url: string;
  close(): Promise<void>;
}

interface FreshOptions extends Pick<ServeOptions, 'settings' | 'onWarning'> {
  readonly nodes: readonly ShardClient[];
  /** Where epochs are published; undefined leaves the statistics as they are. */
  readonly statsFolder: string | undefined;
}

/** An index over nodes whose statistics are kept fresh for as long as it is open. */
const openFreshIndex = ({ nodes, statsFolder, settings, onWarning }: FreshOptions): SearchIndex => {
  const config = queryConfig.parse(settings);
  if (statsFolder === undefined || config.statisticsIntervalMs === 0) {
    return searchIndexOf(createBroker({ nodes, config }));
  }
  const refresher = new StatisticsRefresher({
    nodes,
    statsFolder,
    intervalMs: config.statisticsIntervalMs,
    onError: sayingOnce((text) => onWarning?.(`the statistics are not refreshed: ${text}`)),
  });
  const contributions = () => refresher.status();
  const index = searchIndexOf(createBroker({ nodes, config, contributions }));
  refresher.start();
  const close = async (): Promise<void> => {
    await refresher.close();
    await index.close();
  };
  return { ...index, close, [Symbol.asyncDispose]: close };
};

/** Passes the message of an error on, unless it is the same as the one before. */
const sayingOnce = (say: (text: string) => void): ((error: unknown) => void) => {
  let last = '';
  return (error) => {
    const text = error instanceof Error ? error.message : String(error);
    if (text !== last) say(text);
    last = text;
  };
};

/**
 * Opens the index of a data folder and answers over HTTP; refreshes the global statistics meanwhile. Errors: as openIndex, and
 * QUERY_PORT_….
 */
export const serve = async (options: ServeOptions): Promise<Served> => {
  const { data, workers = 0, settings } = options;
  queryConfig.parse(settings);
  const folder = await openDataFolder(data);
  const node = await openNode({ shardsFolder: folder.shards, statsFolder: folder.stats, workers });
  return serveIndex(openFreshIndex({ ...options, nodes: [node], statsFolder: folder.stats }), options);
};

export interface ServeNodesOptions extends Omit<ServeOptions, 'data' | 'workers'> {
  /** Shard servers as HOST:PORT or [IPV6]:PORT, each shard of the index in one of them. */
  readonly nodes: readonly string[];
  /** What they ask for, if they do. */
  readonly nodeToken?: string;
  /** Refreshes the global statistics and keeps epochs here; without it the epochs of the nodes stay in force. */
  readonly statsFolder?: string;
}

/**
 * Answers over HTTP from shard servers. None need answer yet: what is missing makes answers partial until it is back.
 * Errors: SHARDS_BAD_NODE_NAME, QUERY_PORT_…, CONFIG_….
 */
export const serveNodes = async (options: ServeNodesOptions): Promise<Served> => {
  const { nodes: names, nodeToken, statsFolder } = options;
  const token = nodeToken === undefined ? {} : { token: nodeToken };
  const addresses = names.map(parseNodeAddress);
  const nodes = addresses.map((address) => connectNode({ ...address, ...token }));
  return serveIndex(openFreshIndex({ ...options, nodes, statsFolder }), options);
};

const serveIndex = async (
  index: SearchIndex,
  { host = '127.0.0.1', port = 8080, token, onWarning }: Omit<ServeOptions, 'data'>,
): Promise<Served> => {
  const server = createServer({
    broker: index.broker,
    version: VERSION,
    ...(token === undefined ? {} : { token }),
    ...(onWarning === undefined ? {} : { onWarning }),
  });
  const close = async (): Promise<void> => {
    await server.close();
    await index.close();
  };
  try {
    const { url } = await server.listen({ host, port });
    return { url, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
};

export interface ServeShardsOptions {
  readonly data: string;
  /** Numbers of the shards to serve; all when left out. */
  readonly shards?: readonly number[];
  /** Threads that search, over shared memory; 0, the default, searches in the calling thread. */
  readonly workers?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 7700; 0 takes a free one. */
  readonly port?: number;
  /** Asked of every broker when given; it is no secret on the wire. */
  readonly token?: string;
  /** Requests worked on at once, default 256; one more is refused. */
  readonly maxRequests?: number;
  readonly onWarning?: (text: string) => void;
}

export interface ServedShards extends AsyncDisposable {
  /** HOST:PORT, as serveNodes takes it. */
  readonly node: string;
  /** Answers what is open, for at most `graceMs` (default 10,000), then closes. */
  close(graceMs?: number): Promise<void>;
}

const DEFAULT_SHARD_PORT = 7700;
const DRAIN_MS = 10_000;

/**
 * Serves shards of a data folder to brokers; follows new generations and epochs. Errors: as openIndex, and
 * SHARDS_NO_SUCH_SHARD, SHARDS_LISTEN_FAILED.
 */
export const serveShards = async (options: ServeShardsOptions): Promise<ServedShards> => {
  const { data, shards, workers = 0, token, maxRequests, onWarning } = options;
  const { host = '127.0.0.1', port = DEFAULT_SHARD_PORT } = options;
  const folder = await openDataFolder(data);
  const node = await openNode({
    shardsFolder: folder.shards,
    statsFolder: folder.stats,
    workers,
    ...(shards === undefined ? {} : { shards }),
    onReloadError: sayingOnce((text) => onWarning?.(`the index is not reloaded: ${text}`)),
  });
  const server = createShardServer({
    node,
    ...(token === undefined ? {} : { token }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
  });
  const close = async (graceMs = DRAIN_MS): Promise<void> => {
    await server.drain(graceMs);
    await node.close();
  };
  try {
    const address = await server.listen({ host, port });
    if (token === undefined && !isLoopback(host)) {
      onWarning?.(
        `listening on ${host} without a token: everyone who reaches this machine can search the index`,
      );
    }
    return { node: formatNodeAddress(address), close, [Symbol.asyncDispose]: () => close() };
  } catch (error) {
    await close();
    throw error;
  }
};
