/** Bounds of one fetch. Times are milliseconds. */
export interface FetchLimits {
  readonly connectMs: number;
  /** From the request to the end of the response's headers. */
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** Wall clock of everything together: a server that drips bytes cannot hold a connection longer. */
  readonly totalMs: number;
  /** Rate below which a body is given up, once `slowGraceMs` have passed. */
  readonly minBytesPerS: number;
  readonly slowGraceMs: number;
  /** Of the body as sent; what is beyond is not read. */
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
}

/** The bounds of every crawl. */
export const FETCH_LIMITS: FetchLimits = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 60_000,
  minBytesPerS: 1_024,
  slowGraceMs: 10_000,
  maxBodyBytes: 8 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
};

/** Hops from one URL to the next (RFC 9110, 15.4 leaves the number to the client; browsers take 20, Google 10). */
export const MAX_REDIRECTS = 10;
/** RFC 9309, 2.3.1.2. */
export const MAX_ROBOTS_REDIRECTS = 5;

/** Types whose body is a stream without end, or of no use to an index: left as soon as the headers are read. */
export const isUnwantedType = (contentType: string): boolean =>
  /^\s*(audio|video|multipart)\//i.test(contentType);
