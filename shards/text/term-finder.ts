/**
 * Finds the few words of a text that a query asks for without analysing the rest. A regular expression looks for places
 * where one of the terms could stand; only the stretch between spaces around such a place is analysed, so what is found
 * is what the analyser says of it. White space parts words in the default chain, whatever stands beside it.
 *
 * A stretch of ASCII can become a term in three ways only: it holds, after no letter or digit, the letters that
 * stemming keeps of the term; or an apostrophe, dot, comma or hyphen inside a word is left out of it (`don't`, `U.S.A`,
 * `1,000`, `e-mail`); any other stretch, with a character beyond ASCII, is always analysed, for folding may do anything.
 */
import { STEMMERS } from './stem.ts';
import type { FoundToken, TermFinder, Token } from './token.ts';

/**
 * How much of a word of ASCII stands unchanged at the start of what Snowball's English stemmer makes of it. It cuts
 * endings and rewrites the last letter of the rest at most (`hoping` to `hope`, `happy` to `happi`), the last two in
 * `-ie` (`dying` to `die`) and `-ble` (`capabilities`); a result of one or two letters is never rewritten.
 */
const keptOfEnglish = (term: string): string => {
  if (term.length <= 2) return term;
  return term.slice(0, /(?:i|bl)e$/.test(term) ? -2 : -1);
};

/** Snowball stemmers that only cut endings and rewrite at most the last three letters of the rest (`heden` to `heid`). */
const CUTTING_STEMMERS: ReadonlySet<string> = new Set(['es', 'it', 'nl', 'pt']);
const REWRITTEN_LETTERS = 3;

/** Letters with which a word of ASCII begins when it becomes `term`; undefined for other stemmers. */
const keptLetters = (term: string, lang: string): string | undefined => {
  if (lang === 'en') return keptOfEnglish(term);
  if (CUTTING_STEMMERS.has(lang)) return term.slice(0, Math.max(1, term.length - REWRITTEN_LETTERS));
  return STEMMERS.has(lang) ? undefined : term;
};

const BEYOND_ASCII = '[^\\x00-\\x7f]';
const LEFT_OUT = "['.,-][a-z0-9]";
const WORD_START = '(?<![a-z0-9])';
const ASCII_ONLY = /^\p{ASCII}+$/u;

const escapeSigns = (text: string): string => text.replace(/[^a-z0-9_]/g, '\\$&');

/** Places where one of the terms may stand; undefined where any place may. */
const placePattern = (terms: ReadonlySet<string>, lang: string): RegExp | undefined => {
  const starts = new Set<string>();
  for (const term of terms) {
    const kept = keptLetters(term, lang);
    if (kept === undefined) return undefined;
    if (ASCII_ONLY.test(kept)) starts.add(kept);
  }
  const words = [...starts].map((start) => WORD_START + escapeSigns(start));
  return new RegExp([...words, LEFT_OUT, BEYOND_ASCII].join('|'), 'gi');
};

const SPACE = 0x20;
const NEWLINE = 0x0a;

const isSpace = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index);
  return unit === SPACE || unit === NEWLINE;
};

const stretchStart = (text: string, inside: number): number => {
  let start = inside;
  while (start > 0 && !isSpace(text, start - 1)) start--;
  return start;
};

const stretchEnd = (text: string, inside: number): number => {
  let end = inside;
  while (end < text.length && !isSpace(text, end)) end++;
  return end;
};

/** `lang` is the language by which `analyse` cuts, never ''. */
type Analyse = (text: string, lang: string) => readonly Token[];

const findAt = (pattern: RegExp, text: string, tokensOf: (stretch: string) => readonly Token[]) => {
  const found: FoundToken[] = [];
  pattern.lastIndex = 0;
  while (pattern.test(text)) {
    const inside = pattern.lastIndex - 1;
    const from = stretchStart(text, inside);
    const to = stretchEnd(text, inside);
    for (const { term, start, end } of tokensOf(text.slice(from, to))) {
      found.push({ term, start: from + start, end: from + end });
    }
    pattern.lastIndex = to;
  }
  return found;
};

/** Longer stretches are rarely met twice. */
const LONGEST_REMEMBERED_STRETCH = 32;

/** Patterns and what short stretches hold are remembered as long as the finder lives: for the pages of one answer. */
export const createTermFinder = (terms: ReadonlySet<string>, analyse: Analyse): TermFinder => {
  const createFinder = (lang: string) => {
    const pattern = placePattern(terms, lang);
    const known = new Map<string, readonly Token[]>();
    const cut = (part: string) => analyse(part, lang).filter(({ term }) => terms.has(term));
    const cutOnce = (stretch: string): readonly Token[] => {
      if (stretch.length > LONGEST_REMEMBERED_STRETCH) return cut(stretch);
      const tokens = known.get(stretch) ?? cut(stretch);
      known.set(stretch, tokens);
      return tokens;
    };
    return pattern === undefined ? cut : (text: string) => findAt(pattern, text, cutOnce);
  };
  const finders = new Map<string, (text: string) => readonly FoundToken[]>();
  return (text, lang) => {
    const find = finders.get(lang) ?? createFinder(lang);
    finders.set(lang, find);
    return find(text);
  };
};
