/** A scorer as numbers. */
export interface ScorerTables {
  /** What one occurrence counts, at field x 256 + length code. */
  readonly occurrences: Float32Array;
  /** Saturation, in single precision. */
  readonly k1: number;
  /** Whether fields besides the body weigh anything. */
  readonly othersWeigh: boolean;
}

/**
 * The idf-free part of the score, bound to one epoch's average lengths.
 * `frequencies` and `lengthCodes` have one entry per field in the order of FIELD_NAMES; a length code is one byte
 * (values/length-code.ts). Results are integers 0..65535, the same on every machine (float32 steps in a fixed order).
 */
export interface Scorer {
  impact(frequencies: ArrayLike<number>, lengthCodes: ArrayLike<number>): number;
  /** Equals impact() when only the body holds the term. */
  bodyImpact(frequency: number, lengthCode: number): number;
  /**
   * Factor (>= 1) by which a bound that was stored under the averages `stored` must be widened to hold under
   * this scorer's averages: max over fields of avgNow / avgStored, at least 1.
   */
  widening(stored: ArrayLike<number>): number;
  /** Divisor (>= 1) by which an impact that was stored under `stored` must be narrowed to be reached under this scorer. */
  narrowing(stored: ArrayLike<number>): number;
  /** What kernels score with; undefined for a scorer that only JavaScript has. */
  readonly tables?: ScorerTables;
  /** Name and version of the weight table; a stored bound holds only for the table that made it. */
  readonly table: string;
  /** Whether a phrase scores as one term: see WeightTable. */
  readonly scoresPhrases: boolean;
}
