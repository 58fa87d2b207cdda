/** What the crawl does about a failure. */
export type FailureAction = 'retryUrl' | 'retryHost' | 'giveUpUrl' | 'giveUpHost';

export interface FailurePolicy {
  readonly action: FailureAction;
  /** Attempts in all, the first included; after them the URL (or, with `giveUpHostAfter`, the host) is given up. */
  readonly tries: number;
  /** Wait after the first failure; doubled from failure to failure up to the cap. */
  readonly baseMs: number;
  readonly capMs: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const once = { tries: 1, baseMs: 0, capMs: 0 } as const;
const backOff = { baseMs: MINUTE_MS, capMs: DAY_MS } as const;

/**
 * Failure → policy. `retryHost` holds the whole host back, since its other URLs would fare alike; `retryUrl` only the URL.
 * A word stands in URL records and reports as the reason; words are never reused for something else.
 */
export const FAILURES = {
  /** The name does not exist. */
  'dns-not-found': { action: 'giveUpHost', ...once },
  /** The name server failed or was silent: Mercator's tries after 1, 3, 9, 30 and 90 s. */
  'dns-failed': { action: 'retryHost', tries: 6, baseMs: SECOND_MS, capMs: 90 * SECOND_MS },
  /** Every address is private and the host is not a seed's. */
  'private-address': { action: 'giveUpHost', ...once },
  'connect-refused': { action: 'retryHost', tries: 3, ...backOff },
  'connect-timeout': { action: 'retryHost', tries: 3, ...backOff },
  'connect-unreachable': { action: 'retryHost', tries: 3, ...backOff },
  tls: { action: 'giveUpUrl', ...once },
  /** The connection broke before the answer's headers, on a fresh connection. */
  reset: { action: 'retryUrl', tries: 3, ...backOff },
  /** The body broke off; after the last try what came is kept, marked as truncated. */
  disconnect: { action: 'retryUrl', tries: 2, baseMs: 10 * SECOND_MS, capMs: MINUTE_MS },
  'headers-timeout': { action: 'retryHost', tries: 3, ...backOff },
  'total-timeout': { action: 'retryUrl', tries: 2, ...backOff },
  /** Not HTTP, or headers beyond the limit. */
  'bad-response': { action: 'giveUpUrl', ...once },
  'http-429': { action: 'retryHost', tries: 5, ...backOff },
  'http-503': { action: 'retryHost', tries: 5, ...backOff },
  /** Other 5xx, 408 and 425. */
  'http-5xx': { action: 'retryUrl', tries: 3, ...backOff },
  /** The origin's robots.txt cannot be had: nothing of it may be fetched (RFC 9309, 2.3.1.4). */
  'robots-unreachable': { action: 'giveUpUrl', ...once },
  /** The parser gave up on it. */
  parse: { action: 'giveUpUrl', ...once },
  /** Too many, in a circle, or to what is no URL. */
  redirects: { action: 'giveUpUrl', ...once },
} as const satisfies Readonly<Record<string, FailurePolicy>>;
export type FailureKind = keyof typeof FAILURES;

/** What a failure is called in a sentence to a person, where its word alone would not do. */
const IN_WORDS: Readonly<Partial<Record<FailureKind, string>>> = {
  'dns-not-found': 'no such name',
  'dns-failed': 'the name server does not answer',
  'connect-refused': 'connection refused',
  'connect-timeout': 'no connection in time',
  'connect-unreachable': 'no route to it',
  tls: 'no secure connection can be made',
  reset: 'the connection breaks',
  disconnect: 'the answer breaks off',
  'headers-timeout': 'no answer in time',
  'total-timeout': 'the answer takes too long',
  'bad-response': 'it does not answer in HTTP',
  'robots-unreachable': 'its robots.txt cannot be had',
};

/** A reason of a URL record as words for a sentence. */
export const failureInWords = (reason: string): string => IN_WORDS[reason as FailureKind] ?? reason;

/** Consecutive failures of connecting after which a host is given up for this run. */
export const HOST_DEATH_FAILURES = 5;

const BY_CODE: Readonly<Record<string, FailureKind>> = {
  ENOTFOUND: 'dns-not-found',
  ENODATA: 'dns-not-found',
  EAI_NONAME: 'dns-not-found',
  EAI_AGAIN: 'dns-failed',
  ESERVFAIL: 'dns-failed',
  EREFUSED: 'dns-failed',
  ETIMEOUT: 'dns-failed',
  EPRIVATE: 'private-address',
  ECONNREFUSED: 'connect-refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  ETIMEDOUT: 'connect-timeout',
  EHOSTUNREACH: 'connect-unreachable',
  ENETUNREACH: 'connect-unreachable',
  EADDRNOTAVAIL: 'connect-unreachable',
  EACCES: 'connect-unreachable',
  UND_ERR_HEADERS_TIMEOUT: 'headers-timeout',
  UND_ERR_HEADERS_OVERFLOW: 'bad-response',
  UND_ERR_SOCKET: 'reset',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  EDEADLINE: 'total-timeout',
};

/** Class of an error that ended a fetch before the headers of its answer. */
export const failureOf = (error: unknown): FailureKind => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    const known = BY_CODE[code];
    if (known !== undefined) return known;
    const isMalformed = cause.name === 'HTTPParserError' || code.startsWith('HPE_');
    if (isMalformed || code.startsWith('UND_ERR_RES')) return 'bad-response';
    if (/CERT|TLS|SSL|ALTNAME|EPROTO/.test(code)) return 'tls';
    const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
    if (first !== undefined) return failureOf(first);
  }
  return 'reset';
};

/** Class of an answer by its status; undefined when it is an answer to work with. */
export const failureOfStatus = (status: number): FailureKind | undefined => {
  if (status === 429) return 'http-429';
  if (status === 503) return 'http-503';
  if (status === 408 || status === 425 || status >= 500) return 'http-5xx';
  return undefined;
};
