import { defineErrors } from '../../shards/index.ts';

export const dnsErrors = {
  CRAWL_BAD_DNS_SERVER: {
    exit: 2,
    message:
      '"{server}" is not a name server; give --dns an address with or without a port, such as 127.0.0.1:5353',
  },
} as const;

export const failDns = defineErrors(dnsErrors);

/** Codes of Node's resolver for a name that has no address; all others mean that nobody could tell. */
const NOT_FOUND: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME', 'EAI_NODATA']);

export type DnsErrorCode = 'ENOTFOUND' | 'ESERVFAIL' | 'ETIMEOUT';

const codeOf = (serverCode: string): DnsErrorCode => {
  if (NOT_FOUND.has(serverCode)) return 'ENOTFOUND';
  return serverCode === 'ETIMEOUT' ? 'ETIMEOUT' : 'ESERVFAIL';
};

/**
 * A host name could not be resolved. ENOTFOUND: it has no address, asking again soon is of no use. ESERVFAIL and ETIMEOUT:
 * the name servers failed or were silent, it may exist.
 */
export class DnsError extends Error {
  readonly code: DnsErrorCode;
  /** As node:dns had it. */
  readonly serverCode: string;
  readonly host: string;

  constructor(host: string, serverCode: string, cause?: unknown) {
    const code = codeOf(serverCode);
    super(`${host}: ${code === 'ENOTFOUND' ? 'no address' : 'the name servers failed'} (${serverCode})`, {
      cause,
    });
    this.name = 'DnsError';
    this.code = code;
    this.serverCode = serverCode;
    this.host = host;
  }

  get isNotFound(): boolean {
    return this.code === 'ENOTFOUND';
  }
}

/** Any error of node:dns as a DnsError. */
export const asDnsError = (host: string, error: unknown): DnsError => {
  if (error instanceof DnsError) return error;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN';
  return new DnsError(host, code, error);
};
