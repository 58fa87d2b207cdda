/** Tells a claim with what decided it. */
export type Claim = (claim: string, passed: boolean, figure: string) => void;

/** What a figure is judged by. The goal is what is wanted; short of the minimum the claim fails. */
export interface Limits {
  readonly goal: number;
  readonly minimum: number;
  /** Which way is good; 'up' unless said. */
  readonly better?: 'up' | 'down';
}

/** Tells a measured value with its limits; `figure` says what it was made of. */
export type Measure = (claim: string, value: number, limits: Limits, figure: string) => void;

export interface Verdicts {
  readonly claim: Claim;
  readonly measure: Measure;
  readonly failedCount: () => number;
  readonly count: () => number;
}

const reaches = (value: number, limit: number, better: 'up' | 'down'): boolean =>
  better === 'up' ? value >= limit : value <= limit;

/** Such as `2.41 (minimum 1.6 reached, goal 2.5 not)`. */
const judged = (value: number, { goal, minimum, better = 'up' }: Limits): string => {
  const shown = String(Number(value.toPrecision(3)));
  if (reaches(value, goal, better)) return `${shown} (goal ${goal} reached)`;
  if (reaches(value, minimum, better)) return `${shown} (minimum ${minimum} reached, goal ${goal} not)`;
  return `${shown} (minimum ${minimum} missed)`;
};

/** Prints one line per claim: PASS or FAIL, step, claim, figure. */
export const createVerdicts = (print: (line: string) => void, step: string): Verdicts => {
  let count = 0;
  let failed = 0;
  const claim: Claim = (text, passed, figure) => {
    count += 1;
    if (!passed) failed += 1;
    print(`${passed ? 'PASS' : 'FAIL'}  ${step}: ${text}: ${figure}`);
  };
  return {
    claim,
    measure: (text, value, limits, figure) =>
      claim(
        text,
        reaches(value, limits.minimum, limits.better ?? 'up'),
        `${judged(value, limits)}; ${figure}`,
      ),
    failedCount: () => failed,
    count: () => count,
  };
};

/** What a step works with. */
export interface StepContext {
  /** A folder of its own for this call; steps share what lies there. */
  readonly workFolder: string;
  readonly claim: Claim;
  readonly measure: Measure;
  /** How thorough measurements are. */
  readonly effort: { readonly runs: number; readonly rounds: number };
  /** Progress, to standard error. */
  readonly say: (text: string) => void;
}
