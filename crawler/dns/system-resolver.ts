import { type Clock, systemClock } from '../../shards/index.ts';
import { DnsCache } from './cache.ts';
import { createResolver, type HostResolver } from './resolver.ts';

/** What a crawl asks for addresses: name servers behind a cache. `servers` as for createResolver, '' for the system's. */
export const systemResolver = (servers: string, clock: Clock = systemClock): HostResolver =>
  new DnsCache({ resolver: createResolver(servers), clock });
