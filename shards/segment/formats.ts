import type { FileFormat } from '../bytes/file-envelope.ts';

const REMEDY = 'run `quarry index --rebuild`, which makes the shards anew from the page log';

const format = (name: string): FileFormat => ({ name, version: 1, oldestVersion: 1, remedy: REMEDY });

/** The files of FORMAT.md. */
export const INDEX_FORMAT = format('segment-index');
export const POSITIONS_FORMAT = format('segment-pos');
export const PAGES_FORMAT = format('segment-pages');
export const BOUNDS_FORMAT = format('segment-bounds');
export const DELETES_FORMAT = format('segment-deletes');
export const MANIFEST_FORMAT = format('shard-manifest');
export const CURRENT_FORMAT = format('shards-current');
