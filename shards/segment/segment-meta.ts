import { Type } from 'typebox';
import { FIELD_COUNT } from '../postings/field-slots.ts';
import { packMap, unpackMap } from './packed-map.ts';
import type { LoadedSections } from './section-file.ts';

const MAX_U32 = 2 ** 32 - 1;
const perField = { minItems: FIELD_COUNT, maxItems: FIELD_COUNT };

const SEGMENT_META = Type.Object({
  docCount: Type.Integer({ minimum: 0, maximum: 2 ** 30 }),
  termCount: Type.Integer({ minimum: 0, maximum: MAX_U32 }),
  blockCount: Type.Integer({ minimum: 0, maximum: MAX_U32 }),
  analyser: Type.String(),
  totals: Type.Array(Type.Integer({ minimum: 0 }), perField),
  languages: Type.Array(Type.String()),
  types: Type.Array(Type.String()),
  // Of files before version 3, which have no biwords.
  biwordCount: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_U32 })),
  commonWords: Type.Optional(Type.Array(Type.String())),
});

const BOUNDS_META = Type.Object({
  table: Type.String(),
  averageLengths: Type.Array(Type.Number({ minimum: 0 }), perField),
});

/** Section `meta` of a `.idx` file: what is small and read once. */
export interface SegmentMeta {
  readonly docCount: number;
  /** Words and biwords. */
  readonly termCount: number;
  readonly blockCount: number;
  readonly analyser: string;
  /** Sum of exact lengths by field, deleted documents included. */
  readonly totals: readonly number[];
  readonly languages: readonly string[];
  readonly types: readonly string[];
  /** The last so many terms. */
  readonly biwordCount: number;
  /** Any two of them that stand side by side are a biword. */
  readonly commonWords: readonly string[];
}

/** Section `meta` of a `.bounds` file. */
export interface BoundsMeta {
  readonly table: string;
  readonly averageLengths: readonly number[];
}

export const packMeta = (meta: SegmentMeta | BoundsMeta): Uint8Array => packMap(meta);

const EXPECTED = 'what the section `meta` holds';

/** Throws the damage error. */
export const readSegmentMeta = (file: Pick<LoadedSections, 'bytes' | 'damage'>): SegmentMeta => {
  const stored = unpackMap(file.bytes('meta'), SEGMENT_META, (reason) => file.damage(reason, EXPECTED));
  const meta = { biwordCount: 0, commonWords: [], ...stored };
  if (meta.biwordCount > meta.termCount)
    throw file.damage(`${meta.biwordCount} biwords`, `at most ${meta.termCount}, as many as terms`);
  return meta;
};
export const readBoundsMeta = (file: Pick<LoadedSections, 'bytes' | 'damage'>): BoundsMeta =>
  unpackMap(file.bytes('meta'), BOUNDS_META, (reason) => file.damage(reason, EXPECTED));
