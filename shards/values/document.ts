import type { FieldText } from './fields.ts';
import type { NormalUrl } from './ids.ts';

/** What the indexer hands to a shard: one document, not yet analysed. */
export interface IndexDocument {
  readonly url: NormalUrl;
  /** As displayed; may be empty. */
  readonly title: string;
  /** What is searched; a field may occur several times. */
  readonly fields: readonly FieldText[];
  /** What passages are cut from: plain text, blocks separated by `\n`. */
  readonly storedText: string;
  /** Primary language subtag in lower case (`en`, `zh`), or '' when unknown. */
  readonly lang: string;
  /** Media type without parameters, such as `text/html`. */
  readonly type: string;
  readonly fetchedAtMs: number;
  /** Query-independent part of the score, below 2^31, already in score units. */
  readonly staticScore: number;
}
