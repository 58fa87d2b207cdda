import { readFileSync } from 'node:fs';
import type { CrawlConfig } from './config.ts';
import { fail } from './errors.ts';
import { productToken } from './robots/parse.ts';

const HOMEPAGE = 'https://www.npmjs.com/package/quarry';

const version = (): string => {
  // Both dist/crawler/agent.js and crawler/agent.ts have the package's description above them.
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Record<
        string,
        string
      >;
      if (name === 'quarry' && version !== undefined) return version;
    } catch {
      // The next path is tried.
    }
  }
  return '0';
};

/** User-Agent line: the user's own, or ours with the contact that was given. */
export const userAgent = ({ agent, contact }: Pick<CrawlConfig, 'agent' | 'contact'>): string =>
  agent !== '' ? agent : `quarry/${version()} (+${contact === '' ? HOMEPAGE : contact})`;

/** Mail address for the From line, '' when the contact is none. */
export const fromAddress = ({ contact }: Pick<CrawlConfig, 'contact'>): string =>
  /^[^\s@/]+@[^\s@/]+$/.test(contact) ? contact : '';

/** The name that robots.txt knows us by. Error: CRAWL_AGENT_INVALID. */
export const robotsAgent = (agent: string): string => {
  const token = productToken(agent);
  if (token === '') throw fail('CRAWL_AGENT_INVALID', { agent });
  return token;
};
