import { VERSION } from '../shards/index.ts';
import type { CrawlConfig } from './config.ts';
import { fail } from './errors.ts';
import { productToken } from './robots/parse.ts';

/** User-Agent line: the user's own, or ours with the contact that was given. */
export const userAgent = ({ agent, contact }: Pick<CrawlConfig, 'agent' | 'contact'>): string =>
  agent !== '' ? agent : `quarry/${VERSION}${contact === '' ? '' : ` (+${contact})`}`;

/** Mail address for the From line, '' when the contact is none. */
export const fromAddress = ({ contact }: Pick<CrawlConfig, 'contact'>): string =>
  /^[^\s@/]+@[^\s@/]+$/.test(contact) ? contact : '';

/** The name that robots.txt knows us by. Error: CRAWL_AGENT_INVALID. */
export const robotsAgent = (agent: string): string => {
  const token = productToken(agent);
  if (token === '') throw fail('CRAWL_AGENT_INVALID', { agent });
  return token;
};
