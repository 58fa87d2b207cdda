import { type IsoCode, stem as stemToday } from 'multilingual-stemmer';
import snowball from 'snowball-stemmers';
import { fold } from './fold.ts';

/**
 * snowball-stemmers was made from an older Snowball; it is used for the languages in which it agrees with today's on at
 * least 99 % of the vocabulary of snowball-data (2026-05-01):
 *
 *   armenian, basque, catalan, danish, dutch (dutch_porter), hungarian, irish, italian, portuguese   100 %
 *   finnish 99.99 · spanish 99.97 · russian 99.78 · norwegian 99.35
 */
const OLDER_SNOWBALL: Readonly<Record<string, string>> = {
  ca: 'catalan',
  da: 'danish',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ru: 'russian',
};

/**
 * multilingual-stemmer is Snowball 3.1.1 as WebAssembly, 100 % on each of these. The older one is off in swedish 1.8 ·
 * german 3.6 · french 4.2 · turkish 9.6 · czech 13.7 · romanian 15.2 % of the words, and takes 16 to 25 us for a word of English,
 * of which most pages are, where this takes 2.5.
 */
const TODAYS_SNOWBALL: Readonly<Record<string, string>> = {
  cs: 'czech',
  de: 'german',
  en: 'english',
  fr: 'french',
  ro: 'romanian',
  sv: 'swedish',
  tr: 'turkish',
};

/** Names of the algorithms by primary language subtag. Arabic, Slovene and Tamil are left out: nothing to compare with. */
export const STEMMERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...OLDER_SNOWBALL, ...TODAYS_SNOWBALL }),
);

/**
 * The packages take 1 to 60 us a word, so every stem is remembered. Two generations bound the memory: when the
 * young one is full it becomes the old one, and what is still asked for moves over (an approximate LRU).
 */
const CACHED_WORDS = 65_536;
/** In UTF-16 units; longer words are rarely met twice. */
export const LONGEST_CACHED_WORD = 32;

/** A bounded map from word to anything made of it alone. */
export class WordCache<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  get(word: string): Value | undefined {
    const young = this.#young.get(word);
    if (young !== undefined) return young;
    const old = this.#old.get(word);
    if (old !== undefined) this.set(word, old);
    return old;
  }

  set(word: string, value: Value): void {
    if (this.#young.size >= CACHED_WORDS) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(word, value);
  }
}

export type Stem = (word: string) => string;

const stemOf = new Map<string, Stem>();

const remembering = (stem: Stem): Stem => {
  const known = new WordCache<string>();
  return (word) => {
    const remembered = known.get(word);
    if (remembered !== undefined) return remembered;
    const stemmed = stem(word);
    if (word.length <= LONGEST_CACHED_WORD) known.set(word, stemmed);
    return stemmed;
  };
};

const createStemmer = (lang: string): Stem | undefined => {
  if (Object.hasOwn(TODAYS_SNOWBALL, lang)) return remembering((word) => stemToday(lang as IsoCode, word));
  const algorithm = STEMMERS.get(lang);
  if (algorithm === undefined) return undefined;
  const stemmer = snowball.newStemmer(algorithm);
  return remembering((word) => stemmer.stem(word));
};

const makeStem = (lang: string): Stem => {
  const stem = createStemmer(lang);
  if (stem === undefined) return fold;
  // English spelling has no diacritics that its stemmer knows: "resumes" and "résumés" must meet before it.
  if (lang === 'en') return (word) => stem(fold(word));
  return (word) => fold(stem(word));
};

/**
 * Stem of a lower-case word (fold.ts, lowerCase) in the language of a primary subtag, folded.
 * A language without a stemmer only folds. Not cached: the analyser remembers whole words.
 */
export const stemmerFor = (lang: string): Stem => {
  const known = stemOf.get(lang);
  if (known !== undefined) return known;
  const made = makeStem(lang);
  if (STEMMERS.has(lang)) stemOf.set(lang, made);
  return made;
};
