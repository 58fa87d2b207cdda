import type { PositionsCursor } from '../postings/posting-cursor.ts';
import type { Scorer } from '../score/scorer.ts';
import type { SiteFilter } from '../search/query-plan.ts';
import type { FieldName } from '../values/fields.ts';
import type { UrlKey } from '../values/ids.ts';
import type { StoredPage } from '../values/stored-page.ts';
import type { RoaringBitmap32 } from './bitmap.ts';
import type { SegmentTier } from './manifest.ts';

/** A segment's files in memory (kernels/search-layout.ts), and what kernels need besides. */
export interface KernelMemory {
  readonly memory: WebAssembly.Memory;
  /** Impact that each stored bound stands for under that scorer at most, and each stored best impact at least; 256 each. */
  boundsUnder(scorer: Scorer): { readonly upper: ArrayLike<number>; readonly lower: ArrayLike<number> };
  /** What to throw when a kernel has found the files' content to be impossible. */
  damage(cause: unknown): Error;
}

/** An immutable segment with one generation's deletes: a reader's view never changes. */
export interface Segment {
  /** Number in the file names, unique in a shard, never reused. */
  readonly id: number;
  /** Documents, deleted ones included; ids are 0..docCount-1. */
  readonly docCount: number;
  readonly liveCount: number;
  /** Deleted documents; undefined when there are none. */
  readonly deletes: RoaringBitmap32 | undefined;
  /** Name of the analyser that cut the text. */
  readonly analyser: string;
  /** Distinct words, also those of deleted documents alone. */
  readonly termCount: number;
  readonly bytes: number;
  /** The files where kernels can read them; undefined for a segment that is made of something else. */
  readonly kernelMemory?: KernelMemory;
  /** 'high' in a shard without tiers. */
  readonly tier: SegmentTier;

  /** Documents that hold the term, deleted ones included. */
  documentFrequency(term: string): number;
  /**
   * Key of the biword of two words, when the segment has the biwords of both: then no document holds the one next to the other but
   * those of the list of that key, and there is none when the dictionary does not have it.
   */
  biword(first: string, second: string): Uint8Array | undefined;
  /** undefined when no document holds the term. */
  cursor(term: string, scorer: Scorer): PositionsCursor | undefined;
  /** All terms in rising order of their UTF-8 bytes. */
  terms(): Iterable<{ readonly term: string; readonly docCount: number }>;
  /** The same terms by their 64-bit hash (values/hash.ts), in any order: makes no strings. */
  hashedTerms(): Iterable<{ readonly hash: bigint; readonly docCount: number }>;

  key(doc: number): UrlKey;
  /** Document of that key, deleted or not; -1 when the segment does not hold it. */
  find(key: UrlKey): number;
  staticScore(doc: number): number;
  /** One byte per document (values/length-code.ts). */
  lengthCodes(field: FieldName): Uint8Array;
  /** Sum of the exact lengths in tokens, over live documents. */
  totalLength(field: FieldName): number;
  /** Live documents by language. */
  languageCounts(): ReadonlyMap<string, number>;
  /** Documents of a host (and hosts below it) under a path prefix. */
  site(filter: SiteFilter): RoaringBitmap32;
  stored(doc: number): StoredPage;
}
