import { defineErrors } from '../shards/index.ts';

/** What stops a crawl or keeps it from starting. Failures of single URLs and hosts are data: `fetch/failures.ts`. */
export const crawlErrors = {
  CRAWL_NO_SEEDS: {
    exit: 2,
    message: 'no seed URL was given; name at least one, such as https://docs.example.org',
  },
  CRAWL_SEED_INVALID: {
    exit: 2,
    message: 'seed "{seed}" is not a URL; write it like https://docs.example.org/',
  },
  CRAWL_SEED_NOT_HTTP: {
    exit: 2,
    message: 'seed "{seed}" is not http or https ({scheme}); only web pages can be crawled',
  },
  CRAWL_SEED_UNRESOLVED: {
    exit: 1,
    message:
      'the host of seed {seed} has no address ({reason}); check the name, or the name server given by --dns',
  },
  CRAWL_SEED_UNREACHABLE: {
    exit: 1,
    message: 'seed {seed} cannot be fetched ({reason}); check that the site is up and reachable from here',
  },
  CRAWL_SEED_DISALLOWED: {
    exit: 1,
    message:
      'robots.txt of the site forbids seed {seed} for this agent ({reason}); ask its owner, or start elsewhere',
  },
  CRAWL_SEED_PRIVATE: {
    exit: 1,
    message: 'seed {seed} leads to the private address {reason}; --allow-private permits that',
  },
  CRAWL_AGENT_INVALID: {
    exit: 2,
    message: 'agent "{agent}" has no product token; begin it with letters, such as mybot/1.0',
  },
  CRAWL_BAD_PATTERN: { exit: 2, message: 'pattern "{pattern}" is no regular expression: {reason}' },
  CRAWL_SCORER_INVALID: {
    exit: 2,
    message: 'scorer module "{module}" cannot be used: {reason}; it must export a function createScorer()',
  },
  CRAWL_STORE_MISSING: { exit: 2, message: 'there is no crawl in {folder}; crawl first' },
  CRAWL_STORE_UNREADABLE: {
    exit: 1,
    message:
      'the crawl store in {folder} cannot be read: {reason}; restore it from a snapshot or crawl into another folder',
  },
  CRAWL_STORE_TOO_NEW: {
    exit: 2,
    message:
      'the crawl store in {folder} has version {found}, this program knows {expected}; use a newer Quarry',
  },
  CRAWL_STORE_TOO_OLD: {
    exit: 2,
    message:
      'the crawl store in {folder} has version {found}, this program needs {expected}; crawl into a new folder',
  },
  CRAWL_STAGE_FAILED: {
    exit: 1,
    message: 'the crawl stopped in stage {stage}: {reason}; what was fetched is saved',
  },
  CRAWL_DISK_FULL: {
    exit: 1,
    message: 'no space left while writing the crawl in {folder}; free some and run again, it resumes',
  },
} as const;

export const fail = defineErrors(crawlErrors);
export type CrawlErrorCode = keyof typeof crawlErrors;
