import { NO_MORE_DOCS, type PositionsCursor } from '../postings/posting-cursor.ts';
import { MAX_IMPACT } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import type { Segment } from '../segment/segment.ts';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import type { TermGroup } from './query-plan.ts';

const mergeDistinct = (lists: readonly Uint32Array[]): Uint32Array => {
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  const all = new Uint32Array(total);
  let filled = 0;
  for (const list of lists) {
    all.set(list, filled);
    filled += list.length;
  }
  all.sort();
  return all.filter((position, index) => index === 0 || position !== all[index - 1]);
};

/**
 * Several terms that count as one word. Frequencies are added before saturation, so the impact is that of one term with
 * all the occurrences. Bound: saturation is concave and 0 at 0, hence I(x + y) <= I(x) + I(y) in real numbers; each
 * of the integers is rounded by at most one half, so one unit a member covers the rounding.
 */
class UnionCursor implements PositionsCursor {
  doc = -1;
  /** At most; a document that holds several of the terms counts several times. */
  readonly docCount: number;
  readonly leastDocCount: number;
  readonly maxImpact: number;
  readonly #members: readonly PositionsCursor[];
  readonly #scorer: Scorer;
  readonly #lengthCodes: readonly Uint8Array[];
  readonly #frequencies = new Float64Array(FIELD_NAMES.length);
  readonly #codes = new Uint8Array(FIELD_NAMES.length);

  constructor(members: readonly PositionsCursor[], segment: Segment, scorer: Scorer) {
    this.#members = members;
    this.#scorer = scorer;
    this.#lengthCodes = FIELD_NAMES.map((field) => segment.lengthCodes(field));
    this.docCount = members.reduce((sum, member) => sum + member.docCount, 0);
    this.leastDocCount = members.reduce((most, member) => Math.max(most, member.docCount), 0);
    this.maxImpact = this.#bounded(members.reduce((sum, member) => sum + member.maxImpact, 0));
  }

  next(): number {
    const from = this.doc;
    let least = NO_MORE_DOCS;
    for (const member of this.#members) {
      const doc = member.doc === from && from !== NO_MORE_DOCS ? member.next() : member.doc;
      if (doc < least) least = doc;
    }
    this.doc = least;
    return least;
  }

  advance(target: number): number {
    let least = NO_MORE_DOCS;
    for (const member of this.#members) {
      const doc = member.doc < target ? member.advance(target) : member.doc;
      if (doc < least) least = doc;
    }
    this.doc = least;
    return least;
  }

  frequency(field: FieldName): number {
    let sum = 0;
    for (const member of this.#members) if (member.doc === this.doc) sum += member.frequency(field);
    return sum;
  }

  impact(): number {
    for (const [index, field] of FIELD_NAMES.entries()) {
      this.#frequencies[index] = this.frequency(field);
      this.#codes[index] = this.#lengthCodes[index]?.[this.doc] ?? 0;
    }
    return this.#scorer.impact(this.#frequencies, this.#codes);
  }

  blockEnd(target: number): number {
    let end = NO_MORE_DOCS;
    for (const member of this.#members) end = Math.min(end, member.blockEnd(target));
    return end;
  }

  /** A member's block may reach beyond blockEnd; its bound then only covers more. */
  blockMaxImpact(target: number): number {
    let sum = 0;
    for (const member of this.#members) {
      if (member.blockEnd(target) !== NO_MORE_DOCS) sum += member.blockMaxImpact(target);
    }
    return this.#bounded(sum);
  }

  positions(field: FieldName): Uint32Array {
    const here = this.#members.filter((member) => member.doc === this.doc);
    const [only] = here;
    if (here.length === 1 && only !== undefined) return only.positions(field);
    // A copy at once: a member may hand out its own buffer again for the next call.
    return mergeDistinct(here.map((member) => member.positions(field).slice()));
  }

  #bounded(sum: number): number {
    return Math.min(MAX_IMPACT, sum + this.#members.length);
  }
}

/** Documents that a cursor made by groupCursor has at least, deleted ones included. */
export const leastDocCount = (cursor: PositionsCursor): number =>
  cursor instanceof UnionCursor ? cursor.leastDocCount : cursor.docCount;

/** Cursor over the documents that hold any of the group's terms; undefined when the segment has none of them. */
export const groupCursor = (
  segment: Segment,
  scorer: Scorer,
  group: TermGroup,
): PositionsCursor | undefined => {
  const members = [...new Set(group.terms)]
    .map((term) => segment.cursor(term, scorer))
    .filter((cursor) => cursor !== undefined);
  return members.length <= 1 ? members[0] : new UnionCursor(members, segment, scorer);
};
