import type { NormalUrl } from '../../shards/index.ts';
import { hostOf, pathOf, siteOf } from './hosts.ts';

/** Which links of a page belong to the crawl: those of the seeds' hosts, of their domains, below their folders, all. */
export const SCOPES = ['host', 'domain', 'prefix', 'any'] as const;
export type Scope = (typeof SCOPES)[number];

/** Why a filter refuses a URL; stands in the URL's record and in `quarry status`. */
export type FilterReason =
  | 'scope'
  | 'include-domain'
  | 'exclude-domain'
  | 'include'
  | 'exclude'
  | 'extension'
  | 'path-depth'
  | 'repeated-segment'
  | 'self-nesting';

/** The reason for which a URL is refused, undefined when it passes. */
export type UrlFilter = (url: NormalUrl) => FilterReason | undefined;

const refuseUnless =
  (reason: FilterReason, passes: (url: NormalUrl) => boolean): UrlFilter =>
  (url) =>
    passes(url) ? undefined : reason;

/** The folder that a URL stands in: everything up to the last slash of its path. */
const folderOf = (url: NormalUrl): string => {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return path.slice(0, path.lastIndexOf('/') + 1);
};

/**
 * Whether a URL is inside the crawl that the seeds span. Scheme and port do not matter to `host` and `domain`; `prefix`
 * takes the seed's folder to the letter. A host without a registrable domain (an address, `localhost`) is its own domain.
 */
export const inScope = (scope: Scope, seeds: readonly NormalUrl[]): UrlFilter => {
  if (scope === 'any') return () => undefined;
  if (scope === 'prefix') {
    const folders = [...new Set(seeds.map(folderOf))];
    return refuseUnless('scope', (url) => folders.some((folder) => url.startsWith(folder)));
  }
  const keyOf = scope === 'host' ? hostOf : (url: NormalUrl) => siteOf(hostOf(url));
  const allowed = new Set<string>(seeds.map(keyOf));
  return refuseUnless('scope', (url) => allowed.has(keyOf(url)));
};

/** Whether `host` is `domain` or below it. */
const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

const cleanDomain = (domain: string): string => domain.toLowerCase().replace(/^\*?\./, '');

export const includeDomains = (domains: readonly string[]): UrlFilter => {
  const wanted = domains.map(cleanDomain);
  return refuseUnless('include-domain', (url) => wanted.some((domain) => isWithin(hostOf(url), domain)));
};

export const excludeDomains = (domains: readonly string[]): UrlFilter => {
  const unwanted = domains.map(cleanDomain);
  return refuseUnless('exclude-domain', (url) => !unwanted.some((domain) => isWithin(hostOf(url), domain)));
};

/** At least one pattern must be found somewhere in the URL. */
export const includePatterns = (patterns: readonly RegExp[]): UrlFilter =>
  refuseUnless('include', (url) => patterns.some((pattern) => url.search(pattern) >= 0));

export const excludePatterns = (patterns: readonly RegExp[]): UrlFilter =>
  refuseUnless('exclude', (url) => !patterns.some((pattern) => url.search(pattern) >= 0));

/**
 * Endings of files that hold neither text nor links, for who wants to spare the traffic. Not refused by default: what a
 * link leads to is recorded with its type, dead or alive, and the fetch stops at the headers of a type that is not read.
 */
export const MEDIA_EXTENSIONS: readonly string[] = (
  '7z apk bz2 cab deb dmg exe gz iso jar msi pkg rar rpm tar tgz xz zip zst ' +
  'avif bmp gif ico jpeg jpg png psd tif tiff webp ' +
  'aac avi flac m4a m4v mkv mov mp3 mp4 mpeg mpg ogg ogv opus wav webm wma wmv ' +
  'eot otf ttf woff woff2 css js mjs map wasm'
).split(' ');

const extensionOf = (url: NormalUrl): string => {
  const path = pathOf(url);
  const query = path.indexOf('?');
  const file = query < 0 ? path : path.slice(0, query);
  const dot = file.lastIndexOf('.');
  return dot > file.lastIndexOf('/') ? file.slice(dot + 1).toLowerCase() : '';
};

/** `extensions` without a dot, in lower case. */
export const excludeExtensions = (extensions: readonly string[]): UrlFilter => {
  const unwanted = new Set(extensions);
  return refuseUnless('extension', (url) => !unwanted.has(extensionOf(url)));
};

const segmentsOf = (url: NormalUrl): readonly string[] => {
  const path = pathOf(url);
  const query = path.indexOf('?');
  return (query < 0 ? path : path.slice(0, query)).split('/').filter((segment) => segment !== '');
};

/** Folders below folders without end come from relative links that a server answers at any depth. */
export const limitPathDepth = (maxSegments: number): UrlFilter =>
  refuseUnless('path-depth', (url) => segmentsOf(url).length <= maxSegments);

/**
 * Refuses a path in which a run of one to three segments follows itself more than `maxRepeats` times in a row
 * (`/img/img/img/img/`, `/a/b/a/b/a/b/a/b/`): `/a/a/` twice is legal (Heritrix, PathologicalPathDecideRule).
 */
export const limitRepeatedSegments = (maxRepeats: number): UrlFilter =>
  refuseUnless('repeated-segment', (url) => {
    const segments = segmentsOf(url);
    return [1, 2, 3].every((period) => longestRun(segments, period) < period * maxRepeats);
  });

/** How many segments in a row equal the one `period` places before. */
const longestRun = (segments: readonly string[], period: number): number => {
  let longest = 0;
  let run = 0;
  for (let index = period; index < segments.length; index++) {
    run = segments[index] === segments[index - period] ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
};

/**
 * A page that links to itself with its own address as a parameter grows by it at each step. Once is a login link that
 * knows the way back, twice is a trap.
 */
export const refuseSelfNesting: UrlFilter = refuseUnless('self-nesting', (url) => {
  const query = url.indexOf('?');
  if (query < 0) return true;
  const host = hostOf(url);
  const nested = url
    .slice(query)
    .replaceAll(/%(?:25)*2F/g, '/')
    .split(`//${host}`);
  return nested.length <= 2;
});

export interface FilterSettings {
  readonly scope: Scope;
  /** What `scope` is measured from; the target of a redirected seed belongs to them. */
  readonly seeds: readonly NormalUrl[];
  readonly includeDomains?: readonly string[];
  readonly excludeDomains?: readonly string[];
  readonly include?: readonly RegExp[];
  readonly exclude?: readonly RegExp[];
  /** Default none; see MEDIA_EXTENSIONS. */
  readonly excludeExtensions?: readonly string[];
  /** Default 20. */
  readonly maxPathSegments?: number;
  /** Default 2: a segment may stand three times in a row. */
  readonly maxRepeats?: number;
}

const present = <T>(values: readonly T[] | undefined): values is readonly T[] =>
  values !== undefined && values.length > 0;

/** Domains included by name widen a scope; the scope `any` they narrow. */
const scopeFilter = ({ scope, seeds, includeDomains: domains }: FilterSettings): UrlFilter => {
  const inside = inScope(scope, seeds);
  if (!present(domains)) return inside;
  const named = includeDomains(domains);
  return scope === 'any' ? named : (url) => (named(url) === undefined ? undefined : inside(url));
};

/** The filters of a crawl in their order: scope, domains, patterns, extensions, traps. The first refusal counts. */
export const composeFilters = (settings: FilterSettings): UrlFilter => {
  const { maxPathSegments = 20, maxRepeats = 2, excludeExtensions: extensions } = settings;
  const filters: UrlFilter[] = [
    scopeFilter(settings),
    ...(present(settings.excludeDomains) ? [excludeDomains(settings.excludeDomains)] : []),
    ...(present(settings.include) ? [includePatterns(settings.include)] : []),
    ...(present(settings.exclude) ? [excludePatterns(settings.exclude)] : []),
    ...(present(extensions) ? [excludeExtensions(extensions)] : []),
    limitPathDepth(maxPathSegments),
    limitRepeatedSegments(maxRepeats),
    refuseSelfNesting,
  ];
  return firstRefusal(filters);
};

const firstRefusal =
  (filters: readonly UrlFilter[]): UrlFilter =>
  (url) => {
    for (const filter of filters) {
      const reason = filter(url);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
