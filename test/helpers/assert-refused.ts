import assert from 'node:assert/strict';
import type { ProgramResult } from '../../bench/program.ts';

export interface Refusal {
  /** 1: the work failed; 2: the usage or the input was wrong. */
  readonly status: 1 | 2;
  /** The one sentence: what is wrong, and what to do. */
  readonly says: RegExp;
}

/** A program said one sentence on standard error and nothing on standard output, without a stack and without gaps. */
export const assertRefused = ({ stdout, stderr, status }: ProgramResult, refusal: Refusal): void => {
  assert.match(stderr, refusal.says);
  assert.match(stderr, /^[^\n]+\n$/, 'one line');
  assert.doesNotMatch(stderr, /\bat .*:\d+:\d+|unexpected error|undefined|\[object|\{\w+\}/);
  assert.equal(status, refusal.status, stderr);
  assert.equal(stdout, '');
};
