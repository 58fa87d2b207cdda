import type { FileFormat } from '../bytes/file-envelope.ts';

const REMEDY = 'run `quarry index --rebuild`, which makes the shards anew from the page log';

const format = (name: string, version: number, oldestVersion = version): FileFormat => ({
  name,
  version,
  oldestVersion,
  remedy: REMEDY,
});

/** The files of FORMAT.md. */
export const INDEX_FORMAT = format('segment-index', 3, 2);
export const POSITIONS_FORMAT = format('segment-pos', 2);
export const PAGES_FORMAT = format('segment-pages', 1);
export const BOUNDS_FORMAT = format('segment-bounds', 2);
export const DELETES_FORMAT = format('segment-deletes', 1);
export const MANIFEST_FORMAT = format('shard-manifest', 2, 1);
export const CURRENT_FORMAT = format('shards-current', 2, 1);
