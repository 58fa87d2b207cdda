import { NO_MORE_DOCS, type PositionsCursor } from '../postings/posting-cursor.ts';
import { contribution } from '../score/bm25f.ts';
import type { Collector } from './collector.ts';
import { isAdmitted, isOn, type ScoredClause, type SegmentQuery, scoreOf } from './segment-query.ts';
import { type StaticBounds, staticBounds } from './static-bounds.ts';

/** Windows begin small, so that a threshold is found before much is scored, and double up to the largest. */
const FIRST_WINDOW_DOCS = 256;
const WINDOW_DOCS = 4096;
const WORD_BITS = 32;

interface WindowClause {
  readonly clause: ScoredClause;
  /** Most that the clause can add to a document of the window. */
  bound: number;
  /** Sum of the bounds of this clause and all before it in the window's order. */
  boundUpToHere: number;
}

const largestImpact = (cursor: PositionsCursor, from: number, to: number): number => {
  if (cursor.doc >= to) return 0;
  let largest = 0;
  for (let target = from; target < to; ) {
    const end = cursor.blockEnd(target);
    if (end === NO_MORE_DOCS) break;
    largest = Math.max(largest, cursor.blockMaxImpact(target));
    target = end + 1;
  }
  return largest;
};

/** One evaluation of "any of the words" over one segment. */
class MaxScore {
  readonly #query: SegmentQuery;
  readonly #collector: Collector;
  readonly #statics: StaticBounds;
  /** By rising bound in the current window. */
  readonly #clauses: WindowClause[];
  /** Of those, how many cannot lift a document over the threshold by themselves, even all together. */
  #nonEssentialCount = 0;
  /** First and past-last document of the window, and the largest static score in it. */
  #from = 0;
  #to = 0;
  #staticBound = 0;
  /** Scores of the window's documents as far as the essential clauses make them, and which documents have one. */
  readonly #scores = new Uint32Array(WINDOW_DOCS);
  readonly #touched = new Uint32Array(WINDOW_DOCS / WORD_BITS);

  constructor(query: SegmentQuery, collector: Collector) {
    this.#query = query;
    this.#collector = collector;
    this.#statics = staticBounds(query.segment);
    this.#clauses = query.optional.map((clause) => ({ clause, bound: 0, boundUpToHere: 0 }));
  }

  run(isLate: () => boolean): boolean {
    const { docCount } = this.#query.segment;
    let windowDocs = FIRST_WINDOW_DOCS;
    for (let from = 0; from < docCount; from = this.#to) {
      if (isLate()) return false;
      this.#from = this.#query.allowed?.firstFrom(from) ?? from;
      if (this.#from >= docCount) return true;
      this.#to = Math.min(docCount, this.#from + windowDocs);
      windowDocs = Math.min(WINDOW_DOCS, 2 * windowDocs);
      if (this.#openWindow()) this.#evaluateWindow();
    }
    return true;
  }

  /** Bounds and order of the clauses; false when no document of the window can enter. */
  #openWindow(): boolean {
    this.#staticBound = this.#statics.over(this.#from, this.#to);
    for (const entry of this.#clauses) {
      const { cursor, weight } = entry.clause;
      entry.bound = contribution(weight, largestImpact(cursor, this.#from, this.#to));
    }
    this.#clauses.sort((a, b) => a.bound - b.bound);
    const threshold = this.#collector.threshold - this.#staticBound;
    let sum = 0;
    this.#nonEssentialCount = 0;
    for (const entry of this.#clauses) {
      sum += entry.bound;
      entry.boundUpToHere = sum;
      if (sum < threshold) this.#nonEssentialCount++;
    }
    return this.#nonEssentialCount < this.#clauses.length;
  }

  #evaluateWindow(): void {
    const lead = this.#clauses[this.#nonEssentialCount];
    if (lead !== undefined && this.#nonEssentialCount === this.#clauses.length - 1) {
      this.#walk(lead, (doc, score) => this.#finish(doc, score));
      return;
    }
    for (let index = this.#nonEssentialCount; index < this.#clauses.length; index++) {
      const entry = this.#clauses[index];
      if (entry !== undefined) this.#walk(entry, this.#accumulate);
    }
    this.#finishTouched();
  }

  /** Visits the clause's documents in the window, leaving out blocks of which none can enter. */
  #walk(entry: WindowClause, visit: (doc: number, score: number) => void): void {
    const { clause } = entry;
    const { cursor, weight } = clause;
    const { allowed } = this.#query;
    const othersBound = this.#boundOfAll() - entry.bound + this.#staticBound;
    let blockEnd = -1;
    let doc = cursor.doc < this.#from ? cursor.advance(this.#from) : cursor.doc;
    while (doc < this.#to) {
      if (doc > blockEnd) {
        blockEnd = cursor.blockEnd(doc);
        const blockBound = contribution(weight, cursor.blockMaxImpact(doc));
        if (blockBound + othersBound < this.#collector.threshold) {
          doc = cursor.advance(blockEnd + 1);
          continue;
        }
      }
      if (allowed === undefined || allowed.has(doc)) visit(doc, scoreOf(clause));
      doc = cursor.next();
    }
  }

  #boundOfAll(): number {
    return this.#clauses.at(-1)?.boundUpToHere ?? 0;
  }

  readonly #accumulate = (doc: number, score: number): void => {
    const index = doc - this.#from;
    this.#scores[index] = (this.#scores[index] ?? 0) + score;
    const word = index >>> 5;
    this.#touched[word] = (this.#touched[word] ?? 0) | (1 << (index & 31));
  };

  /** Empties the window's scores in rising order of documents. */
  #finishTouched(): void {
    for (let wordIndex = 0; wordIndex < this.#touched.length; wordIndex++) {
      let word = this.#touched[wordIndex] ?? 0;
      if (word === 0) continue;
      this.#touched[wordIndex] = 0;
      for (; word !== 0; word &= word - 1) {
        const index = wordIndex * WORD_BITS + (31 - Math.clz32(word & -word));
        const score = this.#scores[index] ?? 0;
        this.#scores[index] = 0;
        this.#finish(this.#from + index, score);
      }
    }
  }

  /**
   * Adds the static score and the other clauses, best first, as long as the document can still enter. A block that a
   * walk left out may lack in `score`, but then the true score is below the threshold and this one is lower still.
   */
  #finish(doc: number, essentialScore: number): void {
    let score = essentialScore + this.#query.segment.staticScore(doc);
    for (let index = this.#nonEssentialCount - 1; index >= 0; index--) {
      const entry = this.#clauses[index];
      if (entry === undefined) continue;
      if (score + entry.boundUpToHere < this.#collector.threshold) return;
      if (entry.bound > 0 && isOn(entry.clause.cursor, doc)) score += scoreOf(entry.clause);
    }
    if (score >= this.#collector.threshold && isAdmitted(this.#query, doc))
      this.#collector.collect(doc, score);
  }
}

/**
 * "Any of the words", top k only: MaxScore (Turtle and Flood, "Query evaluation: strategies and optimizations", IPM
 * 1995) over windows of documents with the bounds of blocks (Ding and Suel, "Faster top-k document retrieval using
 * block-max indexes", SIGIR 2011). Exact: gives the same scores as exhaustive.ts to all documents that can enter. Ties
 * with the threshold are looked at, since a lower key wins. False when `isLate` stopped it.
 */
export const maxScore = (query: SegmentQuery, collector: Collector, isLate: () => boolean): boolean =>
  new MaxScore(query, collector).run(isLate);
