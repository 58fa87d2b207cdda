import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { HostKey } from '../../shards/index.ts';
import { isPrivateAddress } from '../url/hosts.ts';
import type { FetchLimits } from './limits.ts';

/** Addresses of a host, best first; rejects with an error whose `code` is that of Node's resolver. */
export type LookUp = (host: HostKey) => Promise<readonly string[]>;

export interface ClientsOptions {
  readonly limits: FetchLimits;
  readonly lookUp: LookUp;
  /** Whether the host may stand on a loopback, private or link-local address. */
  readonly mayBePrivate: (host: HostKey) => boolean;
  /** Connections to one origin: 1 unless politeness is switched off. */
  readonly connectionsPerOrigin: number;
  /** Origins whose connections are kept open. */
  readonly maxOrigins?: number;
}

/** A connection (or a few) to one origin. */
export interface OriginClient {
  readonly dispatcher: Dispatcher;
  /** Address of the last connection made, '' before it. */
  ip: string;
  inFlight: number;
  /** Answers had: a connection that breaks may then be an old one that the server closed. */
  answers: number;
}

const privateError = (host: string, ip: string): Error =>
  Object.assign(new Error(`${host} leads to the private address ${ip}`), { code: 'EPRIVATE' });

/** Kept between two requests: until the usual gap is over, or as long as the server says, up to half a minute. */
const KEEP_ALIVE_MS = 5_000;
const KEEP_ALIVE_MAX_MS = 30_000;

/** One undici client per origin, the least recently used closed first. Addresses are checked when they are connected to. */
export class Clients {
  readonly #options: ClientsOptions;
  readonly #maxOrigins: number;
  readonly #clients = new Map<string, OriginClient>();

  constructor(options: ClientsOptions) {
    this.#options = options;
    this.#maxOrigins = options.maxOrigins ?? 1024;
  }

  /** The client of an origin, marked as in use until `giveBack`. */
  take(origin: string): OriginClient {
    const client = this.#clients.get(origin) ?? this.#make(origin);
    this.#clients.delete(origin);
    this.#clients.set(origin, client);
    client.inFlight += 1;
    return client;
  }

  giveBack(client: OriginClient): void {
    client.inFlight -= 1;
    if (this.#clients.size <= this.#maxOrigins) return;
    for (const [origin, candidate] of this.#clients) {
      if (candidate.inFlight > 0) continue;
      this.#clients.delete(origin);
      void candidate.dispatcher.close();
      return;
    }
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.dispatcher.destroy()));
  }

  #make(origin: string): OriginClient {
    const { limits, connectionsPerOrigin } = this.#options;
    // The connector needs the client to note the address in, the client needs the connector.
    const noteIp = (ip: string): void => {
      client.ip = ip;
    };
    const options = {
      connect: this.#connector(noteIp),
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.idleMs,
      maxHeaderSize: limits.maxHeaderBytes,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      pipelining: 1,
    };
    const dispatcher =
      connectionsPerOrigin === 1
        ? new Client(origin, options)
        : new Pool(origin, { ...options, connections: connectionsPerOrigin });
    const client: OriginClient = { dispatcher, ip: '', inFlight: 0, answers: 0 };
    return client;
  }

  #connector(noteIp: (ip: string) => void): buildConnector.connector {
    // Public pages are read without credentials: a bad certificate is a fact about the site, not a danger to the user.
    const connect = buildConnector({
      timeout: this.#options.limits.connectMs,
      rejectUnauthorized: false,
      lookup: this.#lookup,
    });
    return (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) > 0 && this.#isRefused(host as HostKey, host)) {
        callback(privateError(host, host), null);
        return;
      }
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        noteIp(socket.remoteAddress ?? '');
        callback(null, socket);
      });
    };
  }

  #isRefused(host: HostKey, ip: string): boolean {
    return isPrivateAddress(ip) && !this.#options.mayBePrivate(host);
  }

  readonly #lookup: LookupFunction = (hostname, options, answer) => {
    const host = hostname as HostKey;
    this.#allowedAddresses(host).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true)
          answer(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        else answer(null, first, isIP(first));
      },
      (error: Error) => answer(error, '', 4),
    );
  };

  async #allowedAddresses(host: HostKey): Promise<readonly [string, ...string[]]> {
    const addresses = await this.#options.lookUp(host);
    const [first, ...others] = addresses.filter((ip) => !this.#isRefused(host, ip));
    if (first === undefined) throw privateError(host, addresses[0] ?? '');
    return [first, ...others];
  }
}
