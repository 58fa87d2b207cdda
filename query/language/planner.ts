/**
 * From a tree to what shards evaluate: words become groups of terms, groups get weights from the epoch.
 *
 * Where the analyser gives a compound as written and in pieces (`C++` and `c`, `node.js`, `node` and `js`), the query
 * asks for the written form: that is what the person wants, and its pages hold the pieces anyway.
 *
 * A word that is cut without a written form (`e-mail`, `東京都`) is read by its company. Alone in a query it is a phrase,
 * so that it means what was typed. Beside other words its pieces are words like the others: a long query is not emptied
 * by one spelling. Excluded, it is an excluded phrase. When a query is one such word of either kind and no page holds
 * it, the query is asked again with the pieces (`loosened`).
 *
 * A prefix (`index*`) is one word with all terms of the index that begin so, up to a limit, and with its own; the
 * broker asks for them before. In the mode `phrase` it is but its own word.
 *
 * Modes: `auto`, what people get, finds pages with all quoted phrases and any of the words. The other three are for
 * measurements and do not look at quotation marks: `or` finds pages with any of the words, `and` with all of them,
 * `phrase` with all as one phrase.
 */
import type { IndexStatistics, PhraseClause, QueryPlan, TermGroup } from '../../shards/index.ts';
import { analysingOnce, cutText } from './cut-words.ts';
import { type Draft, type DraftContext, draftQuery, MAX_GROUPS } from './draft.ts';
import { marksOf } from './marks.ts';
import { NO_EXPANSIONS, prefixWarnings } from './prefixes.ts';
import type { QueryTree } from './tree.ts';
import { type QueryWarning, warning } from './warnings.ts';
import { type Terms, weighPlaces } from './weights.ts';

/** What a query is planned by: the words' analyser and the epoch's figures. */
export interface PlanContext extends DraftContext {
  readonly statistics: IndexStatistics;
}

/** What becomes of a tree. */
export interface PlannedQuery {
  /** undefined when nothing can match; a warning says why. */
  readonly plan: QueryPlan | undefined;
  /** Terms to mark in passages, by word. */
  readonly marks: readonly Terms[];
  /** What to ask when `plan` has no match. */
  readonly loosened: { readonly plan: QueryPlan; readonly marks: readonly Terms[] } | undefined;
  readonly warnings: readonly QueryWarning[];
}

const unscored = (terms: Terms): TermGroup => ({ terms, weight: 0 });

/** Puts weights on a draft. Phrases come first, so that a word that also stands in a phrase scores there. */
const weighDraft = (draft: Draft, statistics: IndexStatistics): QueryPlan => {
  const phraseTerms = draft.phrases.flatMap((words) => words.map(({ terms }) => terms));
  const places = [...phraseTerms, ...draft.required, ...draft.optional];
  const { weights, extra } = weighPlaces(places, statistics);
  const groups = places.map((terms, index): TermGroup => ({ terms, weight: weights[index] ?? 0 }));
  const requiredEnd = phraseTerms.length + draft.required.length;
  let next = 0;
  const phrases = draft.phrases.map(
    (words): PhraseClause => ({
      words: words.map(({ terms, offset }) => ({ group: groups[next++] ?? unscored(terms), offset })),
    }),
  );
  return {
    epoch: statistics.epoch,
    optional: [...groups.slice(requiredEnd).filter(({ weight }) => weight > 0), ...extra],
    required: withoutRepeats(groups.slice(phraseTerms.length, requiredEnd)),
    phrases,
    excluded: draft.excluded.map(unscored),
    excludedPhrases: draft.excludedPhrases.map((words) => ({
      words: words.map(({ terms, offset }) => ({ group: unscored(terms), offset })),
    })),
    sites: draft.sites,
    excludedSites: draft.excludedSites,
  };
};

/** Of groups with the same terms the first one, which carries the weight, is enough. */
const withoutRepeats = (groups: readonly TermGroup[]): TermGroup[] => {
  const byName = new Map<string, TermGroup>();
  for (const group of groups) {
    const name = group.terms.join('\u0000');
    if (!byName.has(name)) byName.set(name, group);
  }
  return [...byName.values()];
};

/** Why a query finds nothing before it is asked. */
const reasonForNothing = (tree: QueryTree, draft: Draft): QueryWarning | undefined => {
  const { optional, required, phrases, sites } = draft;
  if (optional.length + required.length + phrases.length + sites.length > 0) return undefined;
  if (tree.nodes.length === 0) return warning('empty_query');
  return tree.nodes.some(({ negated }) => !negated)
    ? warning('no_searchable_terms')
    : warning('only_exclusions');
};

/** The only positive word of a query, when it has no phrase beside it. */
const loneWord = (tree: QueryTree): string | undefined => {
  const texts = tree.nodes.filter((node) => node.kind !== 'site' && !node.negated);
  return texts.length === 1 && texts[0]?.kind === 'word' ? texts[0].text : undefined;
};

/**
 * Plans a query: what shards are asked, what passages mark, and what is asked when nothing matches. Never throws; what cannot
 * be planned is said by a warning.
 */
export const planQuery = (tree: QueryTree, outer: PlanContext): PlannedQuery => {
  const context = { ...outer, analyser: analysingOnce(outer.analyser) };
  const { draft, overflowed } = draftQuery(tree.nodes, context);
  const { expansions = NO_EXPANSIONS } = context;
  const warnings = [
    ...(overflowed ? [warning('too_many_terms', { limit: MAX_GROUPS })] : []),
    ...prefixWarnings(tree.nodes, context.analyser, expansions),
  ];
  const reason = reasonForNothing(tree, draft);
  if (reason !== undefined) {
    return { plan: undefined, marks: [], loosened: undefined, warnings: [...warnings, reason] };
  }
  const weighed = (wanted: Draft) => ({
    plan: weighDraft(wanted, context.statistics),
    marks: marksOf(wanted, context.statistics),
  });
  const lone = context.mode === 'auto' ? loneWord(tree) : undefined;
  if (lone === undefined) return { ...weighed(draft), loosened: undefined, warnings };
  const written = cutText(lone, context).slice(0, MAX_GROUPS);
  const pieces = cutText(lone, context, 'pieces').slice(0, MAX_GROUPS);
  const strict = written.length > 1 ? { ...draft, optional: [], phrases: [written] } : draft;
  const isCut = written.length > 1 || pieces.length > 1 || pieces[0]?.terms[0] !== written[0]?.terms[0];
  const loose = { ...draft, optional: pieces.map(({ terms }) => terms) };
  return { ...weighed(strict), loosened: isCut ? weighed(loose) : undefined, warnings };
};
