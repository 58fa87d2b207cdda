import type { NormalUrl } from '../../shards/index.ts';
import { normalisePercent } from './percent.ts';
import { resolvePlain } from './plain-reference.ts';
import { dropPathSession, dropQuerySession } from './session-ids.ts';

/** Of a URL in normal form; longer ones are traps more often than pages. */
export const MAX_URL_CHARS = 2048;
/** An input this long is refused unread: escapes and dots could not shrink it to a URL of the allowed length. */
const MAX_INPUT_CHARS = 4 * MAX_URL_CHARS;

/** Why a string is not a URL that Quarry fetches. */
export const URL_REFUSALS = {
  malformed: 'not a URL, or relative without a base',
  scheme: 'the scheme is neither http nor https',
  host: 'the host has an empty label',
  length: `longer than ${MAX_URL_CHARS} characters`,
  surrogate: 'holds half of a surrogate pair',
} as const;
export type UrlRefusal = keyof typeof URL_REFUSALS;

interface Refused {
  readonly refusal: UrlRefusal;
}
const refuse = (refusal: UrlRefusal): Refused => Object.freeze({ refusal });
const MALFORMED = refuse('malformed');
const SCHEME = refuse('scheme');
const HOST = refuse('host');
const LENGTH = refuse('length');
const SURROGATE = refuse('surrogate');

/** What the URL class made is in normal form already: nothing escaped, no query, no parameter, no user, no final dot. */
const PLAIN = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?\/[A-Za-z0-9\-._~!$&'()*+,=:@/]*$/;
/** Schemes that pages link to all the time; an exception of the URL class would cost 20 times as much. */
const OTHER_SCHEME = /^\s*(?:javascript|mailto|data|tel|about|blob|file|ftp|news|irc|magnet|urn):/i;
const LONE_SURROGATE = /\p{Surrogate}/u;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;

const parse = (input: string, base: string | undefined): URL | undefined => {
  try {
    return new URL(input, base);
  } catch {
    return undefined;
  }
};

/** Spares the URL class the fragment; not after a space, which it would then take for the end of the input and trim. */
const withoutFragment = (input: string): string => {
  const hash = input.indexOf('#');
  return hash > 0 && input.charCodeAt(hash - 1) > 0x20 ? input.slice(0, hash) : input;
};

/** The path without sessions; taking a parameter away can leave a `..` segment, which is then resolved. */
const normalPath = (pathname: string): string => {
  const path = normalisePercent(pathname);
  const kept = dropPathSession(path);
  if (kept === path || !DOT_SEGMENT.test(kept)) return kept;
  return new URL(`http://h${kept}`).pathname;
};

const normalQuery = (search: string): string => {
  const query = dropQuerySession(normalisePercent(search));
  return query === '?' ? '' : query;
};

const compose = (url: URL): string | Refused => {
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  if (host === '' || host.endsWith('.') || host.startsWith('.') || host.includes('..')) return HOST;
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${host}${port}${normalPath(url.pathname)}${normalQuery(url.search)}`;
};

const normalise = (input: string, base: string | undefined): NormalUrl | Refused => {
  if (input.length > MAX_INPUT_CHARS) return LENGTH;
  if (OTHER_SCHEME.test(input)) return SCHEME;
  const url = parse(withoutFragment(input), base);
  if (url === undefined) return MALFORMED;
  const { href } = url;
  const isPlain = PLAIN.test(href);
  if (!isPlain && url.protocol !== 'http:' && url.protocol !== 'https:') return SCHEME;
  const normal = isPlain ? href : compose(url);
  if (typeof normal !== 'string') return normal;
  if (normal.length > MAX_URL_CHARS) return LENGTH;
  // The URL class turns a lone surrogate into U+FFFD, which a page may also link to in earnest.
  if (normal.includes('%EF%BF%BD') && LONE_SURROGATE.test(input)) return SURROGATE;
  return normal as NormalUrl;
};

/**
 * The one spelling under which Quarry knows a page, undefined for what it does not fetch. Read by the WHATWG URL
 * standard, then by RFC 3986, 6.2: scheme and host in lower case and ASCII, one trailing dot of the host and the
 * default port dropped, dot segments resolved, escapes in one spelling, an empty path `/`. Dropped as well: fragment, user
 * and password, an empty query, session ids. The order of the query is kept, and so are doubled slashes: servers may
 * mean something by them. Idempotent.
 */
export const normaliseUrl = (input: string, base?: NormalUrl): NormalUrl | undefined => {
  const plain = base === undefined ? undefined : resolvePlain(input, base);
  if (plain !== undefined && plain.length <= MAX_URL_CHARS) return plain as NormalUrl;
  const normal = normalise(input, base);
  return typeof normal === 'string' ? normal : undefined;
};

export type UrlExplanation =
  | { readonly url: NormalUrl }
  | { readonly refusal: UrlRefusal; readonly error: string };

/** The same with the reason when there is no URL; the base may be any URL, http(s) or not. */
export const explainUrl = (input: string, base?: string): UrlExplanation => {
  const normal = normalise(input, base);
  if (typeof normal === 'string') return { url: normal };
  return { refusal: normal.refusal, error: URL_REFUSALS[normal.refusal] };
};
