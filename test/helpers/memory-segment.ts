import roaring, { type RoaringBitmap32 } from 'roaring';
import { NO_MORE_DOCS, type PositionsCursor } from '../../shards/postings/posting-cursor.ts';
import type { Scorer } from '../../shards/score/scorer.ts';
import type { SiteFilter } from '../../shards/search/query-plan.ts';
import type { SegmentTier } from '../../shards/segment/manifest.ts';
import type { Segment } from '../../shards/segment/segment.ts';
import { FIELD_NAMES, type FieldName } from '../../shards/values/fields.ts';
import { hash64, urlKey } from '../../shards/values/hash.ts';
import { trustNormalUrl, type UrlKey } from '../../shards/values/ids.ts';
import { lengthCode } from '../../shards/values/length-code.ts';
import type { StoredPage } from '../../shards/values/stored-page.ts';
import { hostOfUrl } from '../../shards/values/url.ts';

/** Terms of each field with their positions; what an analysed document comes to. */
export interface MemoryDocument {
  readonly url: string;
  readonly fields: Partial<
    Record<FieldName, readonly { readonly term: string; readonly position: number }[]>
  >;
  readonly staticScore?: number;
  readonly lang?: string;
  readonly text?: string;
  readonly title?: string;
}

export interface MemorySegmentOptions {
  readonly documents: readonly MemoryDocument[];
  readonly deleted?: readonly number[];
  readonly id?: number;
  /** Default 'high'. */
  readonly tier?: SegmentTier;
  /** Documents of a block, at least 1. */
  readonly blockSize?: number;
  /** What bounds are too large by, to stand for rounding and widening. */
  readonly boundSlack?: number;
}

type Posting = { doc: number; positions: Map<FieldName, number[]> };

class MemoryCursor implements PositionsCursor {
  #at = -1;
  readonly #impacts: readonly number[];
  readonly #postings: readonly Posting[];
  readonly #blockSize: number;
  readonly #slack: number;

  constructor(
    postings: readonly Posting[],
    impacts: readonly number[],
    { blockSize, slack }: { blockSize: number; slack: number },
  ) {
    this.#postings = postings;
    this.#impacts = impacts;
    this.#blockSize = blockSize;
    this.#slack = slack;
  }

  get doc(): number {
    return this.#at < 0 ? -1 : (this.#postings[this.#at]?.doc ?? NO_MORE_DOCS);
  }
  get docCount(): number {
    return this.#postings.length;
  }
  get maxImpact(): number {
    return Math.min(0xffff, Math.max(...this.#impacts) + this.#slack);
  }
  next(): number {
    this.#at++;
    return this.doc;
  }
  advance(target: number): number {
    if (target <= this.doc) throw new Error(`advance(${target}) from ${this.doc}`);
    while (this.doc < target) this.#at++;
    return this.doc;
  }
  frequency(field: FieldName): number {
    return this.#postings[this.#at]?.positions.get(field)?.length ?? 0;
  }
  impact(): number {
    const impact = this.#impacts[this.#at];
    if (impact === undefined) throw new Error('impact() off the list');
    return impact;
  }
  blockEnd(target: number): number {
    const block = this.#blockOf(target);
    if (block === undefined) return NO_MORE_DOCS;
    return this.#postings[Math.min(this.#postings.length, block + this.#blockSize) - 1]?.doc ?? NO_MORE_DOCS;
  }
  blockMaxImpact(target: number): number {
    const block = this.#blockOf(target);
    if (block === undefined) return 0;
    return Math.min(0xffff, Math.max(...this.#impacts.slice(block, block + this.#blockSize)) + this.#slack);
  }
  positions(field: FieldName): Uint32Array {
    return Uint32Array.from(this.#postings[this.#at]?.positions.get(field) ?? []);
  }
  /** Index of the first posting of the block that holds the first document >= target. */
  #blockOf(target: number): number | undefined {
    const index = this.#postings.findIndex(({ doc }) => doc >= target);
    return index < 0 ? undefined : index - (index % this.#blockSize);
  }
}

/** A segment on plain arrays: slow, obvious, with blocks of any size. Documents keep their order. */
export class MemorySegment implements Segment {
  readonly id: number;
  readonly analyser = 'default';
  readonly bytes = 0;
  readonly tier: SegmentTier;
  readonly deletes: RoaringBitmap32 | undefined;
  readonly #documents: readonly MemoryDocument[];
  readonly #keys: readonly UrlKey[];
  readonly #postings = new Map<string, Posting[]>();
  readonly #codes: Record<FieldName, Uint8Array>;
  readonly #blockSize: number;
  readonly #boundSlack: number;

  constructor(options: MemorySegmentOptions) {
    const { documents, deleted = [], id = 1, blockSize = 128, boundSlack = 0, tier = 'high' } = options;
    this.id = id;
    this.tier = tier;
    this.#documents = documents;
    this.#blockSize = blockSize;
    this.#boundSlack = boundSlack;
    this.deletes = deleted.length === 0 ? undefined : new roaring.RoaringBitmap32(deleted);
    this.#keys = documents.map(({ url }) => urlKey(trustNormalUrl(url)));
    const codes = FIELD_NAMES.map((field) => [field, this.#lengths(field).map(lengthCode)] as const);
    this.#codes = Object.fromEntries(codes.map(([field, list]) => [field, Uint8Array.from(list)])) as Record<
      FieldName,
      Uint8Array
    >;
    for (const [doc, document] of documents.entries()) this.#addPostings(doc, document);
  }

  get docCount(): number {
    return this.#documents.length;
  }
  get liveCount(): number {
    return this.docCount - (this.deletes?.size ?? 0);
  }
  biword(): undefined {
    return undefined;
  }

  documentFrequency(term: string): number {
    return this.#postings.get(term)?.length ?? 0;
  }
  cursor(term: string, scorer: Scorer): PositionsCursor | undefined {
    const postings = this.#postings.get(term);
    if (postings === undefined) return undefined;
    const impacts = postings.map(({ doc, positions }) =>
      scorer.impact(
        FIELD_NAMES.map((field) => positions.get(field)?.length ?? 0),
        FIELD_NAMES.map((field) => this.#codes[field][doc] ?? 0),
      ),
    );
    return new MemoryCursor(postings, impacts, { blockSize: this.#blockSize, slack: this.#boundSlack });
  }
  *terms(): Iterable<{ term: string; docCount: number }> {
    const names = [...this.#postings.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const term of names) yield { term, docCount: this.documentFrequency(term) };
  }
  get termCount(): number {
    return this.#postings.size;
  }
  *hashedTerms(): Iterable<{ hash: bigint; docCount: number }> {
    for (const { term, docCount } of this.terms()) yield { hash: hash64(term), docCount };
  }
  key(doc: number): UrlKey {
    return this.#keys[doc] as UrlKey;
  }
  find(key: UrlKey): number {
    return this.#keys.indexOf(key);
  }
  staticScore(doc: number): number {
    return this.#documents[doc]?.staticScore ?? 0;
  }
  lengthCodes(field: FieldName): Uint8Array {
    return this.#codes[field];
  }
  totalLength(field: FieldName): number {
    return this.#lengths(field).reduce((sum, length, doc) => sum + (this.deletes?.has(doc) ? 0 : length), 0);
  }
  languageCounts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const [doc, { lang = '' }] of this.#documents.entries()) {
      if (!this.deletes?.has(doc)) counts.set(lang, (counts.get(lang) ?? 0) + 1);
    }
    return counts;
  }
  site({ host, pathPrefix }: SiteFilter): RoaringBitmap32 {
    const found = new roaring.RoaringBitmap32();
    for (const [doc, { url }] of this.#documents.entries()) {
      const own = hostOfUrl(trustNormalUrl(url));
      const path = url.startsWith('id:') ? '' : new URL(url).pathname;
      if ((own === host || own.endsWith(`.${host}`)) && path.startsWith(pathPrefix)) found.add(doc);
    }
    return found;
  }
  stored(doc: number): StoredPage {
    const { url = '', title = '', text = '', lang = '' } = this.#documents[doc] ?? {};
    return { url: trustNormalUrl(url), title, text, lang, type: 'text/html', fetchedAtMs: 0 };
  }

  /** Distinct positions: a word in several forms counts once. */
  #lengths(field: FieldName): number[] {
    return this.#documents.map(({ fields }) => new Set(fields[field]?.map(({ position }) => position)).size);
  }

  #addPostings(doc: number, { fields }: MemoryDocument): void {
    for (const field of FIELD_NAMES) {
      for (const { term, position } of fields[field] ?? []) {
        const list = this.#postings.get(term) ?? [];
        if (list.length === 0) this.#postings.set(term, list);
        let posting = list.at(-1);
        if (posting?.doc !== doc) list.push((posting = { doc, positions: new Map() }));
        const positions = posting.positions.get(field) ?? [];
        if (positions.length === 0) posting.positions.set(field, positions);
        positions.push(position);
      }
    }
  }
}
