import { unitsAt } from './class-table.ts';
import { WordBreak, wordBreakAt } from './word-break-classes.ts';

/** StandardTokenizer cuts longer words into pieces of this many UTF-16 units. */
export const LONGEST_TOKEN_UNITS = 255;

const ZERO_WIDTH_JOINER = '\u200d';
const EMOJI_PRESENTATION = '\ufe0f';
const PRESENTATIONS = /^[\ufe0e\ufe0f]$/;
const MODIFIER = /^\p{Emoji_Modifier}$/u;
const MODIFIER_BASE = /^\p{Emoji_Modifier_Base}$/u;

const isExtender = (wordBreak: WordBreak): boolean =>
  wordBreak === WordBreak.extender || wordBreak === WordBreak.dictionaryMark;

const skipExtenders = (text: string, from: number): number => {
  let index = from;
  while (isExtender(wordBreakAt(text, index))) index += unitsAt(text, index);
  return index;
};

/** The same, but a presentation selector, which ends a pictograph, is not skipped. */
const skipPlainExtenders = (text: string, from: number): number => {
  let index = from;
  while (isExtender(wordBreakAt(text, index)) && !PRESENTATIONS.test(text.charAt(index))) {
    index += unitsAt(text, index);
  }
  return index;
};

const characterAt = (text: string, index: number): string => {
  const codePoint = text.codePointAt(index);
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
};

/** End of a pictograph with its skin tone or presentation; `start` is its first unit. */
const pictographEnd = (text: string, start: number): number => {
  const end = skipPlainExtenders(text, start + unitsAt(text, start));
  if (MODIFIER_BASE.test(characterAt(text, start)) && MODIFIER.test(characterAt(text, end))) {
    return skipPlainExtenders(text, end + unitsAt(text, end));
  }
  return text[end] === EMOJI_PRESENTATION ? end + 1 : end;
};

/** End of pictographs that joiners keep together: the emoji_zwj_sequence of UTS #51. */
const emojiEnd = (text: string, start: number): number => {
  let end = pictographEnd(text, start);
  while (true) {
    let next = end;
    while (text[next] === ZERO_WIDTH_JOINER) next++;
    if (text[next - 1] !== ZERO_WIDTH_JOINER || wordBreakAt(text, next) !== WordBreak.emoji) return end;
    end = pictographEnd(text, next);
  }
};

const flagEnd = (text: string, start: number): number => {
  const past = skipExtenders(text, start + unitsAt(text, start));
  if (wordBreakAt(text, past) !== WordBreak.regional) return start;
  return skipExtenders(text, past + unitsAt(text, past));
};

const isAlphanumeric = (wordBreak: WordBreak): boolean =>
  wordBreak === WordBreak.letter || wordBreak === WordBreak.digit;

/** Rules WB5 to WB13b without punctuation in between, and the runs of scripts that take a dictionary. */
const joins = (before: WordBreak, after: WordBreak): boolean => {
  if (before === WordBreak.extendNumLet || after === WordBreak.extendNumLet) {
    const other = before === WordBreak.extendNumLet ? after : before;
    return isAlphanumeric(other) || other === WordBreak.katakana || other === WordBreak.extendNumLet;
  }
  if (before === WordBreak.katakana || before === WordBreak.dictionary) return after === before;
  return isAlphanumeric(before) && isAlphanumeric(after);
};

/** Rules WB6, WB7 (between letters) and WB11, WB12 (between digits). */
const bridges = (punctuation: WordBreak, before: WordBreak, after: WordBreak): boolean => {
  if (before !== after) return false;
  if (before === WordBreak.letter)
    return punctuation === WordBreak.midBoth || punctuation === WordBreak.midLetter;
  if (before !== WordBreak.digit) return false;
  return punctuation === WordBreak.midBoth || punctuation === WordBreak.midNumber;
};

/** End of the word whose first character has the class `first`. */
const wordEnd = (text: string, start: number, first: WordBreak): number => {
  let before = first;
  let end = skipExtenders(text, start + unitsAt(text, start));
  while (end < text.length) {
    let next = end;
    let after = wordBreakAt(text, next);
    if (!joins(before, after)) {
      const sign = after;
      next = skipExtenders(text, end + unitsAt(text, end));
      after = wordBreakAt(text, next);
      if (!bridges(sign, before, after)) break;
    }
    before = after;
    end = skipExtenders(text, next + unitsAt(text, next));
  }
  return end;
};

/** End of the connectors from `start` on (`__`) where nothing joins them, and they are no word; else `start`. */
const looseConnectorsEnd = (text: string, start: number): number => {
  let end = start;
  while (wordBreakAt(text, end) === WordBreak.extendNumLet)
    end = skipExtenders(text, end + unitsAt(text, end));
  return joins(WordBreak.extendNumLet, wordBreakAt(text, end)) ? start : end;
};

/** End of the token that begins at `start`; `start` itself where none begins. */
const tokenEnd = (text: string, start: number): number => {
  const first = wordBreakAt(text, start);
  if (first === WordBreak.emoji) return emojiEnd(text, start);
  if (first === WordBreak.regional) return flagEnd(text, start);
  if (first === WordBreak.dictionaryMark) return wordEnd(text, start, WordBreak.dictionary);
  const isStart = first !== WordBreak.other && first < WordBreak.dictionaryMark;
  return isStart ? wordEnd(text, start, first) : start;
};

/** Called in the order of the text, with UTF-16 offsets. */
export type WordSink = (start: number, end: number) => void;

/** Hands over a word, cut where it is too long, but never inside a surrogate pair. */
const sinkInPieces = (text: string, start: number, end: number, sink: WordSink): void => {
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + LONGEST_TOKEN_UNITS);
    if (to < end && unitsAt(text, to - 1) === 2) to--;
    sink(from, to);
    from = to;
  }
};

/**
 * Words by UAX #29 and UTS #51 as Lucene's StandardTokenizer finds them. Departs from it in quotation marks of Hebrew, in the
 * keycaps `#` and `*`, and in joiners before a pictograph.
 */
export const scanWords = (text: string, sink: WordSink): void => {
  for (let index = 0; index < text.length; ) {
    index = looseConnectorsEnd(text, index);
    const end = tokenEnd(text, index);
    sinkInPieces(text, index, end, sink);
    index = end > index ? end : index + unitsAt(text, index);
  }
};
