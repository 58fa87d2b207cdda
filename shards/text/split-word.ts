import { fold, lowerCase } from './fold.ts';

/** A word inside a chunk, before stemming. */
export interface WordPart {
  /** Lower case, without possessive and apostrophes. */
  readonly base: string;
  /** Whether a stemmer may touch it: letters only. */
  readonly stems: boolean;
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
const NUMBER = /^\p{Nd}[\p{Nd}.,\uff0e\uff0c\u2024]*$/u;
const PIECE = /[^._,\uff0e\uff3f\uff0c\u2024+#\uff0b\uff03]+/gu;
const APOSTROPHES = /['\u2019\uff07]/g;
const POSSESSIVE = /['\u2019\uff07][sS]$/;
const ELISION = /^[^'\u2019\uff07]+['\u2019\uff07]/;
const SINGLE_LETTER = /^\p{L}$/u;
const HAS_DIGIT = /\p{N}/u;

/** Languages in which an apostrophe ends a word: `l'avion`, `dell'arte`. */
export const ELIDING: ReadonlySet<string> = new Set(['ca', 'fr', 'it', 'oc']);

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
  const raw = chunk.slice(start, end).replace(POSSESSIVE, '').replace(APOSTROPHES, '');
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

/**
 * Words of a chunk of kind `word` (tokenise.ts). A number is one word without its thousands separators. A compound is
 * one word as written and, at the same positions, its pieces, so that it is found by either.
 */
export const splitWord = (chunk: string, lang: string): SplitWord => {
  const whole: Range = [0, chunk.length];
  if (PLAIN.test(chunk)) return { parts: [piecePart(chunk, whole, 0)], width: 1 };
  if (NUMBER.test(chunk)) {
    const base = fold(lowerCase(chunk)).replaceAll(',', '');
    return { parts: [{ base, stems: false, step: 0, start: 0, end: chunk.length }], width: 1 };
  }
  const ranges = pieceRanges(chunk, ELIDING.has(lang));
  const parts = ranges.map((range, step) => piecePart(chunk, range, step));
  const isElision = parts.length === 2 && !/[._,+#]/.test(chunk);
  const covered = ranges.length === 1 && ranges[0]?.[0] === 0 && ranges[0][1] === chunk.length;
  if (!covered && !isElision && chunk.length <= LONGEST_COMPOUND) {
    const base = compoundBase(chunk, ranges);
    parts.unshift({ base, stems: false, step: 0, start: 0, end: chunk.length });
  }
  return { parts, width: Math.max(1, ranges.length) };
};
