import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  isMissing,
  isSystemError,
  syncFolder,
  TEMPORARY_SUFFIX,
  writeFileAtomically,
} from '../../shards/index.ts';
import { failIndexer } from '../errors.ts';

/** Version of the layout as a whole; each file in it has a version of its own besides. */
export const DATA_FOLDER_VERSION = 1;
const FORMAT_NAME = 'quarry-data';
const CONFIG_FILE = 'config.json';
const PARTS = ['crawl', 'pages', 'graph', 'shards', 'stats'] as const;

/** Where everything of one data folder lies; all paths are absolute (indexer/folder/FORMAT.md). */
export interface DataFolder {
  readonly root: string;
  /** Frontier, URL records and seen URLs of the crawler. */
  readonly crawl: string;
  /** The page log. */
  readonly pages: string;
  /** The link graph. */
  readonly graph: string;
  /** Generations of shards. */
  readonly shards: string;
  /** Epochs of the global statistics. */
  readonly stats: string;
}

const layout = (root: string): DataFolder => ({
  root,
  crawl: join(root, 'crawl'),
  pages: join(root, 'pages'),
  graph: join(root, 'graph'),
  shards: join(root, 'shards'),
  stats: join(root, 'stats'),
});

/** Opens a data folder that must exist, for reading or writing. Changes nothing. */
export const openDataFolder = async (path: string): Promise<DataFolder> => {
  const root = resolve(path);
  const names = await namesIn(root);
  if (names === undefined) throw failIndexer('INDEXER_FOLDER_MISSING', { folder: root });
  if (!names.includes(CONFIG_FILE)) {
    throw failIndexer(names.length === 0 ? 'INDEXER_FOLDER_MISSING' : 'INDEXER_FOLDER_FOREIGN', {
      folder: root,
    });
  }
  await checkMarker(root);
  return layout(root);
};

/** Opens a data folder, makes it when it does not exist or is empty. A folder with anyone else's files is refused. */
export const ensureDataFolder = async (path: string): Promise<DataFolder> => {
  const root = resolve(path);
  try {
    const names = (await namesIn(root)) ?? [];
    if (names.includes(CONFIG_FILE)) {
      await checkMarker(root);
    } else {
      if (!names.every(isOurs)) throw failIndexer('INDEXER_FOLDER_FOREIGN', { folder: root });
      await create(root);
    }
  } catch (error) {
    throw unusable(root, error);
  }
  return layout(root);
};

/** undefined when there is no such folder. */
const namesIn = async (folder: string): Promise<string[] | undefined> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusable(folder, error);
  }
};

/** What a creation that was killed may have left. */
const isOurs = (name: string): boolean =>
  name === `${CONFIG_FILE}${TEMPORARY_SUFFIX}` || PARTS.some((part) => part === name);

const create = async (root: string): Promise<void> => {
  for (const part of PARTS) await makeFolder(join(root, part));
  await syncFolder(root);
  const marker = `${JSON.stringify({ format: FORMAT_NAME, version: DATA_FOLDER_VERSION }, undefined, 2)}\n`;
  // Written last: the marker says that the folder is whole.
  await writeFileAtomically(join(root, CONFIG_FILE), [Buffer.from(marker)]);
};

/** Level by level: where folders cannot be made, as in /proc, Node's own recursive mkdir never ends. */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await makeLevel(folder);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeFolder(dirname(folder));
    await makeLevel(folder);
  }
};

/** What is there already may stay: another process may make the same folder. */
const makeLevel = async (folder: string): Promise<void> => {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
};

const checkMarker = async (root: string): Promise<void> => {
  const file = join(root, CONFIG_FILE);
  const marker = parseMarker(file, await readMarker(file));
  if (marker.format !== FORMAT_NAME) throw failIndexer('INDEXER_FOLDER_FOREIGN', { folder: root });
  if (marker.version !== DATA_FOLDER_VERSION) {
    const found = JSON.stringify(marker.version) ?? 'none';
    throw failIndexer('INDEXER_FOLDER_VERSION', { folder: root, found, expected: DATA_FOLDER_VERSION });
  }
};

const readMarker = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    throw failIndexer('INDEXER_FOLDER_DAMAGED', { file, reason: 'it is a folder' }, error);
  }
};

const parseMarker = (file: string, text: string): { format?: unknown; version?: unknown } => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw failIndexer('INDEXER_FOLDER_DAMAGED', { file, reason: 'it is not JSON' }, error);
  }
  throw failIndexer('INDEXER_FOLDER_DAMAGED', { file, reason: 'it is not a JSON object' });
};

/** A refusal of the operating system as ours; other errors as they are. */
const unusable = (folder: string, error: unknown): unknown => {
  if (!isSystemError(error)) return error;
  return failIndexer('INDEXER_FOLDER_UNUSABLE', { folder, reason: error.message }, error);
};
