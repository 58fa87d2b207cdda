import * as layout from '../kernels/text-layout.ts';
import { cutBigrams, cutDictionaryWords, type RunTerm } from './cut-runs.ts';
import { fold, withoutInvisible } from './fold.ts';
import { type CutText, KernelTermStream } from './kernel-term-stream.ts';
import { ELIDING, splitWord, type WordPart } from './split-word.ts';
import { LONGEST_CACHED_WORD, STEMMERS, type Stem, stemmerFor, WordCache } from './stem.ts';
import { createTermFinder } from './term-finder.ts';
import { boundTerm } from './term-length.ts';
import { type Analyser, BLOCK_GAP, type QueryWord, type Token } from './token.ts';
import { ChunkKind, tokenise } from './tokenise.ts';
import { classesOfBytes, SEPARATING_CODE_POINTS } from './word-classes.ts';

/** The language of a text that names none and gives no hint (language.ts): most of the web's. */
export const FALLBACK_LANGUAGE = 'en';

const knownLanguage = (lang: string): string => (lang === '' ? FALLBACK_LANGUAGE : lang);

/** © and ™ stand on every page and are no word; what people draw with is, by itself or by the selector behind it. */
const DRAWN = /^(?:\p{Emoji_Presentation}|.\u{fe0f})/u;

/** A word of a document, ready to be placed: several terms where it is a compound. */
interface KnownWord {
  readonly terms: readonly {
    readonly term: string;
    readonly step: number;
    readonly start: number;
    readonly end: number;
  }[];
  readonly width: number;
}

interface CutRun {
  readonly terms: readonly RunTerm[];
  /** Positions that the run takes. */
  readonly width: number;
}

const cutPictograph = (text: string, start: number, end: number): RunTerm[] => {
  const written = text.slice(start, end);
  return DRAWN.test(written) ? [{ term: withoutInvisible(written), step: 0, start, end }] : [];
};

/** A character may carry any number of marks. */
const boundTerms = (terms: readonly RunTerm[]): RunTerm[] =>
  terms.map((part) => ({ ...part, term: boundTerm(part.term) })).filter(({ term }) => term !== '');

const cutRun = (
  kind: ChunkKind,
  text: string,
  range: readonly [number, number],
  forQuery: boolean,
): CutRun => {
  if (kind === ChunkKind.cjk) {
    const { terms, width } = cutBigrams(text, range, !forQuery);
    return { terms: boundTerms(terms), width };
  }
  const cut = kind === ChunkKind.dictionary ? cutDictionaryWords : cutPictograph;
  const terms = cut(text, range[0], range[1]);
  return { terms: boundTerms(terms), width: terms.length };
};

const termOf = (part: WordPart, stem: Stem): string =>
  boundTerm(part.stems ? stem(part.base) : fold(part.base));

const PLAIN = /^[a-z]+$/;

/** Remembers what words become in one language. */
class LanguageChain {
  readonly number: number;
  readonly #lang: string;
  readonly #stem: Stem;
  readonly #known = new WordCache<KnownWord | string>();

  constructor(lang: string, number: number) {
    this.number = number;
    this.#lang = lang;
    this.#stem = stemmerFor(lang);
  }

  /** What the kernel asks for: a word, or several that it does not part. It remembers them itself. */
  cut(text: string): CutText {
    if (text.length <= LONGEST_CACHED_WORD && PLAIN.test(text)) {
      return { tokens: [{ term: this.#stem(text), position: 0 }], width: 1 };
    }
    return cutText(text, (chunk) => this.make(chunk));
  }

  /** A word that is one term covering the whole chunk comes back as that term alone. */
  lookUp(chunk: string): KnownWord | string {
    if (chunk.length > LONGEST_CACHED_WORD) return this.make(chunk);
    const known = this.#known.get(chunk);
    if (known !== undefined) return known;
    const made = this.make(chunk);
    this.#known.set(chunk, made);
    return made;
  }

  make(chunk: string): KnownWord | string {
    const { parts, width } = splitWord(chunk, this.#lang);
    const terms = parts
      .map((part) => ({ term: termOf(part, this.#stem), step: part.step, start: part.start, end: part.end }))
      .filter(({ term }) => term !== '');
    const [only] = terms;
    const isPlain = terms.length === 1 && width === 1 && only?.start === 0 && only.end === chunk.length;
    return isPlain ? only.term : { terms, width };
  }
}

/** The chain of all languages for which there are no rules: words as they are. */
const PLAIN_LANGUAGE = '-';

const chainName = (lang: string): string => {
  const known = knownLanguage(lang);
  return STEMMERS.has(known) || ELIDING.has(known) ? known : PLAIN_LANGUAGE;
};

/** As tokenise.ts has it, for ASCII. */
const BYTE_CLASSES = classesOfBytes({
  "'": layout.CLASS_JOINS_LETTERS | layout.CLASS_JOINS_DIGITS | layout.CLASS_JOINS_BOTH,
  '-': layout.CLASS_JOINS_LETTERS | layout.CLASS_JOINS_DIGITS | layout.CLASS_JOINS_BOTH,
  '&': layout.CLASS_JOINS_LETTERS,
  '.': layout.CLASS_JOINS_LETTERS | layout.CLASS_JOINS_DIGITS | layout.CLASS_JOINS_BOTH,
  ',': layout.CLASS_JOINS_DIGITS,
  _: layout.CLASS_JOINS_LETTERS | layout.CLASS_JOINS_DIGITS | layout.CLASS_JOINS_BOTH | layout.CLASS_REPEATS,
  '+': layout.CLASS_REPEATS,
  '#': layout.CLASS_REPEATS,
  '/': layout.CLASS_REPEATS,
});

/**
 * Quarry's own chain: Unicode words, compounds as written and in pieces, Snowball stems by language, folding, bigrams.
 * No stop words are dropped.
 */
export const createDefaultAnalyser = (): Analyser => {
  const chains = new Map<string, LanguageChain>();

  const chainFor = (lang: string): LanguageChain => {
    const name = chainName(lang);
    const known = chains.get(name);
    if (known !== undefined) return known;
    const chain = new LanguageChain(name, chains.size);
    chains.set(name, chain);
    return chain;
  };

  const analyse = (text: string, lang: string) => analyseText(text, chainFor(lang));
  return {
    name: 'default',
    analyse,
    analyseQuery: (text, langs) => analyseQueryText(text, langs),
    prefixOf,
    finder: (terms) => {
      const find = createTermFinder(terms, analyse);
      return (text, lang) => find(text, knownLanguage(lang));
    },
    termStream: () =>
      new KernelTermStream({
        byteClasses: BYTE_CLASSES,
        separators: SEPARATING_CODE_POINTS,
        blockGap: BLOCK_GAP,
        rulesFor: chainFor,
      }),
  };
};

const analyseText = (text: string, chain: LanguageChain): Token[] =>
  cutText(text, (chunk) => chain.lookUp(chunk)).tokens;

const cutText = (
  text: string,
  wordOf: (chunk: string) => KnownWord | string,
): { tokens: Token[]; width: number } => {
  const tokens: Token[] = [];
  let position = 0;
  let afterBorder = true;
  const place = (terms: KnownWord['terms'], start: number): void => {
    for (const part of terms) {
      tokens.push({
        term: part.term,
        position: position + part.step,
        start: start + part.start,
        end: start + part.end,
      });
    }
  };
  tokenise(text, (kind, start, end) => {
    if (kind === ChunkKind.border) {
      if (!afterBorder) position += BLOCK_GAP;
      afterBorder = true;
    } else if (kind === ChunkKind.word) {
      const word = wordOf(text.slice(start, end));
      if (typeof word === 'string') tokens.push({ term: word, position, start, end });
      else place(word.terms, start);
      position += typeof word === 'string' ? 1 : word.width;
      afterBorder = false;
    } else {
      const { terms, width } = cutRun(kind, text, [start, end], false);
      place(terms, 0);
      position += width;
      if (width > 0) afterBorder = false;
    }
  });
  return { tokens, width: position };
};

/**
 * A letter alone says next to nothing, so `e-mail` is also asked for as `email`, and `I/O` as `i/o`. Other words with hyphens are asked for by
 * their pieces: asking for `timesharing` beside `time` and `sharing` made CACM's nDCG fall from 0.504 to 0.486.
 */
const isAskedFor = (joined: WordPart, parts: readonly WordPart[]): boolean =>
  joined.base.includes('/') || parts.some(({ base }) => base.length === 1);

/** Stems in each language, main one first, then the word itself; distinct. */
const alternatives = (part: WordPart, stems: readonly Stem[]): string[] => {
  const plain = boundTerm(fold(part.base));
  if (!part.stems) return plain === '' ? [] : [plain];
  const terms = new Set(stems.map((stem) => boundTerm(stem(part.base))));
  terms.add(plain);
  terms.delete('');
  return [...terms];
};

const OPEN_COMPOUND = /[._]+$/;

/** Of a compound the term as written, which may still be open (`pg_`); of a word with hyphens the one without. */
const prefixOf = (text: string): string => {
  const word = text.replace(OPEN_COMPOUND, '');
  let prefix = '';
  tokenise(word, (kind, start, end) => {
    if (kind !== ChunkKind.word || start > 0 || end < word.length) return;
    const { parts } = splitWord(word, FALLBACK_LANGUAGE);
    const whole = parts.find((part) => part.start === 0 && part.end === word.length);
    if (whole !== undefined) prefix = boundTerm(fold(whole.base) + text.slice(word.length));
  });
  return prefix;
};

const analyseQueryText = (text: string, langs: readonly string[]): QueryWord[] => {
  const names = (langs.length === 0 ? [''] : langs).map(knownLanguage);
  const stems = [...new Set(names)].map(stemmerFor);
  const mainLang = names[0] ?? FALLBACK_LANGUAGE;
  const words: QueryWord[] = [];
  let position = 0;
  tokenise(text, (kind, start, end) => {
    if (kind === ChunkKind.word) {
      const { parts, width } = splitWord(text.slice(start, end), mainLang);
      const joined = parts.filter((part) => part.isJoined === true && isAskedFor(part, parts));
      const joinedTerms = joined.flatMap((part) => alternatives(part, stems));
      for (const part of parts) {
        if (part.isJoined === true) continue;
        const terms = [...new Set([...alternatives(part, stems), ...joinedTerms])];
        const range = { start: start + part.start, end: start + part.end };
        if (terms.length > 0) words.push({ terms, position: position + part.step, ...range });
      }
      position += width;
      return;
    }
    if (kind === ChunkKind.border) return;
    const { terms, width } = cutRun(kind, text, [start, end], true);
    for (const { term, step, ...range } of terms) {
      words.push({ terms: [term], position: position + step, ...range });
    }
    position += width;
  });
  return words;
};
