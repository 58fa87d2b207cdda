import type { FieldText, NormalUrl } from '../../shards/index.ts';

/** A link of a page, resolved. */
export interface PageLink {
  readonly url: NormalUrl;
  /** Text of the link, white space folded; for an area or image its alt text; may be ''. */
  readonly anchor: string;
  /** Lower-case tokens of `rel`, separated by one space; '' when there is none. */
  readonly rel: string;
}

/** What a page asks of robots, by meta elements and headers together. */
export interface RobotsFlags {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly noarchive: boolean;
}

/** A page that answered 200 and was parsed, also when its content had been seen elsewhere. */
export interface PageRecord {
  readonly kind: 'page';
  readonly url: NormalUrl;
  /** The hops that led here in this fetch, first asked first; empty when `url` was asked directly. */
  readonly redirects: readonly NormalUrl[];
  readonly fetchedAtMs: number;
  readonly fetchMs: number;
  /** Address that answered, '' for an import. */
  readonly ip: string;
  readonly status: number;
  /** Chosen response headers, lower-case names (content-type, etag, last-modified, x-robots-tag, ...). */
  readonly headers: Readonly<Record<string, string>>;
  /** Encoding that the body was decoded with, WHATWG name in lower case. */
  readonly charset: string;
  /** Media type without parameters. */
  readonly type: string;
  /** The body as decoded from its content-encoding; undefined with --no-bodies and for imports. */
  readonly body?: Uint8Array;
  readonly title: string;
  /** Without `anchor` (other pages' words) and `url` (derived). */
  readonly fields: readonly FieldText[];
  readonly links: readonly PageLink[];
  readonly lang: string;
  readonly robots: RobotsFlags;
  readonly canonical?: NormalUrl;
  readonly refresh?: { readonly delayS: number; readonly url: NormalUrl };
  /** '' or why the body is not whole: 'length', 'time', 'disconnect'. */
  readonly truncated: string;
  /** XXH64 of the page's title and text, white space folded; equal for exact duplicates. 16 hex digits. */
  readonly textHash: string;
  readonly depth: number;
  /** Anchors given with an imported document instead of by other pages. */
  readonly anchors?: readonly string[];
}

/** `url` is another name of `target`: it redirects there (followed at once or later). */
export interface RedirectRecord {
  readonly kind: 'redirect';
  readonly url: NormalUrl;
  readonly target: NormalUrl;
  readonly status: number;
  readonly fetchedAtMs: number;
}

/** `url` has nothing to index any more (404, 410, noindex, removed): an older page record of it is void. */
export interface GoneRecord {
  readonly kind: 'gone';
  readonly url: NormalUrl;
  readonly status: number;
  readonly fetchedAtMs: number;
  readonly reason: string;
}

/** One entry of the page log. Of several with the same `url` the last one in the log holds. */
export type LogRecord = PageRecord | RedirectRecord | GoneRecord;

/** Where a record stands: file number and byte offset. */
export interface LogLocation {
  readonly file: number;
  readonly offsetBytes: number;
}

/** A place behind a sync mark, with the number of records before it. */
export interface LogEnd extends LogLocation {
  readonly recordCount: number;
}

/** The end of the log that a writer appends to. One writer at a time. */
export interface PageSink {
  /** Buffers a record; it is durable after `sync` only. */
  append(record: LogRecord): Promise<LogLocation>;
  /** Writes and fsyncs all that was appended. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Reads the log in the order of writing; a torn tail ends the last file, a torn middle is an error. */
export interface PageSource {
  /** From the start, or from a place behind a sync mark on. */
  records(
    signal?: AbortSignal,
    from?: LogEnd,
  ): AsyncIterable<{ readonly location: LogLocation; readonly record: LogRecord }>;
  read(location: LogLocation): Promise<LogRecord>;
}
