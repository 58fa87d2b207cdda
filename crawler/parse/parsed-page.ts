import type { PageLink, RobotsFlags } from '../../indexer/index.ts';
import type { FieldText, NormalUrl } from '../../shards/index.ts';

export interface Selectors {
  /** Only what these match is content. */
  readonly content?: string;
  /** What these match is left out. */
  readonly strip?: string;
  /** The title is the text of the first match. */
  readonly title?: string;
}

export interface ParseInput {
  /** Final URL of the response: base of relative links. */
  readonly url: NormalUrl;
  /** After content-decoding. */
  readonly body: Uint8Array;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Product token that robots meta and X-Robots-Tag are read for. */
  readonly agent: string;
  readonly selectors?: Selectors;
}

/** What a page says. Everything in it is plain data, ready for postMessage. */
export interface ParsedPage {
  readonly charset: string;
  /** Media type after sniffing, without parameters. */
  readonly type: string;
  /** Whether Quarry indexes this type (HTML, XHTML, text, Markdown); else title, fields and links are empty. */
  readonly indexable: boolean;
  readonly title: string;
  readonly fields: readonly FieldText[];
  /** Resolved and in normal form; http(s) only; a, area, frame, iframe and meta refresh; duplicates kept. */
  readonly links: readonly PageLink[];
  readonly lang: string;
  readonly robots: RobotsFlags;
  readonly canonical?: NormalUrl;
  readonly refresh?: { readonly delayS: number; readonly url: NormalUrl };
  readonly textHash: string;
}
