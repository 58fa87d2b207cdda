import { failShards } from '../errors.ts';
import type { QueryPlan } from '../search/query-plan.ts';
import type {
  ExpandRequest,
  FetchedPage,
  FetchRequest,
  KnownContribution,
  NodeStatus,
  ScoreExplanation,
  SearchAnswer,
  SearchRequest,
  ShardClient,
  ShardContribution,
} from '../server/shard-client.ts';
import { decodeEpoch } from '../statistics/epoch-file.ts';
import type { IndexStatistics } from '../statistics/statistics.ts';
import { type Clock, systemClock } from '../values/clock.ts';
import type { EpochNumber, UrlKey } from '../values/ids.ts';
import type { StoredPage } from '../values/stored-page.ts';
import { failRemote } from './errors.ts';
import { formatNodeAddress, type NodeAddress, NodeConnection } from './node-connection.ts';
import {
  contributionsOperation,
  expandOperation,
  explainOperation,
  fetchOperation,
  type Operation,
  pageOperation,
  searchOperation,
  stageOperation,
  statisticsOperation,
  statusOperation,
} from './operations.ts';

export interface RemoteNodeOptions extends NodeAddress {
  /** What the shard server asks for, if it does. */
  readonly token?: string;
  /** For TCP and hello together; default 2,000. */
  readonly connectTimeoutMs?: number;
  /** After which a request is given up, besides the time that a search may take by itself; default 5,000. */
  readonly requestTimeoutMs?: number;
  readonly clock?: Clock;
  /** 0..1, spreads the reconnections of many brokers. */
  readonly random?: () => number;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 2000;
const DEFAULT_REQUEST_TIMEOUT_MS = 5000;
/** Between attempts to connect: doubled from the first to the last, times 0.5 to 1. */
const FIRST_DELAY_MS = 50;
const LAST_DELAY_MS = 2000;
/** Counting a shard gently takes long (statistics/gently.ts), and nobody waits for it. */
const COUNTING_TIME_MS = 600_000;
/** As many as a node keeps. */
const KEPT_EPOCHS = 2;

interface CallTimes {
  readonly signal?: AbortSignal | undefined;
  /** What the request may take by itself. */
  readonly ownTimeMs?: number;
}

/**
 * A node in another process. It connects when it is first asked, and again after it lost its connection; after an
 * attempt that failed it fails at once (SHARDS_NODE_UNREACHABLE) until the delay is over.
 */
class RemoteNode implements ShardClient {
  readonly #options: RemoteNodeOptions;
  readonly #clock: Clock;
  readonly #requestTimeoutMs: number;
  #connection: NodeConnection | undefined;
  #connecting: Promise<NodeConnection> | undefined;
  #failureCount = 0;
  #lastFailure: unknown;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** Newest first. */
  #epochs: readonly IndexStatistics[] = [];

  constructor(options: RemoteNodeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS;
  }

  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    return this.#call(searchOperation, request, { signal, ownTimeMs: request.budgetMs });
  }

  fetch(request: FetchRequest, signal?: AbortSignal): Promise<readonly FetchedPage[]> {
    return this.#call(fetchOperation, request, { signal });
  }

  page(key: UrlKey): Promise<StoredPage | undefined> {
    return this.#call(pageOperation, key);
  }

  explain(plan: QueryPlan, key: UrlKey): Promise<ScoreExplanation | undefined> {
    return this.#call(explainOperation, { plan, key });
  }

  expand(request: ExpandRequest, signal?: AbortSignal): Promise<readonly (readonly string[])[]> {
    return this.#call(expandOperation, request, { signal });
  }

  /** Fetched once an epoch: the two newest are kept. */
  async statistics(epoch?: EpochNumber): Promise<IndexStatistics> {
    const [newest] = this.#epochs;
    const known = epoch === undefined ? newest : this.#epochs.find((each) => each.epoch === epoch);
    if (epoch !== undefined && known !== undefined) return known;
    const have = known === undefined ? {} : { have: known.epoch };
    const bytes = await this.#call(statisticsOperation, epoch === undefined ? have : { epoch });
    if (bytes === undefined && known !== undefined) return known;
    const statistics = decodeEpoch(
      bytes ?? new Uint8Array(0),
      `the epoch of node ${formatNodeAddress(this.#options)}`,
    );
    this.#epochs = [statistics, ...this.#epochs.filter((each) => each.epoch !== statistics.epoch)]
      .sort((a, b) => b.epoch - a.epoch)
      .slice(0, KEPT_EPOCHS);
    return statistics;
  }

  contributions(known: readonly KnownContribution[], signal?: AbortSignal): Promise<ShardContribution[]> {
    return this.#call(contributionsOperation, known, { signal, ownTimeMs: COUNTING_TIME_MS });
  }

  stage(epoch: Uint8Array): Promise<void> {
    return this.#call(stageOperation, epoch);
  }

  status(): Promise<NodeStatus> {
    return this.#call(statusOperation, undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connection?.close();
    const opened = await this.#connecting?.catch(() => undefined);
    opened?.close();
  }

  async #call<Request, Answer>(
    operation: Operation<Request, Answer>,
    request: Request,
    { signal, ownTimeMs = 0 }: CallTimes = {},
  ): Promise<Answer> {
    const connection = await this.#connected();
    return connection.call(operation, request, { timeoutMs: this.#requestTimeoutMs + ownTimeMs, signal });
  }

  /** Concurrent requests share one attempt. */
  #connected(): NodeConnection | Promise<NodeConnection> {
    if (this.#isClosed) throw failShards('SHARDS_NODE_CLOSED');
    if (this.#connection?.isOpen === true) return this.#connection;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<NodeConnection> {
    if (this.#clock.monotonicMs() < this.#retryAtMs) throw this.#lastFailure;
    const { token, connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS } = this.#options;
    try {
      const connection = await NodeConnection.open({ ...this.#options, token, connectTimeoutMs });
      this.#failureCount = 0;
      this.#connection = connection;
      return connection;
    } catch (error) {
      this.#lastFailure = error;
      this.#retryAtMs = this.#clock.monotonicMs() + this.#nextDelayMs();
      throw error;
    }
  }

  #nextDelayMs(): number {
    const { random = Math.random } = this.#options;
    const delayMs = Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failureCount);
    this.#failureCount += 1;
    return delayMs * (0.5 + random() / 2);
  }
}

/** A node behind a shard server (`quarry shard`). Nothing is connected before the first request. */
export const connectNode = (options: RemoteNodeOptions): ShardClient => new RemoteNode(options);

/** HOST:PORT or [IPV6]:PORT. Throws SHARDS_BAD_NODE_NAME. */
export const parseNodeAddress = (name: string): NodeAddress => {
  const [, ipv6, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/.exec(name) ?? [];
  const host = ipv6 ?? plain;
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535)) {
    throw failRemote('SHARDS_BAD_NODE_NAME', { node: name });
  }
  return { host, port };
};
