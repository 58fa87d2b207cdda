import { LEVEL_COUNT } from './front-queues.ts';

/** What is known of a link when it enters the frontier. */
export interface Candidate {
  readonly depth: number;
  /** Score of the page that links to it, 0 to 1, 0 without a scorer. */
  readonly parentScore: number;
  readonly seed: boolean;
}

/** Front queue of a new URL, 0 (first) to LEVEL_COUNT - 1. */
export type Prioritiser = (candidate: Candidate) => number;

/** Near pages first: a level for each of the first depths, the last one for all that is deeper. */
export const breadthFirst: Prioritiser = ({ depth, seed }) => (seed ? 0 : Math.min(LEVEL_COUNT - 1, depth));

/** With a page scorer: links of the best pages first, by level of the parent's score. */
export const byParentScore: Prioritiser = ({ parentScore, seed }) =>
  seed ? 0 : Math.min(LEVEL_COUNT - 1, Math.floor((1 - parentScore) * LEVEL_COUNT));
