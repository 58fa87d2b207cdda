import type { PageLink, RobotsFlags } from '../../indexer/index.ts';
import type { FieldText, NormalUrl } from '../../shards/index.ts';

/** What the user says of a site's pages, as CSS selectors. */
export interface Selectors {
  /** Only what these match is content. */
  readonly content?: string;
  /** What these match is left out. */
  readonly strip?: string;
  /** The title is the text of the first match. */
  readonly title?: string;
}

/** A response to be parsed. Plain data, ready for postMessage. */
export interface ParseInput {
  /** Final URL of the response: base of relative links. */
  readonly url: NormalUrl;
  /** As received; still content-encoded when `contentEncoding` says so. */
  readonly body: Uint8Array;
  /** The header of that name; '' or absent when the body is not encoded. */
  readonly contentEncoding?: string;
  /** Lower-case names; the values of several headers of one name are joined by `, ` (or by `\n`, which loses nothing). */
  readonly headers: Readonly<Record<string, string>>;
  /** Product token that robots meta and X-Robots-Tag are read for. */
  readonly agent: string;
  readonly selectors?: Selectors;
  /** Wall clock, for `unavailable_after` in robots directives; without it such dates are ignored. */
  readonly nowMs?: number;
}

/** What a page says. Everything in it is plain data, ready for postMessage. */
export interface ParsedPage {
  /** The body without its content-encoding; the buffer of `ParseInput.body` when there was none. */
  readonly body: Uint8Array;
  /** '' when the body is whole; 'length' when it was cut at a limit, 'disconnect' when its coding ends early or breaks. */
  readonly truncated: '' | 'length' | 'disconnect';
  /** Encoding that the body was decoded with, WHATWG name in lower case. */
  readonly charset: string;
  /** Media type after sniffing, without parameters. */
  readonly type: string;
  /** Whether Quarry indexes this type (HTML, XHTML, text, Markdown); else title, fields and links are empty. */
  readonly indexable: boolean;
  readonly title: string;
  /** `title`, `headings`, `emphasis` and `body`, those that are not empty; `body` repeats headings and emphasis. */
  readonly fields: readonly FieldText[];
  /** Resolved and in normal form; http(s) only; a, area, frame, iframe and meta refresh; duplicates kept. */
  readonly links: readonly PageLink[];
  readonly lang: string;
  readonly robots: RobotsFlags;
  readonly canonical?: NormalUrl;
  /** Of a meta refresh to another page; one that reloads the page itself is left out. */
  readonly refresh?: { readonly delayS: number; readonly url: NormalUrl };
  /** XXH64 of title and body text, white space folded, as 16 hex digits. */
  readonly textHash: string;
}
