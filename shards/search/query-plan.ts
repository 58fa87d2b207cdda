import type { EpochNumber } from '../values/ids.ts';

/**
 * One word of the query as the index knows it. Several terms (stems of different languages) count as one:
 * frequencies are added up before saturation.
 */
export interface TermGroup {
  readonly terms: readonly string[];
  /** W = min(65535, round(2^11 x idf x boost)), made by the broker from the epoch. */
  readonly weight: number;
}

/** Words at fixed distances in one field; matches only where all stand so. */
export interface PhraseClause {
  readonly words: readonly {
    readonly group: TermGroup;
    /** Positions from the phrase's first word. */
    readonly offset: number;
  }[];
}

/** A host and the start of a path; matches the host itself and all hosts below it. */
export interface SiteFilter {
  readonly host: string;
  /** '' or a path prefix that begins with '/'. */
  readonly pathPrefix: string;
}

/**
 * A query as shards evaluate it. A document matches when it holds all `required` groups and phrases, none of
 * the `excluded` ones, lies in one of `sites` (if any), in none of `excludedSites`, and, when nothing is required,
 * holds at least one of `optional` (or, with a filter alone, needs none).
 * Score = sum over the groups that it holds (optional, required, and the words of phrases) of (W x I) >>> 7, plus
 * the static score. With a weight table that scores phrases as terms (lucene-compat), I of a phrase's words is that of the
 * phrase's own occurrences. A term that several clauses name counts once (the planner sees to it). At most 64 groups.
 */
export interface QueryPlan {
  readonly epoch: EpochNumber;
  readonly optional: readonly TermGroup[];
  readonly required: readonly TermGroup[];
  readonly phrases: readonly PhraseClause[];
  readonly excluded: readonly TermGroup[];
  readonly excludedPhrases: readonly PhraseClause[];
  readonly sites: readonly SiteFilter[];
  readonly excludedSites: readonly SiteFilter[];
}
