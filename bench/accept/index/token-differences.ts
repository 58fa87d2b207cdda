/**
 * Why two analysers have other terms at one place.
 * tooLong: the same up to where a term ends with us. boundary: the same letters, cut elsewhere. invisible: the same but for marks
 * and characters that are not seen. stem: one word with two endings. missing, added: a word that only the peer, or we, take for one.
 * other: none of these.
 */
export const DIFFERENCES = ['tooLong', 'boundary', 'invisible', 'stem', 'missing', 'added', 'other'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** Terms of both sides between two places where they agree. */
interface Gap {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Terms looked at on each side for the place where both agree again. */
const WINDOW = 32;
const LONGEST_TERM = 64;
/** Letters that two forms of one word have in common at least. */
const STEM_LENGTH = 3;
const INVISIBLE = /[\p{Cf}\p{M}]/gu;
const SIGNS = /[^\p{L}\p{N}\p{So}]/gu;

/** How far both sides are from agreeing again: the fewest terms, taken together. */
const nextAgreement = (ours: readonly string[], theirs: readonly string[]): readonly [number, number] => {
  for (let distance = 1; distance <= 2 * WINDOW; distance++) {
    for (let ahead = Math.max(0, distance - WINDOW); ahead <= Math.min(distance, WINDOW); ahead++) {
      const other = distance - ahead;
      if (ours[ahead] === theirs[other] && ours[ahead + 1] === theirs[other + 1]) return [ahead, other];
    }
  }
  return [WINDOW, WINDOW];
};

/** All places where the terms of one text differ. */
function* gapsOf(ours: readonly string[], theirs: readonly string[]): Generator<Gap> {
  let [at, other] = [0, 0];
  while (at < ours.length || other < theirs.length) {
    if (ours[at] === theirs[other]) {
      at++;
      other++;
      continue;
    }
    const near = 2 * WINDOW + 2;
    const [step, otherStep] = nextAgreement(ours.slice(at, at + near), theirs.slice(other, other + near));
    yield { ours: ours.slice(at, at + step), theirs: theirs.slice(other, other + otherStep) };
    at += step;
    other += otherStep;
  }
}

const withoutInvisible = (term: string): string =>
  term.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();

const areForms = (a: string, b: string): boolean =>
  a.length >= STEM_LENGTH && a.slice(0, STEM_LENGTH) === b.slice(0, STEM_LENGTH);

/** Of a word that stands alone on both sides. */
const pairDifference = (ours: string, theirs: string): Difference => {
  const characters = Array.from(theirs);
  if (characters.length > LONGEST_TERM && characters.slice(0, LONGEST_TERM).join('') === ours)
    return 'tooLong';
  if (withoutInvisible(ours) === withoutInvisible(theirs)) return 'invisible';
  if (ours.replace(SIGNS, '') === theirs.replace(SIGNS, '')) return 'boundary';
  return areForms(ours, theirs) ? 'stem' : 'other';
};

const gapDifference = ({ ours, theirs }: Gap): Difference => {
  const [word, peerWord] = [ours[0], theirs[0]];
  if (word === undefined) return 'missing';
  if (peerWord === undefined) return 'added';
  if (ours.length === 1 && theirs.length === 1) return pairDifference(word, peerWord);
  return ours.join('').replace(SIGNS, '') === theirs.join('').replace(SIGNS, '') ? 'boundary' : 'other';
};

/** A gap of several words that differ one by one. */
const parts = (gap: Gap): Gap[] =>
  gap.ours.length === gap.theirs.length
    ? gap.ours.map((term, index) => ({ ours: [term], theirs: gap.theirs.slice(index, index + 1) }))
    : [gap];

/** How the terms of a corpus differ, by class. */
export class TokenDifferences {
  readonly #counts = new Map<Difference, number>();
  readonly #examples = new Map<Difference, string>();
  textCount = 0;
  /** Texts with another number of terms, whose length counts otherwise. */
  otherLengthCount = 0;

  /** Takes in one text, cut by both. */
  add(ours: readonly string[], theirs: readonly string[]): void {
    const countBefore = this.count;
    for (const gap of gapsOf(ours, theirs)) for (const part of parts(gap)) this.#note(part);
    if (this.count > countBefore) this.textCount++;
    if (ours.length !== theirs.length) this.otherLengthCount++;
  }

  #note(gap: Gap): void {
    if (gap.ours.join(' ') === gap.theirs.join(' ')) return;
    const difference = gapDifference(gap);
    this.#counts.set(difference, this.countOf(difference) + Math.max(gap.ours.length, gap.theirs.length));
    if (this.#examples.has(difference)) return;
    this.#examples.set(difference, `${gap.ours.join(' ')} | ${gap.theirs.join(' ')}`);
  }

  /** Terms concerned, on the side that has more of them. */
  get count(): number {
    return DIFFERENCES.reduce((sum, difference) => sum + this.countOf(difference), 0);
  }

  countOf(difference: Difference): number {
    return this.#counts.get(difference) ?? 0;
  }

  /** The first one of a class, ours before the peer's. */
  exampleOf(difference: Difference): string {
    return this.#examples.get(difference) ?? '';
  }
}
