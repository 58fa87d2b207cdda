export { fromAddress, robotsAgent, userAgent } from './agent.ts';
export type { CrawlConfig } from './config.ts';
export { crawlConfig } from './config.ts';
export { crawl } from './crawl.ts';
export type { CrawlOptions } from './crawl-options.ts';
export type { DnsCacheOptions } from './dns/cache.ts';
export { DnsCache } from './dns/cache.ts';
export type { DnsErrorCode } from './dns/errors.ts';
export { DnsError } from './dns/errors.ts';
export type { HostResolver, Resolution, ResolvedAddress, Resolver } from './dns/resolver.ts';
export { createResolver } from './dns/resolver.ts';
export { systemResolver } from './dns/system-resolver.ts';
export type { CrawlErrorCode } from './errors.ts';
export { crawlErrors } from './errors.ts';
export type { PageScorer } from './focus/page-scorer.ts';
export type { UrlRecord, UrlStatus } from './frontier/url-record.ts';
export type {
  HtmlCase,
  HtmlReport,
  InspectError,
  RobotsCase,
  RobotsReport,
  SimilarCase,
  SimilarReport,
  UrlCase,
  UrlReport,
} from './inspect.ts';
export { inspectHtml, inspectRobots, inspectSimilar, inspectUrl } from './inspect.ts';
export type { Inflated, InflateLimits } from './parse/inflate.ts';
export { inflate, MAX_BODY_BYTES } from './parse/inflate.ts';
export { parsePage } from './parse/page.ts';
export type { ParsedPage, ParseInput, Selectors } from './parse/parsed-page.ts';
export type { ParsePool, ParsePoolOptions } from './parse/pool.ts';
export { createParsePool } from './parse/pool.ts';
export { validateSelectors } from './parse/selectors.ts';
export type { CrawlStatus, HostStatus } from './report/crawl-status.ts';
export { hasCrawl, readCrawlStatus, readUrlRecords } from './report/crawl-status.ts';
export type { RobotsResponse, RobotsRow, RobotsStore, RobotsVerdict } from './robots/cache.ts';
export {
  isAllowed,
  isFresh,
  RobotsCache,
  robotsFromResponse,
  sitemapsOf,
  UNREACHABLE_MAX_MS,
} from './robots/cache.ts';
export type { RobotsFile, RobotsGroup, RobotsRule } from './robots/parse.ts';
export { MAX_ROBOTS_BYTES, parseRobots, productToken } from './robots/parse.ts';
export type { AgentRules, RobotsAnswer } from './robots/rules.ts';
export { judgePath, judgeUrl, rulesFor } from './robots/rules.ts';
export type {
  CrawlCounts,
  CrawlEvent,
  CrawlStatistics,
  CrawlSummary,
  WaitingFor,
} from './stages/statistics.ts';
export type { FilterReason, FilterSettings, Scope, UrlFilter } from './url/filters.ts';
export { composeFilters, inScope, MEDIA_EXTENSIONS, SCOPES } from './url/filters.ts';
export { hostOf, isPrivateAddress, originOf, pathOf, registrableDomain, siteOf } from './url/hosts.ts';
export type { UrlExplanation, UrlRefusal } from './url/normalise.ts';
export { explainUrl, MAX_URL_CHARS, normaliseUrl, URL_REFUSALS } from './url/normalise.ts';
