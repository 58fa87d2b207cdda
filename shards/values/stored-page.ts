import type { NormalUrl } from './ids.ts';

/** What a shard keeps of a page for people to read. */
export interface StoredPage {
  readonly url: NormalUrl;
  /** As the page has it; may be ''. */
  readonly title: string;
  /** Plain text, blocks separated by `\n`. */
  readonly text: string;
  /** Primary language subtag, '' when unknown. */
  readonly lang: string;
  /** Media type without parameters. */
  readonly type: string;
  readonly fetchedAtMs: number;
}
