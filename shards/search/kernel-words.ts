import {
  MAX_LISTS_OF_ALL,
  ROLE_BIWORD,
  ROLE_COVERED,
  ROLE_EXCLUDED,
  ROLE_OPTIONAL,
  ROLE_REQUIRED,
} from '../kernels/search-layout.ts';
import type { Segment } from '../segment/segment.ts';
import type { PhraseClause, QueryPlan, TermGroup } from './query-plan.ts';

/** Terms of a segment's dictionary by their text, or by their bytes, that count as one word. */
export interface KernelGroup {
  readonly terms: readonly (string | Uint8Array)[];
  readonly weight: number;
}

/** A word of a conjunction as the kernel knows it. */
export interface KernelWord {
  readonly group: KernelGroup;
  /** ROLE_… of kernels/search-layout.ts. */
  readonly role: number;
  /** Number of the phrase that it belongs to, from 1; 0 for none. */
  readonly phrase: number;
  /** Positions from the phrase's first word. */
  readonly offset: number;
}

const plain = (groups: readonly TermGroup[], role: number): KernelWord[] =>
  groups.map((group) => ({ group, role, phrase: 0, offset: 0 }));

const onlyTerm = ({ terms }: TermGroup): string | undefined => (terms.length === 1 ? terms[0] : undefined);

/** Keys of the biwords that a phrase has in the segment, each once. */
const biwordsOf = ({ words }: PhraseClause, segment: Segment): Uint8Array[] => {
  const keys = new Map<string, Uint8Array>();
  for (let index = 1; index < words.length; index++) {
    const [before, word] = [words[index - 1], words[index]];
    const [first, second] = [before && onlyTerm(before.group), word && onlyTerm(word.group)];
    if (first === undefined || second === undefined) continue;
    if (word?.offset !== (before?.offset ?? 0) + 1) continue;
    const key = segment.biword(first, second);
    if (key !== undefined) keys.set(`${first} ${second}`, key);
  }
  return [...keys.values()];
};

/** What a phrase's words are asked for where a biword is the whole phrase: 'placed' as if there were none. */
type WholePhrase = 'covered' | 'plain' | 'placed';

/**
 * Words of a phrase, whose positions count, then its biwords, which spare documents that hold the words elsewhere. Where one of them
 * is the whole phrase no positions are needed. Words that score by themselves are then plain ones, the biword a filter; and
 * where the phrase is all that is asked and scores as one term, its words do no more than weigh.
 */
const phraseWords = (
  phrase: PhraseClause,
  number: number,
  biwords: readonly Uint8Array[],
  whole: WholePhrase,
): KernelWord[] => [
  ...phrase.words.map(({ group, offset }) => ({
    group,
    role: whole === 'covered' ? ROLE_COVERED : ROLE_REQUIRED,
    phrase: whole === 'plain' ? 0 : number,
    offset,
  })),
  ...biwords.map((key) => ({
    group: { terms: [key], weight: 0 },
    role: ROLE_BIWORD,
    phrase: number,
    offset: 0,
  })),
];

type BiwordsOf = (phrase: PhraseClause) => readonly Uint8Array[];

const allPhraseWords = (plan: QueryPlan, keysOf: BiwordsOf, scoresPhrases: boolean): KernelWord[] => {
  const { required, phrases, optional } = plan;
  const isOnePhrase = required.length + optional.length === 0 && phrases.length === 1;
  let known: WholePhrase = 'plain';
  if (scoresPhrases) known = isOnePhrase ? 'covered' : 'placed';
  let number = 1;
  return phrases.flatMap((phrase) => {
    const biwords = keysOf(phrase);
    const whole = phrase.words.length === 2 && biwords.length === 1 ? known : 'placed';
    // A plain phrase is none any more: phrases are numbered without gaps.
    return phraseWords(phrase, whole === 'plain' ? number : number++, biwords, whole);
  });
};

/**
 * The words of a plan as they are asked of one segment, without its excluded phrases; undefined when it requires none.
 * `scoresPhrases`: a phrase scores as one term, by its own occurrences.
 */
export const kernelWords = (
  plan: QueryPlan,
  segment: Segment,
  scoresPhrases: boolean,
): readonly KernelWord[] | undefined => {
  const { required, phrases, excluded, optional } = plan;
  if (required.length + phrases.length === 0) return undefined;
  const wordsWith = (biwords: BiwordsOf): KernelWord[] => [
    ...plain(required, ROLE_REQUIRED),
    ...allPhraseWords(plan, biwords, scoresPhrases),
    ...plain(excluded, ROLE_EXCLUDED),
    ...plain(optional, ROLE_OPTIONAL),
  ];
  const words = wordsWith((phrase) => biwordsOf(phrase, segment));
  // A long phrase must not be too long for the kernel because of them.
  return listCount(words) > MAX_LISTS_OF_ALL ? wordsWith(() => []) : words;
};

const listCount = (words: readonly KernelWord[]): number =>
  words.reduce((sum, { group }) => sum + group.terms.length, 0);
