import type { NormalUrl, QuarryError } from '../shards/index.ts';
import { type CrawlErrorCode, fail } from './errors.ts';
import { failureInWords } from './fetch/failures.ts';
import type { UrlRecord } from './frontier/url-record.ts';
import { normaliseUrl } from './url/normalise.ts';

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** `localhost:8080/x` has a port where a scheme's rest would be. */
const HOST_AND_PORT = /^[a-z0-9.-]+:\d{1,5}(?:[/?#]|$)/i;

/** One seed as the user wrote it, and how it fares. */
export interface Seed {
  readonly text: string;
  /** URLs to try in this order. */
  readonly candidates: readonly NormalUrl[];
  /** The one being tried, or its redirect's target. */
  current: NormalUrl;
  state: 'open' | 'ok' | 'failed';
  code: CrawlErrorCode;
  reason: string;
}

const candidatesOf = (text: string): NormalUrl[] => {
  const scheme = HOST_AND_PORT.test(text) ? undefined : SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    throw fail('CRAWL_SEED_NOT_HTTP', { seed: text, scheme });
  }
  const texts = scheme === undefined ? [`https://${text}`, `http://${text}`] : [text];
  return texts.map((candidate) => {
    const url = normaliseUrl(candidate);
    if (url === undefined) throw fail('CRAWL_SEED_INVALID', { seed: text });
    return url;
  });
};

/** Errors: CRAWL_NO_SEEDS, CRAWL_SEED_INVALID, CRAWL_SEED_NOT_HTTP. */
export const parseSeeds = (texts: readonly string[]): Seed[] => {
  const seeds = texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text): Seed => {
      const candidates = candidatesOf(text);
      const [current] = candidates as [NormalUrl];
      return { text, candidates, current, state: 'open', code: 'CRAWL_SEED_UNREACHABLE', reason: '' };
    });
  if (seeds.length === 0) throw fail('CRAWL_NO_SEEDS');
  return seeds;
};

/** Which error a seed's failed visit is. */
const codeOf = ({ status, reason }: UrlRecord): CrawlErrorCode => {
  if (status === 'excluded') return 'CRAWL_SEED_DISALLOWED';
  if (reason.startsWith('dns-')) return 'CRAWL_SEED_UNRESOLVED';
  if (reason === 'private-address') return 'CRAWL_SEED_PRIVATE';
  return 'CRAWL_SEED_UNREACHABLE';
};

const SUCCESS = new Set(['fetched', 'duplicate', 'notModified']);

/** Follows the seeds through schemes and redirects until each is known to work or not. */
export class Seeds {
  readonly #seeds: readonly Seed[];
  #lastFailed: Seed | undefined;

  constructor(seeds: readonly Seed[]) {
    this.#seeds = seeds;
  }

  get all(): readonly Seed[] {
    return this.#seeds;
  }

  /**
   * A seed's URL has been settled. Returns the URL to try instead, if there is one, and the seed if it has now failed.
   */
  settled(record: UrlRecord): { readonly next?: NormalUrl; readonly failed?: Seed } {
    const seed = this.#seeds.find((candidate) => candidate.current === record.url);
    if (seed === undefined || seed.state === 'ok') return {};
    if (SUCCESS.has(record.status) || record.reason === 'noindex') {
      seed.state = 'ok';
      return {};
    }
    if (record.status === 'redirected') {
      seed.current = record.redirectTo as NormalUrl;
      return {};
    }
    return this.#next(seed, record);
  }

  #next(seed: Seed, record: UrlRecord): { readonly next?: NormalUrl; readonly failed?: Seed } {
    const next = seed.candidates[seed.candidates.indexOf(seed.current) + 1];
    const mayTryNext = seed.candidates.includes(seed.current) && record.httpStatus === 0;
    if (next !== undefined && mayTryNext) {
      seed.current = next;
      return { next };
    }
    seed.state = 'failed';
    seed.code = codeOf(record);
    seed.reason = failureInWords(record.reason);
    this.#lastFailed = seed;
    return { failed: seed };
  }

  /** The error to throw when no seed works, of the one that failed last; undefined while one may. */
  error(): QuarryError | undefined {
    const last = this.#lastFailed;
    if (last === undefined || this.#seeds.some((seed) => seed.state !== 'failed')) return undefined;
    return fail(last.code, { seed: last.text, reason: last.reason });
  }
}
