import type { NormalUrl } from '../../shards/index.ts';
import type { CrawlStore } from '../frontier/store.ts';

/** A page that was parsed and asks whether its text is known. */
export interface ContentClaim {
  readonly url: NormalUrl;
  /** ParsedPage.textHash, 16 hex digits. */
  readonly textHash: string;
  /** What this URL showed at its last visit, '' at the first: that claim is given back. */
  readonly previousHash: string;
}

export interface ContentVerdict {
  /** URL that showed the text first, undefined when this one did. */
  readonly duplicateOf?: NormalUrl;
  /**
   * Whether the links are followed. The first FOLLOWED_PER_TEXT URLs with one text have theirs followed, whatever the order
   * of fetches: the URLs that a crawl reaches then depend on the order only where a text has more URLs than that, and a
   * trap that shows one text under ever new URLs costs no more than that many pages' links.
   */
  readonly followLinks: boolean;
}

/** Of the test web's 2,648 pages no more than 4 share a text; manuals that fall back to English do in up to 26 languages. */
export const FOLLOWED_PER_TEXT = 32;

/** Asked in batches and asynchronously, so that the answer may come from another node (keys are partitioned by fingerprint). */
export interface ContentSeen {
  claim(batch: readonly ContentClaim[]): Promise<readonly ContentVerdict[]>;
  /** The URL shows nothing any more. */
  release(url: NormalUrl, textHash: string): void;
}

/** The fingerprints in the crawl store of this process. Claims become durable with the next commit. */
export class LocalContentSeen implements ContentSeen {
  readonly #store: CrawlStore;

  constructor(store: CrawlStore) {
    this.#store = store;
  }

  claim(batch: readonly ContentClaim[]): Promise<readonly ContentVerdict[]> {
    return Promise.resolve(batch.map((claim) => this.#claimOne(claim)));
  }

  #claimOne({ url, textHash, previousHash }: ContentClaim): ContentVerdict {
    if (previousHash === textHash) {
      const row = this.#store.content(textHash);
      return verdict(url, row?.owner ?? url, row?.count ?? 1);
    }
    if (previousHash !== '') this.release(url, previousHash);
    const row = this.#store.content(textHash);
    const owner = row === undefined || row.owner === '' ? url : row.owner;
    const count = (row?.count ?? 0) + 1;
    this.#store.putContent(textHash, { owner, count });
    return verdict(url, owner, count);
  }

  release(url: NormalUrl, textHash: string): void {
    const row = this.#store.content(textHash);
    if (row === undefined) return;
    const owner = row.owner === url ? '' : row.owner;
    this.#store.putContent(textHash, row.count > 1 ? { owner, count: row.count - 1 } : undefined);
  }
}

const verdict = (url: NormalUrl, owner: string, count: number): ContentVerdict => ({
  ...(owner === url ? {} : { duplicateOf: owner as NormalUrl }),
  followLinks: count <= FOLLOWED_PER_TEXT,
});
