import { Packr } from 'msgpackr';

const packr = new Packr({ useRecords: false });

/** Section `meta` of a `.idx` file: what is small and read once. */
export interface SegmentMeta {
  readonly docCount: number;
  readonly termCount: number;
  readonly blockCount: number;
  readonly analyser: string;
  /** Sum of exact lengths by field, deleted documents included. */
  readonly totals: readonly number[];
  readonly languages: readonly string[];
  readonly types: readonly string[];
}

/** Section `meta` of a `.bounds` file. */
export interface BoundsMeta {
  readonly table: string;
  readonly averageLengths: readonly number[];
}

export const packMeta = (meta: SegmentMeta | BoundsMeta): Uint8Array => packr.pack(meta);

/** Takes verified bytes: the checksum tells that they are what `packMeta` made. */
export const unpackSegmentMeta = (bytes: Uint8Array): SegmentMeta =>
  packr.unpack(Uint8Array.from(bytes)) as SegmentMeta;
export const unpackBoundsMeta = (bytes: Uint8Array): BoundsMeta =>
  packr.unpack(Uint8Array.from(bytes)) as BoundsMeta;
