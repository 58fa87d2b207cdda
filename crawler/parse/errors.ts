import { defineErrors } from '../../shards/index.ts';

/** Errors of parsing: one page's, or of the settings; the crawl goes on after those of a page. */
export const parseErrors = {
  CRAWL_BAD_SELECTOR: { exit: 2, message: 'selector --{option} "{selector}" is not CSS: {reason}' },
  CRAWL_PARSE_CRASHED: { exit: 1, message: 'parsing {url} ended its worker: {reason}; the page is left out' },
  CRAWL_PARSE_FAILED: { exit: 1, message: '{url} could not be parsed: {reason}; the page is left out' },
  CRAWL_PARSE_TIMEOUT: { exit: 1, message: '{url} was not parsed within {seconds} s; the page is left out' },
  CRAWL_PARSE_CLOSED: { exit: 1, message: 'the parse pool was closed before {url} was parsed' },
} as const;

export const failParse = defineErrors(parseErrors);
