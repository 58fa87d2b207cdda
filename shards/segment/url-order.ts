import { ByteWriter } from '../bytes/byte-writer.ts';
import { GrowableUint32 } from '../postings/growable.ts';
import { TailReader } from '../postings/tail-codec.ts';
import type { SiteFilter } from '../search/query-plan.ts';
import { RoaringBitmap32 } from './bitmap.ts';
import { encodeKey, KEYS_PER_BLOCK, KeyBuffer } from './front-coding.ts';

/** Between the parts of a segmentOrderKey. */
const SEPARATOR = '\u0000';
const NO_KEY = new Uint8Array(0);

const encoder = new TextEncoder();

/** The sections of a segment that hold its URLs in order. */
export interface UrlOrderSections {
  /** Order keys, front-coded in blocks of KEYS_PER_BLOCK. */
  readonly urls: Uint8Array;
  readonly urlBlocks: Uint32Array;
  /** First document of each authority (host and port), rising; one more entry is the number of documents. */
  readonly authorities: Uint32Array;
}

/** Host labels reversed and port: all before the path, with the separator behind it. '' for an `id:` name. */
const authorityOf = (orderKey: string): string => {
  const portAt = orderKey.indexOf(SEPARATOR);
  const pathAt = portAt < 0 ? -1 : orderKey.indexOf(SEPARATOR, portAt + 1);
  return pathAt < 0 ? '' : orderKey.slice(0, pathAt + 1);
};

/** Codes the order keys (segmentOrderKey) of a segment's documents, which must rise. */
export class UrlOrderWriter {
  readonly #urls = new ByteWriter(1 << 12);
  readonly #urlBlocks = new GrowableUint32();
  readonly #authorities = new GrowableUint32();
  #previousKey: Uint8Array = NO_KEY;
  #authority: string | undefined;
  #docCount = 0;

  add(orderKey: string): void {
    if (this.#docCount % KEYS_PER_BLOCK === 0) {
      this.#urlBlocks.push(this.#urls.length);
      this.#previousKey = NO_KEY;
    }
    const key = encoder.encode(orderKey);
    encodeKey(this.#previousKey, key, this.#urls);
    this.#previousKey = key;
    const authority = authorityOf(orderKey);
    if (authority !== this.#authority) this.#authorities.push(this.#docCount);
    this.#authority = authority;
    this.#docCount += 1;
  }

  finish(): UrlOrderSections {
    this.#authorities.push(this.#docCount);
    return {
      urls: this.#urls.view(),
      urlBlocks: this.#urlBlocks.view(),
      authorities: this.#authorities.view(),
    };
  }
}

/** Smallest index in low..high-1 for which `isAtOrAbove` holds, `high` when there is none; it must be monotonic. */
const firstIndex = (low: number, high: number, isAtOrAbove: (index: number) => boolean): number => {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isAtOrAbove(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
};

/** Documents stand in the order of their URLs, so that a host, or a path on it, is a range of documents. */
export class UrlOrder {
  readonly #sections: UrlOrderSections;
  readonly #authorityCount: number;

  constructor(sections: UrlOrderSections) {
    this.#sections = sections;
    this.#authorityCount = sections.authorities.length - 1;
  }

  /** Order keys of all documents, in their order. */
  *orderKeys(): Generator<string> {
    const { urls, urlBlocks } = this.#sections;
    const docCount = this.#sections.authorities[this.#authorityCount]!;
    const source = new TailReader(urls, 0);
    const key = new KeyBuffer();
    for (let doc = 0; doc < docCount; doc += 1) {
      if (doc % KEYS_PER_BLOCK === 0) {
        source.offset = urlBlocks[doc / KEYS_PER_BLOCK]!;
        key.length = 0;
      }
      key.read(urls, source);
      yield key.text();
    }
  }

  orderKey(doc: number): string {
    const { urls, urlBlocks } = this.#sections;
    const source = new TailReader(urls, urlBlocks[Math.floor(doc / KEYS_PER_BLOCK)]!);
    const key = new KeyBuffer();
    for (let i = doc % KEYS_PER_BLOCK; i >= 0; i -= 1) key.read(urls, source);
    return key.text();
  }

  /** Documents of the host, and of hosts below it, whose path and query begin with the prefix. */
  site({ host, pathPrefix }: SiteFilter): RoaringBitmap32 {
    const documents = new RoaringBitmap32();
    const reversed = host.split('.').reverse().join('.');
    // "example.org" and "sub.example.org" need not be neighbours: "example.org-x" sorts between them.
    for (const start of [`${reversed}${SEPARATOR}`, `${reversed}.`]) {
      let authority = firstIndex(0, this.#authorityCount, (index) => this.#authorityKey(index) >= start);
      for (; authority < this.#authorityCount; authority += 1) {
        if (!this.#authorityKey(authority).startsWith(start)) break;
        this.#addPath(documents, authority, pathPrefix);
      }
    }
    return documents;
  }

  #authorityKey(authority: number): string {
    return this.orderKey(this.#sections.authorities[authority]!);
  }

  #addPath(documents: RoaringBitmap32, authority: number, pathPrefix: string): void {
    const first = this.#sections.authorities[authority]!;
    const end = this.#sections.authorities[authority + 1]!;
    if (pathPrefix === '') {
      documents.addRange(first, end);
      return;
    }
    const prefix = authorityOf(this.orderKey(first)) + pathPrefix;
    const from = firstIndex(first, end, (doc) => this.orderKey(doc) >= prefix);
    const to = firstIndex(from, end, (doc) => !this.orderKey(doc).startsWith(prefix));
    documents.addRange(from, to);
  }
}
