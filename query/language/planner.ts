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
 * Modes: `auto`, what people get, finds pages with all quoted phrases and any of the words. The other three are for
 * measurements and do not look at quotation marks: `or` finds pages with any of the words, `and` with all of them,
 * `phrase` with all as one phrase.
 */
import type {
  Analyser,
  IndexStatistics,
  PhraseClause,
  QueryPlan,
  QueryWord,
  SiteFilter,
  TermGroup,
} from '../../shards/index.ts';
import { FALLBACK_LANGUAGE } from '../../shards/index.ts';
import type { QueryNode, QueryTree } from './tree.ts';
import { type QueryWarning, warning } from './warnings.ts';
import { type Terms, weighPlaces } from './weights.ts';

export const QUERY_MODES = ['auto', 'or', 'and', 'phrase'] as const;
export type QueryMode = (typeof QUERY_MODES)[number];

/** Whether a phrase is more than its words. */
const QUOTES_COUNT: Readonly<Record<QueryMode, boolean>> = {
  auto: true,
  or: false,
  and: false,
  phrase: true,
};

/** Groups of one plan; keeps the sum of their contributions inside a u32 (DESIGN 11). */
export const MAX_GROUPS = 64;

/** Words before and behind a compound among which its pieces are looked for. */
const MAX_NEST = 16;

export interface PlanContext {
  readonly statistics: IndexStatistics;
  readonly analyser: Analyser;
  readonly mode: QueryMode;
  /** Languages whose stemmers words pass through, the main one first. */
  readonly languages: readonly string[];
}

export interface PlannedQuery {
  /** undefined when nothing can match; a warning says why. */
  readonly plan: QueryPlan | undefined;
  /** Terms to mark in passages, by word. */
  readonly marks: readonly Terms[];
  /** What to ask when `plan` has no match. */
  readonly loosened: { readonly plan: QueryPlan; readonly marks: readonly Terms[] } | undefined;
  readonly warnings: readonly QueryWarning[];
}

/** A word of the query at its distance from the first one of its clause. */
interface CutWord {
  readonly terms: Terms;
  readonly offset: number;
}

/** Clauses before weighing. */
interface Draft {
  readonly optional: Terms[];
  readonly required: Terms[];
  readonly phrases: (readonly CutWord[])[];
  readonly excluded: Terms[];
  readonly excludedPhrases: (readonly CutWord[])[];
  readonly sites: SiteFilter[];
  readonly excludedSites: SiteFilter[];
}

/**
 * Languages above a share of the documents, most frequent first, for the stems of a query. A page of unknown language was
 * analysed as one of the fallback language.
 */
export const queryLanguages = (
  statistics: IndexStatistics,
  limits: { readonly minLanguageShare: number; readonly maxLanguages: number },
): string[] => {
  const counts = new Map<string, number>();
  for (const { lang, docCount } of statistics.languages) {
    const analysedAs = lang === '' ? FALLBACK_LANGUAGE : lang;
    counts.set(analysedAs, (counts.get(analysedAs) ?? 0) + docCount);
  }
  return [...counts]
    .filter(([, docCount]) => docCount >= limits.minLanguageShare * statistics.docCount)
    .sort((a, b) => b[1] - a[1])
    .slice(0, limits.maxLanguages)
    .map(([lang]) => lang);
};

type Extent = 'written' | 'pieces';

const covers = (outer: QueryWord, inner: QueryWord): boolean =>
  outer.start <= inner.start && inner.end <= outer.end && outer.end - outer.start > inner.end - inner.start;

/** Of nested words the outermost (`written`) or the innermost ones (`pieces`); linear, since nests are local. */
const withoutNests = (words: readonly QueryWord[], extent: Extent): QueryWord[] =>
  words.filter((word, index) => {
    const near = words.slice(Math.max(0, index - MAX_NEST), index + MAX_NEST + 1);
    return !near.some((other) => (extent === 'written' ? covers(other, word) : covers(word, other)));
  });

/** Words of a text in order. Several words that the analyser puts at one position are one word with all their terms. */
const cutText = (text: string, context: PlanContext, extent: Extent = 'written'): CutWord[] => {
  const byPosition = new Map<number, Set<string>>();
  const words = context.analyser.analyseQuery(text, context.languages);
  for (const { position, terms } of withoutNests(words, extent)) {
    const known = byPosition.get(position) ?? new Set<string>();
    for (const term of terms) known.add(term);
    byPosition.set(position, known);
  }
  const positions = [...byPosition.keys()].sort((a, b) => a - b);
  const first = positions[0] ?? 0;
  return positions.map((position) => ({
    terms: [...(byPosition.get(position) ?? [])],
    offset: position - first,
  }));
};

class Planner {
  readonly #context: PlanContext;
  readonly #draft: Draft = {
    optional: [],
    required: [],
    phrases: [],
    excluded: [],
    excludedPhrases: [],
    sites: [],
    excludedSites: [],
  };
  readonly #seenWords = new Set<string>();
  #groupCount = 0;
  #overflowed = false;

  constructor(context: PlanContext) {
    this.#context = context;
  }

  draft(nodes: readonly QueryNode[]): { readonly draft: Draft; readonly overflowed: boolean } {
    for (const node of this.#context.mode === 'phrase' ? asOnePhrase(nodes) : nodes) this.#add(node);
    return { draft: this.#draft, overflowed: this.#overflowed };
  }

  #add(node: QueryNode): void {
    if (node.kind === 'site') {
      (node.negated ? this.#draft.excludedSites : this.#draft.sites).push(node.filter);
      return;
    }
    const words = cutText(node.text, this.#context);
    if (node.negated) this.#exclude(words);
    else if (node.kind === 'phrase' && QUOTES_COUNT[this.#context.mode]) this.#addPhrase(words);
    else this.#addWords(words);
  }

  #addWords(words: readonly CutWord[]): void {
    const clause = this.#context.mode === 'and' ? this.#draft.required : this.#draft.optional;
    for (const { terms } of words) {
      const name = terms.join('\u0000');
      if (!this.#seenWords.has(name) && this.#room(1) === 0) return;
      if (!this.#seenWords.has(name)) this.#groupCount += 1;
      this.#seenWords.add(name);
      clause.push(terms);
    }
  }

  #addPhrase(words: readonly CutWord[]): void {
    const kept = words.slice(0, this.#room(words.length));
    this.#groupCount += kept.length;
    const [only] = kept;
    if (kept.length > 1) this.#draft.phrases.push(kept);
    else if (only !== undefined) this.#draft.required.push(only.terms);
  }

  /** An exclusion that does not fit is left out whole: half of it would exclude more. */
  #exclude(words: readonly CutWord[]): void {
    if (this.#room(words.length) < words.length) return;
    this.#groupCount += words.length;
    const [only] = words;
    if (words.length > 1) this.#draft.excludedPhrases.push(words);
    else if (only !== undefined) this.#draft.excluded.push(only.terms);
  }

  #room(wanted: number): number {
    const room = Math.min(wanted, MAX_GROUPS - this.#groupCount);
    if (room < wanted) this.#overflowed = true;
    return room;
  }
}

const asOnePhrase = (nodes: readonly QueryNode[]): QueryNode[] => {
  const isText = (node: QueryNode) => node.kind !== 'site' && !node.negated;
  const text = nodes.flatMap((node) => (node.kind === 'site' || node.negated ? [] : [node.text])).join(' ');
  const others = nodes.filter((node) => !isText(node));
  return text === '' ? others : [{ kind: 'phrase', text, negated: false }, ...others];
};

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

/** Share of the pages from which on a word is too common to be worth a mark. */
const COMMON_SHARE = 0.75;

/** Words to mark: all of phrases, and others unless they stand nearly everywhere (when any known word is rarer). */
const marksOf = (draft: Draft, statistics: IndexStatistics): Terms[] => {
  const largestShare = (terms: Terms) =>
    Math.max(...terms.map((term) => statistics.documentFrequency(term))) / statistics.docCount;
  const inPhrases = draft.phrases.flat().map(({ terms }) => terms);
  const words = [...draft.required, ...draft.optional];
  const telling = words.filter((terms) => largestShare(terms) <= COMMON_SHARE);
  const isKnown = (terms: Terms) => largestShare(terms) > 0;
  return [...inPhrases, ...(inPhrases.length > 0 || telling.some(isKnown) ? telling : words)];
};

/** Analyses each text once, however often it is cut: stemming is most of the time that a plan takes. */
const analysingOnce = (analyser: Analyser): Analyser => {
  const known = new Map<string, QueryWord[]>();
  return {
    name: analyser.name,
    analyse: (text, language) => analyser.analyse(text, language),
    analyseQuery: (text, languages) => {
      const words = known.get(text) ?? analyser.analyseQuery(text, languages);
      known.set(text, words);
      return words;
    },
  };
};

export const planQuery = (tree: QueryTree, outer: PlanContext): PlannedQuery => {
  const context = { ...outer, analyser: analysingOnce(outer.analyser) };
  const { draft, overflowed } = new Planner(context).draft(tree.nodes);
  const warnings = overflowed ? [warning('too_many_terms', { limit: MAX_GROUPS })] : [];
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
