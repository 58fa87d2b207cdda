import { fold, lowerCase } from './fold.ts';

/** A word inside a chunk, before stemming. */
export interface WordPart {
  /** Lower case, without possessive and apostrophes. */
  readonly base: string;
  /** Whether a stemmer may touch it: letters only. */
  readonly stems: boolean;
  /** Whether these are the chunk's other parts, which are words too, as one: `email` of `e-mail`, `i/o`. */
  readonly isJoined?: boolean;
  /** Position from the chunk's first word. */
  readonly step: number;
  /** UTF-16 range in the chunk. */
  readonly start: number;
  readonly end: number;
}

export interface SplitWord {
  readonly parts: readonly WordPart[];
  /** Positions that the chunk takes. */
  readonly width: number;
}

const PLAIN = /^[a-z]+$/i;
const PLAIN_WITH_DIGITS = /^[a-z][a-z0-9]*$/i;
const NUMBER = /^\p{Nd}[\p{Nd}.,\uff0e\uff0c\u2024]*$/u;
const PIECE = /[^._,&/\uff0e\uff3f\uff0c\u2024+#\uff0b\uff03\uff06\uff0f]+/gu;
/** Hyphens, `&`, and the mark that parts the pieces of a Persian word where no space may stand. */
const SEAM = /[-\u2010\u2011\uff0d&\uff06]|\u200c(?<=\p{Script=Arabic}\u200c)/gu;
/** `AT&T`, `R&D`: a name, not two words. */
const SHORT_NAME = /^\p{L}{1,3}&\p{L}{1,3}(?:['\u2019][sS])?$/u;
const SLASH = /\//;
const DIGITS = /^[0-9]+$/;
const APOSTROPHES = /['\u2019\uff07]/g;
const POSSESSIVE = /['\u2019\uff07][sS]$/;
const ELISION = /^[^'\u2019\uff07]+['\u2019\uff07]/;
const SINGLE_LETTER = /^\p{L}$/u;
const HAS_DIGIT = /\p{N}/u;

/** Languages in which an apostrophe ends a word: `l'avion`, `dell'arte`. */
export const ELIDING: ReadonlySet<string> = new Set(['ca', 'fr', 'it', 'oc']);

/** Of more pieces, or of two numbers, nobody writes one word: `a-b-c-d-e`, `10-20`; but a date or an ISBN. */
const MOST_JOINED_WORDS = 4;
const JOINED_NUMBERS = { least: 3, most: 6 } as const;

/** A compound beyond this is no word that anyone types: only its pieces are kept. */
const LONGEST_COMPOUND = 64;

type Range = readonly [start: number, end: number];

/** Ranges of the words between connectors; an elided article is a word of its own. */
const pieceRanges = (chunk: string, elides: boolean): Range[] => {
  const ranges: Range[] = [];
  for (const match of chunk.matchAll(PIECE)) {
    const end = match.index + match[0].length;
    const elided = elides ? ELISION.exec(match[0]) : null;
    const split = elided === null ? match.index : match.index + elided[0].length;
    if (split > match.index) ranges.push([match.index, split - 1]);
    if (split < end) ranges.push([split, end]);
  }
  return ranges;
};

const piecePart = (chunk: string, [start, end]: Range, step: number): WordPart => {
  const piece = chunk.slice(start, end);
  if (PLAIN_WITH_DIGITS.test(piece)) {
    return { base: piece.toLowerCase(), stems: PLAIN.test(piece), step, start, end };
  }
  const raw = piece.replace(POSSESSIVE, '').replace(APOSTROPHES, '');
  const base = lowerCase(raw);
  return { base, stems: !HAS_DIGIT.test(base), step, start, end };
};

/** How a compound is written as one term: `node.js`, `pg_file_unlink`, `c++`, `.net`; `U.S.A` becomes `usa`. */
const compoundBase = (chunk: string, ranges: readonly Range[]): string => {
  const initials =
    ranges.length > 1 && ranges.every(([start, end]) => SINGLE_LETTER.test(chunk.slice(start, end)));
  const written = initials ? chunk.replace(/[.\uff0e\u2024]/g, '') : chunk;
  return lowerCase(written.replace(POSSESSIVE, '').replace(APOSTROPHES, ''));
};

/** Words between seams: a number is one without its thousands separators, a compound is one as written and its pieces. */
const splitSeamless = (chunk: string, lang: string): SplitWord => {
  const whole: Range = [0, chunk.length];
  if (PLAIN_WITH_DIGITS.test(chunk)) return { parts: [piecePart(chunk, whole, 0)], width: 1 };
  if (NUMBER.test(chunk)) {
    const base = fold(lowerCase(chunk)).replaceAll(',', '');
    return { parts: [{ base, stems: false, step: 0, start: 0, end: chunk.length }], width: 1 };
  }
  const ranges = pieceRanges(chunk, ELIDING.has(lang));
  const parts = ranges.map((range, step) => piecePart(chunk, range, step));
  const isElision = parts.length === 2 && !/[._,+#&/]/.test(chunk);
  const covered = ranges.length === 1 && ranges[0]?.[0] === 0 && ranges[0][1] === chunk.length;
  if (!covered && !isElision && chunk.length <= LONGEST_COMPOUND) {
    const base = compoundBase(chunk, ranges);
    const isJoined = SLASH.test(base);
    parts.unshift({ base, stems: false, isJoined, step: 0, start: 0, end: chunk.length });
  }
  return { parts, width: Math.max(1, ranges.length) };
};

/** `e-mail` as `email`, `2024-01-02` as `20240102`; undefined where a part is a compound itself, or there are too many. */
const joinedPart = (parts: readonly WordPart[], end: number): WordPart | undefined => {
  const base = parts.map((part) => part.base).join('');
  const isNumber = DIGITS.test(base);
  const isWord = isNumber
    ? parts.length >= JOINED_NUMBERS.least && parts.length <= JOINED_NUMBERS.most
    : parts.length <= MOST_JOINED_WORDS;
  if (!isWord || base.length > LONGEST_COMPOUND) return undefined;
  return { base, stems: !HAS_DIGIT.test(base), isJoined: true, step: 0, start: 0, end };
};

/** Parts on both sides of each seam; where all are plain words, these joined come first. */
const splitAtSeams = (chunk: string, lang: string): SplitWord => {
  const parts: WordPart[] = [];
  let width = 0;
  let isPlain = !/[&\uff06]/.test(chunk);
  let from = 0;
  for (const text of chunk.split(SEAM)) {
    const piece = splitSeamless(text, lang);
    for (const { base, stems, step, start, end } of piece.parts) {
      parts.push({ base, stems, step: width + step, start: from + start, end: from + end });
    }
    width += piece.width;
    isPlain &&= piece.parts.length === 1;
    from += text.length + 1;
  }
  const joined = isPlain ? joinedPart(parts, chunk.length) : undefined;
  return { parts: joined === undefined ? parts : [joined, ...parts], width };
};

/**
 * Words of a chunk of kind `word` (tokenise.ts). A compound is one word as written and, at the same positions, its pieces, so
 * that it is found by either; one with hyphens is its pieces and these joined.
 */
export const splitWord = (chunk: string, lang: string): SplitWord =>
  chunk.search(SEAM) >= 0 && !SHORT_NAME.test(chunk) ? splitAtSeams(chunk, lang) : splitSeamless(chunk, lang);
