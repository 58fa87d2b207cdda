/**
 * Something that a person should know about how a query was read. Data, so that a page, a terminal or a program can
 * show it in its own way; `text` is plain text and may quote the query.
 */
export interface QueryWarning {
  readonly code: WarningCode;
  readonly text: string;
}

const WARNINGS = {
  query_truncated: 'The query was longer than {limit} characters; the rest was left out.',
  too_many_terms: 'Only the first {limit} words of the query were searched.',
  unbalanced_quote: 'A quotation mark has no partner; the phrase was read up to the end.',
  operator_unsupported: '{operator} is not supported yet; its words were searched as plain words.',
  exclusion_unsupported: '-{operator} is not supported yet and was left out.',
  prefix_too_short: 'Before * there must be at least {limit} characters; the word was searched as it stands.',
  prefix_unreadable: '{word}* is not the beginning of one word; it was searched as plain words.',
  too_many_prefixes:
    'Only the first {limit} beginnings of words were looked up; the others were searched as words.',
  prefix_cut: 'More than {limit} words begin with {word}; the most frequent ones were searched.',
  site_invalid:
    'site: needs a host right after the colon, such as site:example.org/docs; its words were searched.',
  exclusion_invalid: '-site: needs a host right after the colon; it was left out.',
  empty_query: 'The query has no words.',
  only_exclusions: 'The query only says what to leave out; add a word or site: to say what to find.',
  no_searchable_terms: 'Nothing in the query can be searched: it holds no letters or digits.',
  loosened: 'No page holds the word as it was typed; these hold its parts.',
} as const;

export type WarningCode = keyof typeof WARNINGS;
export const WARNING_CODES = Object.keys(WARNINGS) as WarningCode[];

/** A warning with its text filled in; `{name}` comes from the details. */
export const warning = (
  code: WarningCode,
  details: Readonly<Record<string, string | number>> = {},
): QueryWarning => ({
  code,
  text: WARNINGS[code].replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole)),
});
