import type { SiteFilter } from '../../shards/index.ts';
import { type Cutter, type CutWord, cutText } from './cut-words.ts';
import { type Expansions, NO_EXPANSIONS, prefixTerms } from './prefixes.ts';
import type { QueryNode, SiteNode } from './tree.ts';
import type { Terms } from './weights.ts';

/** How the words of a query are joined; the header of planner.ts tells what each is for. */
export const QUERY_MODES = ['auto', 'or', 'and', 'phrase'] as const;
export type QueryMode = (typeof QUERY_MODES)[number];

/** Whether a phrase is more than its words. */
const QUOTES_COUNT: Readonly<Record<QueryMode, boolean>> = {
  auto: true,
  or: false,
  and: false,
  phrase: true,
};

/** Groups of one plan; keeps the sum of their contributions inside a u32 (docs/decisions/0002). */
export const MAX_GROUPS = 64;

/** Clauses before weighing. */
export interface Draft {
  readonly optional: Terms[];
  readonly required: Terms[];
  readonly phrases: (readonly CutWord[])[];
  readonly excluded: Terms[];
  readonly excludedPhrases: (readonly CutWord[])[];
  readonly sites: SiteFilter[];
  readonly excludedSites: SiteFilter[];
}

/** What draftQuery gives. */
export interface Drafted {
  readonly draft: Draft;
  /** Whether something was left out because it would have been one group too many. */
  readonly overflowed: boolean;
}

/** What cuts the words of a query, and how they are joined. */
export interface DraftContext extends Cutter {
  readonly mode: QueryMode;
  /** What the prefixes of the query stand for; without them a prefix is but its own word. */
  readonly expansions?: Expansions;
}

/** Takes the nodes one by one and keeps count of the groups, of which a plan may have MAX_GROUPS. */
class Drafter {
  readonly #context: DraftContext;
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

  constructor(context: DraftContext) {
    this.#context = context;
  }

  draft(nodes: readonly QueryNode[]): Drafted {
    for (const node of this.#context.mode === 'phrase' ? asOnePhrase(nodes) : nodes) this.#add(node);
    return { draft: this.#draft, overflowed: this.#overflowed };
  }

  #add(node: QueryNode): void {
    if (node.kind === 'site') {
      (node.negated ? this.#draft.excludedSites : this.#draft.sites).push(node.filter);
      return;
    }
    const words = this.#wordsOf(node);
    if (node.negated) this.#exclude(words);
    else if (node.kind === 'phrase' && QUOTES_COUNT[this.#context.mode]) this.#addPhrase(words);
    else this.#addWords(words);
  }

  #wordsOf(node: Exclude<QueryNode, SiteNode>): readonly CutWord[] {
    const { expansions = NO_EXPANSIONS } = this.#context;
    const terms = node.kind === 'prefix' ? prefixTerms(node.text, this.#context, expansions) : undefined;
    return terms === undefined ? cutText(node.text, this.#context) : [{ terms, offset: 0 }];
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

/** All wanted words as one quoted phrase, for the mode `phrase`. */
const asOnePhrase = (nodes: readonly QueryNode[]): QueryNode[] => {
  const isText = (node: QueryNode) => node.kind !== 'site' && !node.negated;
  const text = nodes.flatMap((node) => (node.kind === 'site' || node.negated ? [] : [node.text])).join(' ');
  const others = nodes.filter((node) => !isText(node));
  return text === '' ? others : [{ kind: 'phrase', text, negated: false }, ...others];
};

/** The clauses that the nodes of a query make, before they have weights. */
export const draftQuery = (nodes: readonly QueryNode[], context: DraftContext): Drafted =>
  new Drafter(context).draft(nodes);
