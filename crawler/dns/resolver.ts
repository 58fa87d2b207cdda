import { Resolver as CaresResolver, lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';
import { asDnsError, DnsError, failDns } from './errors.ts';
import { untilAborted } from './until-aborted.ts';

export interface ResolvedAddress {
  readonly ip: string;
  readonly family: 4 | 6;
}

/** What a name server said of a host. */
export interface Resolution {
  /** At least one; IPv4 first. */
  readonly addresses: readonly ResolvedAddress[];
  /** Seconds for which the answer holds; Infinity for an address. */
  readonly ttlS: number;
}

/** Asks name servers, each time anew. Rejects with DnsError, or with the signal's reason. */
export interface Resolver {
  resolve(host: string, signal?: AbortSignal): Promise<Resolution>;
}

/** What the rest of the crawler asks: addresses of a host, best first, from a cache. */
export interface HostResolver {
  resolve(host: string, signal?: AbortSignal): Promise<readonly string[]>;
}

/** Patience with a server that does not answer: the first try, doubled by each of the next. */
const TIMEOUT_MS = 2000;
const TRIES = 3;
/** The system does not say how long its answers hold. */
const SYSTEM_TTL_S = 60;

interface Answer {
  readonly addresses: readonly ResolvedAddress[];
  readonly ttlS: number;
}

const answerOf = (
  records: readonly { readonly address: string; readonly ttl: number }[],
  family: 4 | 6,
): Answer => ({
  addresses: records.map(({ address }) => ({ ip: address, family })),
  ttlS: Math.min(...records.map(({ ttl }) => ttl)),
});

/** A host that is an address already, with or without the brackets of a URL. */
const literal = (host: string): Resolution | undefined => {
  const ip = host.replace(/^\[|\]$/g, '');
  if (isIP(ip) === 0) return undefined;
  return { addresses: [{ ip, family: isIPv4(ip) ? 4 : 6 }], ttlS: Number.POSITIVE_INFINITY };
};

/** Of two failures the one that leaves hope: a server that failed may know the name. */
const worse = (host: string, errors: readonly unknown[]): DnsError => {
  const failures = errors.map((error) => asDnsError(host, error));
  return failures.find((failure) => !failure.isNotFound) ?? failures[0] ?? new DnsError(host, 'ENODATA');
};

/** Name servers over c-ares: no thread is blocked, unlike with getaddrinfo (`dns.lookup`), which four threads share. */
class ServerResolver implements Resolver {
  readonly #cares = new CaresResolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** `servers`: addresses with or without a port; none: those of the system. */
  constructor(servers: readonly string[]) {
    if (servers.length === 0) return;
    try {
      this.#cares.setServers(servers);
    } catch (cause) {
      throw failDns('CRAWL_BAD_DNS_SERVER', { server: servers.join(',') }, cause);
    }
  }

  async resolve(host: string, signal?: AbortSignal): Promise<Resolution> {
    return literal(host) ?? untilAborted(() => this.#ask(host), signal);
  }

  async #ask(host: string): Promise<Resolution> {
    const [four, six] = await Promise.allSettled([
      this.#cares.resolve4(host, { ttl: true }),
      this.#cares.resolve6(host, { ttl: true }),
    ]);
    const answers = [
      ...(four.status === 'fulfilled' && four.value.length > 0 ? [answerOf(four.value, 4)] : []),
      ...(six.status === 'fulfilled' && six.value.length > 0 ? [answerOf(six.value, 6)] : []),
    ];
    if (answers.length === 0) {
      throw worse(
        host,
        [four, six].flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
      );
    }
    return {
      addresses: answers.flatMap(({ addresses }) => addresses),
      ttlS: Math.min(...answers.map(({ ttlS }) => ttlS)),
    };
  }
}

/** c-ares does not read /etc/hosts; names that it does not find, or has nobody to ask for, are put to the system. */
class SystemResolver implements Resolver {
  readonly #servers = new ServerResolver([]);

  async resolve(host: string, signal?: AbortSignal): Promise<Resolution> {
    try {
      return await this.#servers.resolve(host, signal);
    } catch (error) {
      const isForSystem =
        error instanceof DnsError && (error.isNotFound || error.serverCode === 'ECONNREFUSED');
      if (!isForSystem) throw error;
      return untilAborted(() => this.#lookUp(host), signal);
    }
  }

  async #lookUp(host: string): Promise<Resolution> {
    try {
      const found = await lookup(host, { all: true, verbatim: false });
      const addresses = found.map(
        ({ address, family }) => ({ ip: address, family: family === 6 ? 6 : 4 }) as const,
      );
      if (addresses.length === 0) throw new DnsError(host, 'ENODATA');
      return { addresses, ttlS: SYSTEM_TTL_S };
    } catch (error) {
      throw asDnsError(host, error);
    }
  }
}

/**
 * The uncached resolver. `servers`: value of `--dns`, `ADDR[:PORT]`, several with commas between; with '' the system's
 * name servers, then its hosts file. Throws CRAWL_BAD_DNS_SERVER.
 */
export const createResolver = (servers: string): Resolver => {
  const list = servers
    .split(',')
    .map((server) => server.trim())
    .filter((server) => server !== '');
  return list.length === 0 ? new SystemResolver() : new ServerResolver(list);
};
