/** Tells a claim with what decided it. */
export type Claim = (claim: string, passed: boolean, figure: string) => void;

export interface Verdicts {
  readonly claim: Claim;
  readonly failedCount: () => number;
  readonly count: () => number;
}

/** Prints one line per claim: PASS or FAIL, step, claim, figure. */
export const createVerdicts = (print: (line: string) => void, step: string): Verdicts => {
  let count = 0;
  let failed = 0;
  return {
    claim: (text, passed, figure) => {
      count += 1;
      if (!passed) failed += 1;
      print(`${passed ? 'PASS' : 'FAIL'}  ${step}: ${text}: ${figure}`);
    },
    failedCount: () => failed,
    count: () => count,
  };
};

/** What a step works with. */
export interface StepContext {
  /** A folder of its own for this call; steps share what lies there. */
  readonly workFolder: string;
  readonly claim: Claim;
  /** Progress, to standard error. */
  readonly say: (text: string) => void;
}
