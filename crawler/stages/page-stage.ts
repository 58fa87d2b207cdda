import type { PageLink, PageRecord } from '../../indexer/index.ts';
import { type NormalUrl, QuarryError } from '../../shards/index.ts';
import type { RoutedLink } from '../cluster/host-splitter.ts';
import type { ContentVerdict } from '../content-seen/content-seen.ts';
import type { FetchResult } from '../fetch/fetcher.ts';
import type { Turn } from '../frontier/frontier.ts';
import type { ParsedPage, Selectors } from '../parse/parsed-page.ts';
import { hostOf } from '../url/hosts.ts';
import type { CrawlContext } from './crawl-context.ts';
import { appendGone, settle, settleFailure } from './settle.ts';

export interface FetchedPage {
  readonly turn: Turn;
  readonly answer: FetchResult & { readonly kind: 'answer' };
}

/** Headers that the page log keeps. */
const KEPT_HEADERS = [
  'content-type',
  'content-language',
  'content-encoding',
  'last-modified',
  'etag',
  'date',
  'link',
  'x-robots-tag',
];
/**
 * Links that their author does not vouch for (HTML 4.6.6), which is not a request to stay away: a site's own pages are
 * followed all the same by default. A robots meta or X-Robots-Tag with nofollow is such a request.
 */
const NO_FOLLOW = /(?:^| )nofollow(?: |$)/;
const MAX_TITLE_CHARS = 200;

/** Those of the three that are given and not ''; undefined when none is. */
export const givenSelectors = (settings: Selectors): Selectors | undefined => {
  const { content = '', strip = '', title = '' } = settings;
  if (content === '' && strip === '' && title === '') return undefined;
  return { ...(content && { content }), ...(strip && { strip }), ...(title && { title }) };
};

const selectorsFor = ({ config }: CrawlContext, url: NormalUrl): Selectors | undefined => {
  const { content, strip, title } = config.hosts[hostOf(url)] ?? config;
  return givenSelectors({
    content: content ?? config.content,
    strip: strip ?? config.strip,
    title: title ?? config.title,
  });
};

const keptHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
};

/** A page answered with 200: parse, content seen, page log, links, in this order; then the URL's visit is over. */
export const archivePage = async (context: CrawlContext, page: FetchedPage): Promise<void> => {
  const { turn, answer } = page;
  const { record } = turn.entry;
  if (answer.truncated === 'type') {
    record.type = mediaType(answer.headers['content-type'] ?? '');
    await appendGone(context, turn, { status: 200, reason: 'type' });
    await settle(context, turn, { status: 'fetched', httpStatus: 200 });
    return;
  }
  const parsed = await parse(context, page);
  if (parsed === undefined) {
    await settleFailure(context, turn, { failure: 'parse', httpStatus: answer.status });
    return;
  }
  const truncated = answer.truncated === '' ? parsed.truncated : answer.truncated;
  const isWorse = truncated === 'disconnect' && record.textHash !== '';
  if (isWorse) {
    // A complete older copy is better than a part of a newer one.
    await settle(context, turn, { status: 'failed', reason: 'disconnect', httpStatus: 200 });
    return;
  }
  await store(context, page, { parsed, truncated });
};

/** Undefined when the page defeats the parser, which is that page's failure and no one else's. */
const parse = async (
  context: CrawlContext,
  { turn, answer }: FetchedPage,
): Promise<ParsedPage | undefined> => {
  const { url } = turn.entry.record;
  const selectors = selectorsFor(context, url);
  try {
    return await context.parser.parse({
      url,
      body: answer.body,
      contentEncoding: answer.headers['content-encoding'] ?? '',
      headers: answer.headers,
      agent: context.robotsAgent,
      nowMs: context.clock.nowMs(),
      ...(selectors === undefined ? {} : { selectors }),
    });
  } catch (error) {
    if (error instanceof QuarryError && error.code.startsWith('CRAWL_PARSE_')) return undefined;
    throw error;
  }
};

const mediaType = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

interface Parsed {
  readonly parsed: ParsedPage;
  readonly truncated: string;
}

const store = async (context: CrawlContext, page: FetchedPage, content: Parsed): Promise<void> => {
  const { turn, answer } = page;
  const { record } = turn.entry;
  const { parsed } = content;
  const { url, textHash: previousHash } = record;
  if (previousHash !== '') {
    record.checks += 1;
    record.changes += previousHash === parsed.textHash ? 0 : 1;
  }
  const isListed = parsed.indexable && !parsed.robots.noindex;
  const claim = { url, textHash: parsed.textHash, previousHash };
  const [verdict] = parsed.indexable ? await context.content.claim([claim]) : [];
  record.score = (await context.scorer?.score(parsed, url)) ?? 0;
  if (parsed.robots.noindex) {
    await context.pages.append({
      kind: 'gone',
      url,
      status: answer.status,
      fetchedAtMs: context.clock.nowMs(),
      reason: 'noindex',
    });
  } else {
    await context.pages.append(pageRecord(context, page, content));
  }
  record.textHash = parsed.indexable ? parsed.textHash : '';
  record.type = parsed.type;
  record.bytes = parsed.body.length;
  record.title = parsed.title.slice(0, MAX_TITLE_CHARS);
  record.lang = parsed.lang;
  record.duplicateOf = verdict?.duplicateOf ?? '';
  record.etag = answer.headers['etag'] ?? '';
  record.lastModified = answer.headers['last-modified'] ?? '';
  await context.intake.add(linksOf(context, page, { parsed, verdict }));
  context.emit({ kind: 'page', url, status: answer.status, title: parsed.title });
  await settle(context, turn, {
    status: parsed.robots.noindex ? 'excluded' : isListed && verdict?.duplicateOf ? 'duplicate' : 'fetched',
    reason: parsed.robots.noindex ? 'noindex' : '',
    httpStatus: answer.status,
  });
};

const pageRecord = (
  { clock, config }: CrawlContext,
  { turn, answer }: FetchedPage,
  { parsed, truncated }: Parsed,
): PageRecord => {
  const { record } = turn.entry;
  const { body, indexable: _indexable, truncated: _truncated, refresh, canonical, ...said } = parsed;
  return {
    kind: 'page',
    url: record.url,
    redirects: record.hops,
    fetchedAtMs: clock.nowMs(),
    fetchMs: Math.round(answer.fetchMs),
    ip: answer.ip,
    status: answer.status,
    headers: keptHeaders(answer.headers),
    ...said,
    ...(refresh === undefined ? {} : { refresh }),
    ...(canonical === undefined ? {} : { canonical }),
    ...(config.bodies ? { body } : {}),
    truncated,
    depth: record.depth,
  };
};

/** Links to follow: none beyond the depth limit, of a nofollow page, or of a text that too many URLs have. */
const linksOf = (
  { config }: CrawlContext,
  { turn }: FetchedPage,
  { parsed, verdict }: { readonly parsed: ParsedPage; readonly verdict: ContentVerdict | undefined },
): RoutedLink[] => {
  const { record } = turn.entry;
  const mayFollow = !parsed.robots.nofollow && (verdict?.followLinks ?? true);
  if (!mayFollow || record.depth >= config.maxDepth) return [];
  const host = hostOf(record.url);
  const isLeftOut = ({ rel, url }: PageLink): boolean =>
    config.relNofollow !== 'none' &&
    NO_FOLLOW.test(rel) &&
    (config.relNofollow === 'all' || hostOf(url) !== host);
  const urls = new Set<NormalUrl>();
  for (const link of parsed.links) if (!isLeftOut(link)) urls.add(link.url);
  const shared = { depth: record.depth + 1, parentScore: record.score, hops: [], seed: false };
  return Array.from(urls, (url) => ({ url, ...shared }));
};
