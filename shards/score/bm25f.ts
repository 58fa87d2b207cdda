import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import { decodeLength } from '../values/length-code.ts';
import type { Scorer, ScorerTables } from './scorer.ts';
import { DEFAULT_WEIGHTS, type WeightTable } from './weights.ts';

/** Largest impact I and largest weight W. */
export const MAX_IMPACT = 0xffff;
const MAX_WEIGHT = 0xffff;
const WEIGHT_SCALE = 2 ** 11;
const LENGTH_CODES = 256;
const BODY_OFFSET = FIELD_NAMES.indexOf('body') * LENGTH_CODES;

/**
 * Score units of one point of idf in a document where the term is saturated (I = 2^16): 2^11 x 2^16 / 2^7. Static
 * scores are made in this unit.
 */
export const SCORE_UNIT = 2 ** 20;

const round32 = Math.fround;

export interface ScorerOptions {
  /** Mean tokens per document and field, from the epoch; 0 where no document has the field. */
  readonly averageLengths: Readonly<Record<FieldName, number>>;
  readonly weights?: WeightTable;
}

const effectiveAverages = (averages: ArrayLike<number>, weights: WeightTable): number[] =>
  FIELD_NAMES.map((name, index) => Math.max(averages[index] ?? 0, weights.fields[name].leastAverage));

/** What one occurrence in a field of each length counts: w / (1 - b + b x length / average). */
const occurrenceTable = (weights: WeightTable, name: FieldName, average: number): Float32Array => {
  const { weight, b } = weights.fields[name];
  const flat = round32(1 - round32(b));
  return Float32Array.from({ length: LENGTH_CODES }, (_, code) => {
    const relative = round32(round32(decodeLength(code)) / round32(average));
    return round32(round32(weight) / round32(flat + round32(round32(b) * relative)));
  });
};

class Bm25f implements Scorer {
  readonly table: string;
  readonly tables: ScorerTables;
  readonly scoresPhrases: boolean;
  readonly #k1: number;
  readonly #averages: readonly number[];
  readonly #weights: WeightTable;
  /** What one occurrence counts, at field x 256 + length code. */
  readonly #occurrences = new Float32Array(FIELD_NAMES.length * LENGTH_CODES);

  constructor(averages: readonly number[], weights: WeightTable) {
    this.table = weights.name;
    this.scoresPhrases = weights.scoresPhrases === true;
    this.#weights = weights;
    this.#k1 = round32(weights.k1);
    this.#averages = averages;
    for (const [index, name] of FIELD_NAMES.entries()) {
      this.#occurrences.set(occurrenceTable(weights, name, averages[index] ?? 1), index * LENGTH_CODES);
    }
    const others = FIELD_NAMES.filter((name) => name !== 'body');
    this.tables = {
      occurrences: this.#occurrences,
      k1: this.#k1,
      othersWeigh: others.some((name) => weights.fields[name].weight > 0),
    };
  }

  impact(frequencies: ArrayLike<number>, lengthCodes: ArrayLike<number>): number {
    let combined = 0;
    for (let index = 0; index < FIELD_NAMES.length; index++) {
      const frequency = frequencies[index] ?? 0;
      if (frequency === 0) continue;
      const occurrence = this.#occurrences[index * LENGTH_CODES + (lengthCodes[index] ?? 0)] ?? 0;
      combined = round32(combined + round32(round32(frequency) * occurrence));
    }
    return this.#saturate(combined);
  }

  bodyImpact(frequency: number, lengthCode: number): number {
    return this.#saturate(round32(round32(frequency) * (this.#occurrences[BODY_OFFSET + lengthCode] ?? 0)));
  }

  widening(stored: ArrayLike<number>): number {
    const then = effectiveAverages(stored, this.#weights);
    return this.#averages.reduce((factor, now, index) => Math.max(factor, now / (then[index] ?? now)), 1);
  }

  narrowing(stored: ArrayLike<number>): number {
    const then = effectiveAverages(stored, this.#weights);
    return this.#averages.reduce((factor, now, index) => Math.max(factor, (then[index] ?? now) / now), 1);
  }

  /** Written as 1 - k1 / (x + k1) and not x / (x + k1): see the proof at createScorer. */
  #saturate(combined: number): number {
    const share = round32(1 - round32(this.#k1 / round32(combined + this.#k1)));
    return Math.floor(round32(share * MAX_IMPACT) + 0.5);
  }
}

/**
 * BM25F (Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004) without idf:
 *
 *   x = sum over fields of frequency x w / (1 - b + b x length / average)       I = 65535 x (1 - k1 / (x + k1))
 *
 * All steps are IEEE single precision in the order written here, fields in the order of FIELD_NAMES, so that every
 * machine and every kernel finds the same integer.
 *
 * Monotonic: each single step (product, quotient, sum, difference, rounding) is non-decreasing in x, or is twice
 * non-increasing, and rounding keeps order; so I never falls when a frequency grows or a length code shrinks, and the
 * impact of (largest frequencies, smallest lengths) bounds a block. x / (x + k1) would not do: both sides of the
 * division move, and its rounding can break the order by one.
 *
 * Widening: let average_f grow to r_f x average_f, r = max(1, r_f). Then 1 - b + b x length / average shrinks at most
 * by the factor r (the part 1 - b does not shrink at all), so x grows at most by r; and since the saturation is concave
 * with value 0 at 0, I(r x) <= r I(x). Hence a bound made under old averages, times `widening`, holds under the new
 * ones in real numbers. Every step above rounds by at most 2^-24 of its result, some 30 steps in all, which moves 65535
 * I by less than 0.2 before the last rounding: widenBound allows for it on both sides.
 */
export const createScorer = ({ averageLengths, weights = DEFAULT_WEIGHTS }: ScorerOptions): Scorer => {
  const averages = FIELD_NAMES.map((name) => averageLengths[name]);
  return new Bm25f(effectiveAverages(averages, weights), weights);
};

/** What rounding can take from an impact before a factor is applied, and add to one after it. */
const WIDENING_SLACK = 1;

/**
 * A bound of impacts (0..65535) that was stored under other averages, as it holds under a scorer with this `widening`.
 * The slack is also inside the product, since a factor multiplies what rounding took from the stored integer.
 */
export const widenBound = (bound: number, widening: number): number =>
  Math.min(MAX_IMPACT, Math.ceil((bound + WIDENING_SLACK) * widening) + WIDENING_SLACK);

/**
 * An impact that some document was known to have under other averages, as it has at least under a scorer with this
 * `narrowing`: the widening the other way round.
 */
export const narrowBound = (impact: number, narrowing: number): number =>
  Math.max(0, Math.floor((impact - WIDENING_SLACK) / narrowing) - WIDENING_SLACK);

/** Inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)): positive for every n in 0..N; n above N counts as N. */
export const inverseDocumentFrequency = (docCount: number, documentFrequency: number): number => {
  const holding = Math.min(Math.max(documentFrequency, 0), docCount);
  return Math.log(1 + (docCount - holding + 0.5) / (holding + 0.5));
};

/** W of a term: 0..65535. A `boost` is what the query counts the term, such as how often it names it. */
export const termWeight = (idf: number, boost = 1): number =>
  Math.min(MAX_WEIGHT, Math.max(0, Math.round(WEIGHT_SCALE * idf * boost)));

/** A term's part of a score: (W x I) >>> 7, below 2^25. The product fits 32 bits unsigned, which imul keeps. */
export const contribution = (weight: number, impact: number): number => Math.imul(weight, impact) >>> 7;
