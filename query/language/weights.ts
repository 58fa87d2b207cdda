import {
  type IndexStatistics,
  inverseDocumentFrequency,
  type TermGroup,
  termWeight,
} from '../../shards/index.ts';

/** How one clause of a plan names a word: the terms that stand for it. */
export type Terms = readonly string[];

/** What weighPlaces gives. */
export interface Weighed {
  /** One weight per place, in their order; 0 where another place already scores the same terms. */
  readonly weights: readonly number[];
  /** Groups that no single place covers; they score beside the places. */
  readonly extra: readonly TermGroup[];
}

/** A word that stands on every page weighs next to nothing, but is looked for. */
const LEAST_WEIGHT = 1;

/** The df of a group is the sum of its terms' (a page with two of them counts twice), from 1 to the number of pages. */
const groupIdf = (terms: Terms, statistics: IndexStatistics): number => {
  const docCount = Math.max(1, statistics.docCount);
  const sum = terms.reduce((total, term) => total + statistics.documentFrequency(term), 0);
  return inverseDocumentFrequency(docCount, Math.min(docCount, Math.max(1, sum)));
};

/** Joins places that share a term, directly or over other places: `run` and `running` are one component. */
const componentsOf = (places: readonly Terms[]): number[][] => {
  const componentOfTerm = new Map<string, number[]>();
  const components = new Set<number[]>();
  for (const [index, terms] of places.entries()) {
    const members = [index];
    for (const term of terms) {
      const other = componentOfTerm.get(term);
      if (other === undefined || !components.has(other)) continue;
      components.delete(other);
      members.push(...other);
    }
    members.sort((a, b) => a - b);
    components.add(members);
    for (const member of members) for (const term of places[member] ?? []) componentOfTerm.set(term, members);
  }
  return [...components];
};

/**
 * Gives each component of places one weight, from the df of all its terms and boosted by how often the query names it,
 * so that a word said twice weighs twice and no occurrence in a document is counted twice. The weight goes to the
 * first place that holds all terms of the component, else to a group of its own. Empty places get 0.
 */
export const weighPlaces = (places: readonly Terms[], statistics: IndexStatistics): Weighed => {
  const weights = places.map(() => 0);
  const extra: TermGroup[] = [];
  for (const members of componentsOf(places)) {
    const terms = [...new Set(members.flatMap((index) => places[index] ?? []))];
    if (terms.length === 0) continue;
    const weight = Math.max(LEAST_WEIGHT, termWeight(groupIdf(terms, statistics), members.length));
    const winner = members.find((index) => new Set(places[index]).size === terms.length);
    if (winner === undefined) extra.push({ terms, weight });
    else weights[winner] = weight;
  }
  return { weights, extra };
};
