import type { NormalUrl } from '../../shards/index.ts';
import { originOf } from '../url/hosts.ts';
import type { RobotsFile } from './parse.ts';
import { MAX_ROBOTS_BYTES, parseRobots } from './parse.ts';
import type { AgentRules, RobotsAnswer } from './rules.ts';
import { judgeUrl, rulesFor } from './rules.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** RFC 9309, 2.4: not longer than 24 hours; a shorter `max-age` is honoured down to an hour. */
const FRESH_MS = DAY_MS;
const MIN_FRESH_MS = HOUR_MS;
/** Wait before a file that could not be had is asked for again: doubled from failure to failure. */
const FIRST_RETRY_MS = 5 * MINUTE_MS;
const MAX_RETRY_MS = 6 * HOUR_MS;
/** RFC 9309, 2.3.1.4: after a "reasonably long" time unreachable, 30 days say, the site may be crawled. */
export const UNREACHABLE_MAX_MS = 30 * DAY_MS;

/**
 * What is known of one origin's robots.txt: plain data, to be stored as it is.
 *
 * State by the last answer: `rules` (200: obey `body`), `allow` (4xx: there is none), `failing` (429, 5xx, unreachable:
 * obey the last good `body`, or nothing is allowed, until 30 days after `failingSinceMs`).
 */
export interface RobotsRow {
  /** Scheme, host and port; http and https, 80 and 8080 have files of their own. */
  readonly origin: string;
  readonly state: 'rules' | 'allow' | 'failing';
  /** HTTP status of the last answer, 0 when there was none. */
  readonly status: number;
  /** Wall clock, milliseconds since 1970, as all times here. */
  readonly checkedAtMs: number;
  readonly freshUntilMs: number;
  /** First failure of the present run of failures, 0 when there is none. */
  readonly failingSinceMs: number;
  readonly failureCount: number;
  /** Last file that was had with 200, cut at 512 KiB; undefined when there never was one. */
  readonly body?: Uint8Array;
  /** Validators of `body`, '' when the server gave none. */
  readonly etag: string;
  readonly lastModified: string;
}

/** The end of the fetch of a robots.txt: of its last hop, after at most five redirects (RFC 9309, 2.3.1.2). */
export interface RobotsResponse {
  readonly origin: string;
  /** 0: no answer (DNS, connection, time, broken protocol). */
  readonly status: number;
  /** After content-decoding; empty unless status is 200. */
  readonly body: Uint8Array;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

const freshForMs = (headers: Readonly<Record<string, string>>): number => {
  const seconds = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1];
  if (seconds === undefined) return FRESH_MS;
  return Math.min(FRESH_MS, Math.max(MIN_FRESH_MS, Number(seconds) * 1000));
};

const settled = (response: RobotsResponse): Omit<RobotsRow, 'state' | 'etag' | 'lastModified'> => ({
  origin: response.origin,
  status: response.status,
  checkedAtMs: response.nowMs,
  freshUntilMs: response.nowMs + freshForMs(response.headers),
  failingSinceMs: 0,
  failureCount: 0,
});

const afterFailure = (
  { origin, status, nowMs }: RobotsResponse,
  previous: RobotsRow | undefined,
): RobotsRow => {
  const isFirst = previous?.state !== 'failing';
  const failureCount = isFirst ? 1 : previous.failureCount + 1;
  const retryMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failureCount - 1, 10));
  return {
    origin,
    state: 'failing',
    status,
    checkedAtMs: nowMs,
    freshUntilMs: nowMs + retryMs,
    failingSinceMs: isFirst ? nowMs : previous.failingSinceMs,
    failureCount,
    etag: previous?.etag ?? '',
    lastModified: previous?.lastModified ?? '',
    ...(previous?.body === undefined ? {} : { body: previous.body }),
  };
};

const isFailure = (status: number): boolean => status === 0 || status === 429 || status >= 500;

/**
 * The new row of an origin. 200 is the file; 304 renews the one that we have; 429, 5xx and no answer are failures; all
 * else, a sixth redirect included, means that there is no file and everything is allowed (RFC 9309, 2.3.1).
 */
export const robotsFromResponse = (response: RobotsResponse, previous?: RobotsRow): RobotsRow => {
  const { status, headers, body } = response;
  if (isFailure(status)) return afterFailure(response, previous);
  if (status === 200) {
    return {
      ...settled(response),
      state: 'rules',
      // One byte more than is read tells the parser that the last line is cut.
      body: body.slice(0, MAX_ROBOTS_BYTES + 1),
      etag: headers['etag'] ?? '',
      lastModified: headers['last-modified'] ?? '',
    };
  }
  if (status === 304 && previous?.body !== undefined) {
    const { etag, lastModified } = previous;
    return { ...settled(response), state: 'rules', body: previous.body, etag, lastModified };
  }
  return { ...settled(response), state: 'allow', etag: '', lastModified: '' };
};

/** Whether the row may be used without asking the server again. */
export const isFresh = (row: RobotsRow, nowMs: number): boolean => nowMs < row.freshUntilMs;

/** Whether a URL may be fetched, and why. */
export interface RobotsVerdict extends RobotsAnswer {
  /** What the verdict rests on. */
  readonly source: 'rules' | 'none' | 'old-copy' | 'unreachable' | 'unreachable-30-days';
  readonly crawlDelayS?: number;
}

interface Compiled {
  readonly file: RobotsFile;
  readonly byAgent: Map<string, AgentRules>;
}

/** Files are parsed once for each row object; the entry goes with the row. */
const compiledRows = new WeakMap<RobotsRow, Compiled>();

const compiledOf = (row: RobotsRow): Compiled => {
  const known = compiledRows.get(row);
  if (known !== undefined) return known;
  const compiled = {
    file: parseRobots(row.body ?? new Uint8Array()),
    byAgent: new Map<string, AgentRules>(),
  };
  compiledRows.set(row, compiled);
  return compiled;
};

const agentRulesOf = (row: RobotsRow, agent: string): AgentRules => {
  const { file, byAgent } = compiledOf(row);
  const known = byAgent.get(agent);
  if (known !== undefined) return known;
  const rules = rulesFor(file, agent);
  byAgent.set(agent, rules);
  return rules;
};

const judgeByBody = (
  row: RobotsRow,
  agent: string,
  url: NormalUrl,
): RobotsAnswer & { crawlDelayS?: number } => {
  const rules = agentRulesOf(row, agent);
  const answer = judgeUrl(rules, url);
  return rules.crawlDelayS === undefined ? answer : { ...answer, crawlDelayS: rules.crawlDelayS };
};

/** Whether `agent` (a product token) may fetch `url`, which must be of the row's origin, at `nowMs`. */
export const isAllowed = (row: RobotsRow, agent: string, url: NormalUrl, nowMs: number): RobotsVerdict => {
  if (row.state === 'allow') return { allowed: true, source: 'none' };
  if (row.state === 'rules') return { ...judgeByBody(row, agent, url), source: 'rules' };
  if (nowMs - row.failingSinceMs >= UNREACHABLE_MAX_MS)
    return { allowed: true, source: 'unreachable-30-days' };
  if (row.body !== undefined) return { ...judgeByBody(row, agent, url), source: 'old-copy' };
  return { allowed: url === `${row.origin}/robots.txt`, source: 'unreachable' };
};

/** `Sitemap:` lines of the file in force, as written. */
export const sitemapsOf = (row: RobotsRow): readonly string[] => compiledOf(row).file.sitemaps;

/** Where rows live between runs; the frontier's store is one. */
export interface RobotsStore {
  get(origin: string): RobotsRow | undefined;
  put(row: RobotsRow): void;
}

/** Rows of the origins asked last, in front of a store; keeps their parsed rules as well. */
export class RobotsCache {
  readonly #rows = new Map<string, RobotsRow>();
  readonly #store: RobotsStore;
  readonly #maxRows: number;

  constructor(store: RobotsStore, maxRows = 1024) {
    this.#store = store;
    this.#maxRows = maxRows;
  }

  /** The row for a URL's origin, fresh or not; undefined when its robots.txt was never asked for. */
  get(url: NormalUrl): RobotsRow | undefined {
    const origin = originOf(url);
    const row = this.#rows.get(origin) ?? this.#store.get(origin);
    if (row !== undefined) this.#remember(row);
    return row;
  }

  /** Takes in the answer to a fetch of the origin's robots.txt and stores the new row. */
  update(response: RobotsResponse): RobotsRow {
    const previous = this.#rows.get(response.origin) ?? this.#store.get(response.origin);
    const row = robotsFromResponse(response, previous);
    this.#store.put(row);
    this.#remember(row);
    return row;
  }

  #remember(row: RobotsRow): void {
    this.#rows.delete(row.origin);
    this.#rows.set(row.origin, row);
    if (this.#rows.size <= this.#maxRows) return;
    const [oldest] = this.#rows.keys();
    if (oldest !== undefined) this.#rows.delete(oldest);
  }
}
