import type { Clock } from '../../shards/index.ts';
import { asDnsError, type DnsError } from './errors.ts';
import type { HostResolver, Resolver } from './resolver.ts';
import { untilAborted } from './until-aborted.ts';

const SECOND_MS = 1000;
/** An answer that holds for a second would mean a question for each page; one for a month would outlive its truth. */
const MIN_TTL_MS = 60 * SECOND_MS;
const MAX_TTL_MS = 6 * 3600 * SECOND_MS;
/** A name that does not exist is asked for again after five minutes, then ten, up to six hours. */
const FIRST_NEGATIVE_MS = 300 * SECOND_MS;
const MAX_NEGATIVE_MS = 6 * 3600 * SECOND_MS;
/** Home routers lose questions beyond about 150 at once. */
const MAX_IN_FLIGHT = 64;
const MAX_ENTRIES = 100_000;

export interface DnsCacheOptions {
  readonly resolver: Resolver;
  readonly clock: Clock;
  /** Questions under way at once; default 64. */
  readonly maxInFlight?: number;
  /** Hosts remembered; default 100,000. The one that was answered longest ago goes first. */
  readonly maxEntries?: number;
}

interface Entry {
  readonly addresses: readonly string[];
  /** Set when the name does not exist. */
  readonly error?: DnsError;
  /** Monotonic. */
  readonly expiresAtMs: number;
  /** How long a next negative answer will hold. */
  readonly nextNegativeMs: number;
}

/**
 * Remembers answers for their time to live, names that do not exist for a growing while, failures of servers not at all.
 * A host that is being asked for is not asked for twice.
 */
export class DnsCache implements HostResolver {
  readonly #resolver: Resolver;
  readonly #clock: Clock;
  readonly #maxInFlight: number;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<readonly string[]>>();
  readonly #waiting: (() => void)[] = [];
  #inFlightCount = 0;

  constructor({ resolver, clock, maxInFlight = MAX_IN_FLIGHT, maxEntries = MAX_ENTRIES }: DnsCacheOptions) {
    this.#resolver = resolver;
    this.#clock = clock;
    this.#maxInFlight = maxInFlight;
    this.#maxEntries = maxEntries;
  }

  /**
   * Addresses of a host (a name, or an address with or without brackets), best first, at least one. Rejects with
   * DnsError; with the signal's reason when aborted, while the question goes on for others.
   */
  async resolve(host: string, signal?: AbortSignal): Promise<readonly string[]> {
    signal?.throwIfAborted();
    const entry = this.#entries.get(host);
    if (entry !== undefined && this.#clock.monotonicMs() < entry.expiresAtMs) {
      if (entry.error !== undefined) throw entry.error;
      return entry.addresses;
    }
    return untilAborted(() => this.#underWay.get(host) ?? this.#ask(host), signal);
  }

  #ask(host: string): Promise<readonly string[]> {
    const answer = this.#askInTurn(host).finally(() => this.#underWay.delete(host));
    this.#underWay.set(host, answer);
    return answer;
  }

  async #askInTurn(host: string): Promise<readonly string[]> {
    if (this.#inFlightCount >= this.#maxInFlight) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#inFlightCount += 1;
    try {
      const { addresses, ttlS } = await this.#resolver.resolve(host);
      const ips = addresses.map(({ ip }) => ip);
      this.#remember(host, { addresses: ips, nextNegativeMs: FIRST_NEGATIVE_MS }, clampTtl(ttlS * SECOND_MS));
      return ips;
    } catch (error) {
      throw this.#failed(host, asDnsError(host, error));
    } finally {
      this.#inFlightCount -= 1;
      this.#waiting.shift()?.();
    }
  }

  #failed(host: string, error: DnsError): DnsError {
    if (!error.isNotFound) return error;
    const holdMs = this.#entries.get(host)?.nextNegativeMs ?? FIRST_NEGATIVE_MS;
    const nextNegativeMs = Math.min(MAX_NEGATIVE_MS, holdMs * 2);
    this.#remember(host, { addresses: [], error, nextNegativeMs }, holdMs);
    return error;
  }

  #remember(host: string, entry: Omit<Entry, 'expiresAtMs'>, holdMs: number): void {
    this.#entries.delete(host);
    this.#entries.set(host, { ...entry, expiresAtMs: this.#clock.monotonicMs() + holdMs });
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

const clampTtl = (ttlMs: number): number => Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, ttlMs));
