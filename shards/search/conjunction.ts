import { NO_MORE_DOCS } from '../postings/posting-cursor.ts';
import { contribution } from '../score/bm25f.ts';
import type { Collector, MatchCounter } from './collector.ts';
import {
  holdsAllPhrases,
  isAdmitted,
  isOn,
  type ScoredClause,
  type SegmentQuery,
  scoreOf,
} from './segment-query.ts';
import { type StaticBounds, staticBounds } from './static-bounds.ts';

/** Candidates between two looks at the clock. */
const CLOCK_INTERVAL = 128;

/** One evaluation of "all of the words" over one segment. */
class Conjunction {
  readonly #query: SegmentQuery;
  readonly #collector: Collector;
  readonly #counter: MatchCounter;
  readonly #statics: StaticBounds;
  /** Rarest first: the first one leads. */
  readonly #required: readonly ScoredClause[];
  readonly #optionalBound: number;

  constructor(query: SegmentQuery, collector: Collector, counter: MatchCounter) {
    this.#query = query;
    this.#collector = collector;
    this.#counter = counter;
    this.#statics = staticBounds(query.segment);
    this.#required = query.required.toSorted((a, b) => a.cursor.docCount - b.cursor.docCount);
    this.#optionalBound = query.optional.reduce((sum, { maxScore }) => sum + maxScore, 0);
  }

  run(isLate: () => boolean): boolean {
    const lead = this.#required[0]?.cursor;
    if (lead === undefined) return true;
    let candidates = 0;
    let checkedUpTo = -1;
    let doc = lead.next();
    while (doc < NO_MORE_DOCS) {
      if (candidates++ % CLOCK_INTERVAL === 0 && isLate()) return false;
      if (!this.#counter.isOpen && doc > checkedUpTo) {
        checkedUpTo = this.#blockEnd(doc);
        if (checkedUpTo === NO_MORE_DOCS || this.#collector.threshold === Number.POSITIVE_INFINITY)
          return true;
        if (this.#bound(doc, checkedUpTo) < this.#collector.threshold) {
          doc = lead.advance(checkedUpTo + 1);
          continue;
        }
      }
      const next = this.#firstCandidate(doc);
      if (next > doc) {
        doc = next === NO_MORE_DOCS ? next : lead.advance(next);
        continue;
      }
      this.#consider(doc);
      doc = lead.next();
    }
    return true;
  }

  /** Last document for which all bounds of blocks at `doc` hold; NO_MORE_DOCS when a list has ended. */
  #blockEnd(doc: number): number {
    let end = NO_MORE_DOCS - 1;
    for (const { cursor } of this.#required) {
      const blockEnd = cursor.blockEnd(doc);
      if (blockEnd === NO_MORE_DOCS) return NO_MORE_DOCS;
      end = Math.min(end, blockEnd);
    }
    return end;
  }

  #bound(doc: number, last: number): number {
    let sum = this.#optionalBound + this.#statics.over(doc, last + 1);
    for (const { cursor, weight } of this.#required) sum += contribution(weight, cursor.blockMaxImpact(doc));
    return sum;
  }

  /** `doc` if the filter and all required cursors agree on it, else a later document before which there is none. */
  #firstCandidate(doc: number): number {
    const { allowed, segment } = this.#query;
    if (allowed !== undefined && !allowed.has(doc)) {
      const next = allowed.firstFrom(doc);
      return next < segment.docCount ? next : NO_MORE_DOCS;
    }
    for (let index = 1; index < this.#required.length; index++) {
      const cursor = this.#required[index]?.cursor;
      if (cursor !== undefined && !isOn(cursor, doc)) return cursor.doc;
    }
    return doc;
  }

  /** Positions are read last, and only where the score could enter or the match has to be counted. */
  #consider(doc: number): void {
    const query = this.#query;
    let score = query.segment.staticScore(doc);
    for (const clause of this.#required) score += scoreOf(clause);
    for (const clause of query.optional) if (isOn(clause.cursor, doc)) score += scoreOf(clause);
    const mayEnter = score >= this.#collector.threshold;
    if (!mayEnter && !this.#counter.isOpen) return;
    if (!isAdmitted(query, doc) || !holdsAllPhrases(query)) return;
    this.#counter.add();
    if (mayEnter) this.#collector.collect(doc, score - (query.phraseExcess?.() ?? 0));
  }
}

/**
 * "All of the words", with phrases: document at a time, led by the rarest list. Once enough matches are counted, ranges in
 * which the blocks' bounds cannot reach the threshold are passed over. Exact, like exhaustive.ts. Counts on the way.
 * False when `isLate` stopped it.
 */
export const conjunction = (
  query: SegmentQuery,
  collector: Collector,
  counter: MatchCounter,
  isLate: () => boolean,
): boolean => new Conjunction(query, collector, counter).run(isLate);
