import { ROLE_EXCLUDED, ROLE_OPTIONAL, ROLE_REQUIRED } from '../kernels/search-layout.ts';
import type { QueryPlan, TermGroup } from './query-plan.ts';

/** A word of a conjunction as the kernel knows it. */
export interface KernelWord {
  readonly group: TermGroup;
  /** ROLE_… of kernels/search-layout.ts. */
  readonly role: number;
  /** Number of the phrase that it belongs to, from 1; 0 for none. */
  readonly phrase: number;
  /** Positions from the phrase's first word. */
  readonly offset: number;
}

const plain = (groups: readonly TermGroup[], role: number): KernelWord[] =>
  groups.map((group) => ({ group, role, phrase: 0, offset: 0 }));

/** The words of a plan, without its excluded phrases; undefined when it requires none. */
export const kernelWords = (plan: QueryPlan): readonly KernelWord[] | undefined => {
  const { required, phrases, excluded, optional } = plan;
  if (required.length + phrases.length === 0) return undefined;
  return [
    ...plain(required, ROLE_REQUIRED),
    ...phrases.flatMap(({ words }, index) =>
      words.map(({ group, offset }) => ({ group, role: ROLE_REQUIRED, phrase: index + 1, offset })),
    ),
    ...plain(excluded, ROLE_EXCLUDED),
    ...plain(optional, ROLE_OPTIONAL),
  ];
};
