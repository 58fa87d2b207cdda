import type { Analyser } from '../../shards/index.ts';
import type { Cutter } from './cut-words.ts';
import type { PrefixNode, QueryNode } from './tree.ts';
import { type QueryWarning, warning } from './warnings.ts';
import type { Terms } from './weights.ts';

/** The terms of the index that a prefix stands for. */
export interface Expansion {
  /** Those of most documents first. */
  readonly terms: Terms;
  /** Whether there were more than may be searched. */
  readonly isCut: boolean;
}

/** What the index knows of a query's prefixes, by the beginning that all their terms have. */
export type Expansions = ReadonlyMap<string, Expansion>;

/** Prefixes of one query that are looked up: each may have to walk a large part of all dictionaries. */
export const MAX_PREFIXES = 8;

export const NO_EXPANSIONS: Expansions = new Map();

const isPrefix = (node: QueryNode): node is PrefixNode => node.kind === 'prefix';

const distinctPrefixes = (nodes: readonly QueryNode[], analyser: Analyser): string[] => {
  const prefixes = new Set(nodes.filter(isPrefix).map(({ text }) => analyser.prefixOf(text)));
  prefixes.delete('');
  return [...prefixes];
};

/** What the terms of the prefixes in a query begin with, distinct, at most MAX_PREFIXES; of what begins no word nothing. */
export const prefixesOf = (nodes: readonly QueryNode[], analyser: Analyser): string[] =>
  distinctPrefixes(nodes, analyser).slice(0, MAX_PREFIXES);

/**
 * All terms of a prefix as one word: those of the word itself, so that `module*` finds what `module` finds though its stem is
 * shorter, and those of the index that begin so. Never empty: a
 * prefix that nothing begins with stands for itself. undefined for what is no beginning of a word.
 */
export const prefixTerms = (text: string, cutter: Cutter, expansions: Expansions): Terms | undefined => {
  const prefix = cutter.analyser.prefixOf(text);
  if (prefix === '') return undefined;
  const words = cutter.analyser.analyseQuery(text, cutter.languages);
  const whole = words.filter(({ start, end }) => start === 0 && end === text.length);
  const own = whole.flatMap(({ terms }) => terms);
  const terms = new Set([...own, ...(expansions.get(prefix)?.terms ?? [])]);
  return terms.size > 0 ? [...terms] : [prefix];
};

/** What a person should know of the prefixes of a query. */
export const prefixWarnings = (
  nodes: readonly QueryNode[],
  analyser: Analyser,
  expansions: Expansions,
): QueryWarning[] => {
  const warnings = nodes.filter(isPrefix).flatMap(({ text }) => {
    const prefix = analyser.prefixOf(text);
    if (prefix === '') return [warning('prefix_unreadable', { word: text })];
    const expansion = expansions.get(prefix);
    return expansion?.isCut === true
      ? [warning('prefix_cut', { word: text, limit: expansion.terms.length })]
      : [];
  });
  if (distinctPrefixes(nodes, analyser).length > MAX_PREFIXES) {
    warnings.push(warning('too_many_prefixes', { limit: MAX_PREFIXES }));
  }
  return [...new Map(warnings.map((each) => [each.text, each])).values()];
};
