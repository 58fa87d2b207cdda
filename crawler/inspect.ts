import type { PageLink, RobotsFlags } from '../indexer/index.ts';
import type { HostKey, NormalUrl } from '../shards/index.ts';
import { formatKey, textHashOf, urlKey } from '../shards/index.ts';
import { resemblance } from './content-seen/resemblance.ts';
import { foldSpace } from './parse/block-text.ts';
import { parsePage } from './parse/page.ts';
import type { ParsedPage } from './parse/parsed-page.ts';
import { parseRobots } from './robots/parse.ts';
import { judgeUrl, rulesFor } from './robots/rules.ts';
import { hostOf, registrableDomain } from './url/hosts.ts';
import { explainUrl } from './url/normalise.ts';

/** The answers of `quarry inspect`: why a thing is seen as it is. Each takes one case and gives one JSON object. */
export type InspectError = { readonly error: string };

export interface UrlCase {
  readonly input: string;
  readonly base?: string;
}
export interface UrlReport {
  readonly url: NormalUrl;
  readonly host: HostKey;
  /** Registrable domain, null for an address or a name without one. */
  readonly domain: string | null;
  /** XXH64 of the URL, 16 hex digits. */
  readonly key: string;
}

/** A URL as the frontier knows it, or why it is none. */
export const inspectUrl = ({ input, base }: UrlCase): UrlReport | InspectError => {
  const explained = explainUrl(input, base);
  if ('error' in explained) return { error: explained.error };
  const { url } = explained;
  const host = hostOf(url);
  return { url, host, domain: registrableDomain(host) ?? null, key: formatKey(urlKey(url)) };
};

/** Exactly one of `robots` and `robotsBase64` is given; the second one where the file is not UTF-8. */
export interface RobotsCase {
  readonly robots?: string;
  readonly robotsBase64?: string;
  readonly agent: string;
  readonly url: string;
}
export interface RobotsReport {
  readonly allowed: boolean;
  /** The deciding line as `Allow: /x` or `Disallow: /x`, null when no rule matches. */
  readonly rule: string | null;
  /** Its number from 1, null when no rule matches. */
  readonly line: number | null;
}

/** Whether an agent may fetch a URL by the rules of one robots.txt, and by which line. */
export const inspectRobots = ({
  robots,
  robotsBase64,
  agent,
  url,
}: RobotsCase): RobotsReport | InspectError => {
  const explained = explainUrl(url);
  if ('error' in explained) return { error: explained.error };
  const body = robotsBase64 === undefined ? Buffer.from(robots ?? '') : Buffer.from(robotsBase64, 'base64');
  const { allowed, rule, line } = judgeUrl(rulesFor(parseRobots(body), agent), explained.url);
  return { allowed, rule: rule ?? null, line: line ?? null };
};

export interface HtmlCase {
  readonly bodyBase64: string;
  /** Default `text/html`; '' lets the type be sniffed. */
  readonly contentType?: string;
  readonly url: string;
  /** Product token for robots metas; default `quarry`. */
  readonly agent?: string;
}
export interface HtmlReport {
  readonly charset: string;
  readonly title: string;
  readonly lang: string;
  /** Blocks separated by `\n`. */
  readonly text: string;
  readonly links: readonly PageLink[];
  readonly canonical: NormalUrl | null;
  readonly robots: RobotsFlags;
  readonly refresh: NonNullable<ParsedPage['refresh']> | null;
}

/** What the parser sees in a page. */
export const inspectHtml = ({ bodyBase64, contentType, url, agent }: HtmlCase): HtmlReport | InspectError => {
  const explained = explainUrl(url);
  if ('error' in explained) return { error: explained.error };
  const page = parsePage({
    url: explained.url,
    body: Buffer.from(bodyBase64, 'base64'),
    headers: { 'content-type': contentType ?? 'text/html' },
    agent: agent ?? 'quarry',
  });
  return {
    charset: page.charset,
    title: page.title,
    lang: page.lang,
    text: page.fields.find(({ field }) => field === 'body')?.text ?? '',
    links: page.links,
    canonical: page.canonical ?? null,
    robots: page.robots,
    refresh: page.refresh ?? null,
  };
};

/** Two texts. */
export interface SimilarCase {
  readonly a: string;
  readonly b: string;
}
export interface SimilarReport {
  /** Exact Jaccard coefficient of the sets of four-word shingles. */
  readonly resemblance: number;
  /** Verdict of the crawler: the texts are the same but for white space. */
  readonly duplicate: boolean;
}

/** How much two texts have in common, and whether the crawler takes them for one. */
export const inspectSimilar = ({ a, b }: SimilarCase): SimilarReport => ({
  resemblance: resemblance(a, b),
  duplicate: textHashOf('', foldSpace(a)) === textHashOf('', foldSpace(b)),
});
