import { createServer, type Server } from 'node:net';
import { type Clock, systemClock } from '../values/clock.ts';
import { failRemote } from './errors.ts';
import type { ServedNode } from './handlers.ts';
import { type ConnectionHost, ServerConnection } from './server-connection.ts';

export interface ShardServerOptions {
  /** Answers the requests; its owner closes it after the server. */
  readonly node: ServedNode;
  /** When given, every asker must know it. It goes over the wire as it is: between machines use a private network. */
  readonly token?: string;
  /** Requests worked on at once, over all connections; one more is refused with SHARDS_NODE_BUSY. Default 256. */
  readonly maxRequests?: number;
  /** Connections at once; further ones are closed at once. Default 256. */
  readonly maxConnections?: number;
  readonly clock?: Clock;
}

export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** Serves a node to other processes: PROTOCOL.md. */
export interface ShardServer {
  /** Starts to listen; resolves to the address taken. Throws SHARDS_LISTEN_FAILED. */
  listen(address: ListenAddress): Promise<ListenAddress>;
  /**
   * Takes no new connections and requests, tells the askers so, answers what is open, and closes; what is still open
   * after `graceMs` is broken off. Idempotent.
   */
  drain(graceMs: number): Promise<void>;
}

const DEFAULT_MAX_REQUESTS = 256;
const DEFAULT_MAX_CONNECTIONS = 256;

class TcpShardServer implements ShardServer {
  readonly #server: Server;
  readonly #connections = new Set<ServerConnection>();
  readonly #maxRequests: number;
  #openRequests = 0;
  #draining: Promise<void> | undefined;

  constructor(options: ShardServerOptions) {
    const { node, token, maxRequests = DEFAULT_MAX_REQUESTS, clock = systemClock } = options;
    this.#maxRequests = maxRequests;
    const host: ConnectionHost = {
      node,
      clock,
      token,
      isDraining: () => this.#draining !== undefined,
      enter: () => this.#enter(),
      leave: () => {
        this.#openRequests -= 1;
      },
      onClose: (connection) => this.#connections.delete(connection),
    };
    this.#server = createServer((socket) => this.#connections.add(new ServerConnection(socket, host)));
    this.#server.maxConnections = options.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
  }

  listen({ host, port }: ListenAddress): Promise<ListenAddress> {
    return new Promise((resolve, reject) => {
      const onError = (error: Error): void => {
        reject(failRemote('SHARDS_LISTEN_FAILED', { host, port, reason: error.message }, error));
      };
      this.#server.once('error', onError);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', onError);
        const bound = this.#server.address();
        resolve({ host, port: typeof bound === 'object' && bound !== null ? bound.port : port });
      });
    });
  }

  drain(graceMs: number): Promise<void> {
    this.#draining ??= this.#drainNow(graceMs);
    return this.#draining;
  }

  async #drainNow(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections) connection.drain();
    const timer = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  }

  #enter(): void {
    if (this.#openRequests >= this.#maxRequests) {
      throw failRemote('SHARDS_NODE_BUSY', { limit: this.#maxRequests });
    }
    this.#openRequests += 1;
  }
}

/** A shard server over a node. It listens only when told to. */
export const createShardServer = (options: ShardServerOptions): ShardServer => new TcpShardServer(options);
