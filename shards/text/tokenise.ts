import { CharClass, CLASS_OF_UNIT, classAt } from './character-classes.ts';
import { unitsAt } from './class-table.ts';

export const ChunkKind = {
  /** Letters and digits with what may stand between them, such as `node.js`, `don't`, `1,000.5`, `e-mail`, `C++`. */
  word: 0,
  /** Characters of which bigrams are made. */
  cjk: 1,
  /** Text without spaces that a dictionary cuts. */
  dictionary: 2,
  pictograph: 3,
  /** The `\n` between two blocks. */
  border: 4,
} as const;
export type ChunkKind = (typeof ChunkKind)[keyof typeof ChunkKind];

/** Called in the order of the text, with UTF-16 offsets. */
export type ChunkSink = (kind: ChunkKind, start: number, end: number) => void;

const SPACE = 0x20;
const DOT = 0x2e;
const ASCII_END = 0x80;

const isWordClass = (charClass: CharClass): boolean =>
  charClass === CharClass.letter || charClass === CharClass.digit || charClass === CharClass.mark;

const isAlphanumeric = (charClass: CharClass): boolean =>
  charClass === CharClass.letter || charClass === CharClass.digit;

/** Whether the connector at `index` joins what stands before it to what follows; `before` is the class before it. */
const connects = (text: string, index: number, before: CharClass): boolean => {
  const after = classAt(text, index + 1);
  const connector = CLASS_OF_UNIT[text.charCodeAt(index)];
  if (connector === CharClass.comma) return before === CharClass.digit && after === CharClass.digit;
  if (connector === CharClass.ampersand) return before === CharClass.letter && after === CharClass.letter;
  return isAlphanumeric(after) || (connector === CharClass.underscore && after === CharClass.underscore);
};

/** End of a run of word characters with connectors inside, none at its end; `from` is past its first character. */
const wordEnd = (text: string, from: number, first: CharClass): number => {
  let index = from;
  let end = from;
  let before = first;
  while (index < text.length) {
    const charClass = classAt(text, index);
    if (isWordClass(charClass)) {
      if (charClass !== CharClass.mark) before = charClass;
      index += unitsAt(text, index);
      end = index;
    } else if (charClass === CharClass.ignored) {
      index += unitsAt(text, index);
      end = index;
    } else if (isConnector(charClass) && connects(text, index, before)) {
      index++;
    } else {
      break;
    }
  }
  return end;
};

const isConnector = (charClass: CharClass): boolean =>
  charClass === CharClass.dot ||
  charClass === CharClass.apostrophe ||
  charClass === CharClass.comma ||
  charClass === CharClass.underscore ||
  charClass === CharClass.hyphen ||
  charClass === CharClass.ampersand;

const LONGEST_SUFFIXED_WORD = 12;

const LONGEST_SLASHED_PIECE = 3;
const ASCII_ALPHANUMERIC = /^[a-z0-9]$/i;

/** Whether a character parts words whatever stands beside it. */
const isSeparator = (text: string, index: number): boolean => {
  const charClass = classAt(text, index);
  if (charClass === CharClass.newline) return true;
  return charClass === CharClass.other && unitsAt(text, index) === 1;
};

/** `24/7`, `I/O`, `A/B`: two short pieces, the second of ASCII, and nothing more than a full stop or comma behind. */
const slashedEnd = (text: string, start: number, end: number): number => {
  if (end - start > LONGEST_SLASHED_PIECE) return end;
  let past = end + 1;
  while (past - end <= LONGEST_SLASHED_PIECE && ASCII_ALPHANUMERIC.test(text.charAt(past))) past++;
  if (past === end + 1) return end;
  const isEnd = isSeparator(text, past) || (/^[.,]$/.test(text.charAt(past)) && isSeparator(text, past + 1));
  return isEnd ? past : end;
};

/** `C++`, `g++`, `C#`: two plus signs, or a number sign after a single letter, at the end of a short word; `24/7`. */
const suffixEnd = (text: string, start: number, end: number): number => {
  const sign = CLASS_OF_UNIT[text.charCodeAt(end)];
  if (sign === CharClass.slash) return slashedEnd(text, start, end);
  let past = end;
  if (sign === CharClass.plus && end - start <= LONGEST_SUFFIXED_WORD) {
    if (CLASS_OF_UNIT[text.charCodeAt(end + 1)] === CharClass.plus) past = end + 2;
  } else if (sign === CharClass.hash && end - start === 1 && classAt(text, start) === CharClass.letter) {
    past = end + 1;
  }
  const next = classAt(text, past);
  return isAlphanumeric(next) || next === CharClass.plus || next === CharClass.hash ? end : past;
};

/** Characters of ASCII before which no space is needed for a dot to belong to the word that it touches. */
const OPENING = /^["'([]$/;

/** `.NET`, `.htaccess`: a dot after nothing, white space, what opens or is beyond ASCII belongs to the word that it touches. */
const leadingDot = (text: string, start: number): number => {
  if (start === 0 || text.charCodeAt(start - 1) !== DOT) return start;
  if (start === 1) return 0;
  const before = text.charCodeAt(start - 2);
  return before <= SPACE || before >= ASCII_END || OPENING.test(text.charAt(start - 2)) ? start - 1 : start;
};

const runEnd = (text: string, from: number, charClass: CharClass): number => {
  let index = from;
  while (index < text.length) {
    const next = classAt(text, index);
    if (next !== charClass && next !== CharClass.mark && next !== CharClass.ignored) break;
    index += unitsAt(text, index);
  }
  return index;
};

const ZERO_WIDTH_JOINER = '\u200d';

/** A pictograph with its variations, and others that are joined to it: a family is one. */
const pictographEnd = (text: string, from: number): number => {
  let index = from;
  while (classAt(text, index) === CharClass.ignored) {
    index += unitsAt(text, index);
    const isJoined = text[index - 1] === ZERO_WIDTH_JOINER;
    if (isJoined && classAt(text, index) === CharClass.pictograph) index += unitsAt(text, index);
  }
  return index;
};

const PLAIN_LETTER = /[a-z]/i;
/** 1 for a-z and A-Z: the loop of nearly all characters of nearly all pages. */
const IS_ASCII_LETTER = Uint8Array.from({ length: ASCII_END }, (_, unit) =>
  PLAIN_LETTER.test(String.fromCharCode(unit)) ? 1 : 0,
);

/**
 * Cuts a text into chunks; how a chunk becomes terms is the analyser's matter. Linear in the text: every character
 * is looked at a bounded number of times, whatever the input. Lone surrogates separate words.
 */
export const tokenise = (text: string, sink: ChunkSink): void => {
  let index = 0;
  while (index < text.length) {
    const start = index;
    while (IS_ASCII_LETTER[text.charCodeAt(index)] === 1) index++;
    if (index > start) {
      const unit = text.charCodeAt(index);
      if (unit === SPACE) {
        sink(ChunkKind.word, leadingDot(text, start), index);
        index++;
        continue;
      }
      const end = wordEnd(text, index, CharClass.letter);
      index = suffixEnd(text, start, end);
      sink(ChunkKind.word, leadingDot(text, start), index);
      continue;
    }
    index = otherChunk(text, start, sink);
  }
};

const KIND_OF_CLASS: Partial<Record<CharClass, ChunkKind>> = {
  [CharClass.number]: ChunkKind.word,
  [CharClass.cjk]: ChunkKind.cjk,
  [CharClass.dictionary]: ChunkKind.dictionary,
  [CharClass.pictograph]: ChunkKind.pictograph,
  [CharClass.regional]: ChunkKind.pictograph,
  [CharClass.newline]: ChunkKind.border,
};
const RUNS: ReadonlySet<CharClass> = new Set([CharClass.number, CharClass.cjk, CharClass.dictionary]);

const endOfOther = (text: string, past: number, charClass: CharClass): number => {
  if (RUNS.has(charClass)) return runEnd(text, past, charClass);
  if (charClass === CharClass.pictograph) return pictographEnd(text, past);
  if (charClass !== CharClass.regional || classAt(text, past) !== charClass) return past;
  return past + unitsAt(text, past);
};

/** Handles whatever does not begin with an ASCII letter; returns where to go on. */
const otherChunk = (text: string, start: number, sink: ChunkSink): number => {
  const charClass = classAt(text, start);
  const past = start + unitsAt(text, start);
  if (isAlphanumeric(charClass)) {
    const end = suffixEnd(text, start, wordEnd(text, past, charClass));
    sink(ChunkKind.word, charClass === CharClass.letter ? leadingDot(text, start) : start, end);
    return end;
  }
  const kind = KIND_OF_CLASS[charClass];
  if (kind === undefined) return past;
  const end = endOfOther(text, past, charClass);
  sink(kind, start, end);
  return end;
};
