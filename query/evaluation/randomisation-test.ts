export interface RandomisationTest {
  /** Mean of ours less mean of the baseline. */
  readonly meanDifference: number;
  /** Probability of a difference at least as large, either way, if both rankings were drawn alike. */
  readonly pValue: number;
}

/** Differences nearer to the observed one than this are ties of rounding: sums are taken in another order. */
const ROUNDING = 1e-12;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Two-sided paired randomisation test (Fisher; recommended for retrieval by Smucker, Allan and Carterette, CIKM 2007):
 * swaps the two values of each query by a coin and counts how often the means then differ as much as they do.
 * @param ours One value for each query.
 * @param baseline The same queries in the same order; as long as `ours` and not empty.
 * @param random Numbers from 0 to 1; seed it to have the same answer again.
 * @param rounds Random assignments; the p-value's resolution is one in `rounds + 1`.
 */
export const randomisationTest = (
  ours: readonly number[],
  baseline: readonly number[],
  random: () => number,
  rounds = 10_000,
): RandomisationTest => {
  if (ours.length !== baseline.length || ours.length === 0) {
    throw new RangeError(
      `paired lists must be as long as each other and not empty, got ${ours.length} and ${baseline.length}`,
    );
  }
  const differences = ours.map((value, index) => value - (baseline[index] ?? 0));
  const observed = Math.abs(sum(differences));
  const moving = differences.filter((difference) => difference !== 0);
  let asLarge = 0;
  for (let round = 0; round < rounds; round++) {
    const swapped = moving.reduce((total, value) => (random() < 0.5 ? total + value : total - value), 0);
    if (Math.abs(swapped) >= observed - ROUNDING) asLarge++;
  }
  return {
    meanDifference: sum(differences) / differences.length,
    pValue: (asLarge + 1) / (rounds + 1),
  };
};
