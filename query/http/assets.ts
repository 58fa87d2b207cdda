import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Static files of the page, by name. */
const ASSET_TYPES = {
  'search.css': 'text/css; charset=utf-8',
  'search.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

export type AssetName = keyof typeof ASSET_TYPES;

export interface Asset {
  readonly body: Buffer;
  readonly type: string;
  /** Hash of the body: a page asks for `?v=hash`, which may be kept for ever. */
  readonly version: string;
}

const readAsset = (name: AssetName): Asset => {
  const body = readFileSync(new URL(`./page/assets/${name}`, import.meta.url));
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return { body, type: ASSET_TYPES[name], version };
};

/** Reads all assets; they are small and never change while the server runs. */
export const readAssets = (): ReadonlyMap<string, Asset> =>
  new Map((Object.keys(ASSET_TYPES) as AssetName[]).map((name) => [name, readAsset(name)]));

export type AssetLink = (name: AssetName) => string;

export const assetLinks =
  (assets: ReadonlyMap<string, Asset>): AssetLink =>
  (name) =>
    `/assets/${name}?v=${assets.get(name)?.version ?? ''}`;
