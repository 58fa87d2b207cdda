import { Resolver } from 'node:dns/promises';
import type { HostResolver } from '../crawl.ts';

/** Asks one name server for IPv4 addresses and keeps the answers for the length of a crawl. */
export const plainResolver = (server: string): HostResolver => {
  const resolver = new Resolver();
  if (server !== '') resolver.setServers([server]);
  const known = new Map<string, Promise<readonly string[]>>();
  return {
    resolve: (host) => {
      let answer = known.get(host);
      if (answer === undefined) {
        answer = resolver.resolve4(host);
        known.set(host, answer);
        answer.catch(() => known.delete(host));
      }
      return answer;
    },
  };
};
