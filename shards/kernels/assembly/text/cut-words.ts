import {
  BYTE_CLASSES,
  CLASS_DIGIT,
  CLASS_EXTENDER,
  CLASS_JOINS_BOTH,
  CLASS_JOINS_DIGITS,
  CLASS_JOINS_LETTERS,
  CLASS_LETTER,
  CLASS_REPEATS,
  CLASS_WIDE,
  CLASS_WORD,
  ENTRY_HEADER_BYTES,
  POSITIONS,
  SEPARATES,
  STATE_AFTER_BORDER,
  STATE_LENGTH,
  STATE_POSITION,
  TERM_IDS,
  TEXT,
  VALUE_ENTRY,
  VALUE_SKIP,
} from '../../text-layout.ts';
import { valueOf } from './word-cache.ts';

const NEWLINE: u8 = 10;
const DOT: u8 = 46;
const COMMA: u8 = 44;
const HASH: u8 = 35;
const SLASH: u8 = 47;
const LONGEST_SLASHED_PIECE: usize = 3;

/** Set by scanWord: the word's first byte and the byte after its last. */
let wordStart: usize = 0;
let wordEnd: usize = 0;

function classOf(address: usize): u32 {
  return load<u8>(BYTE_CLASSES + <u32>load<u8>(address));
}

/** Bytes of A-Z and a-z from `address` on, up to 16. */
function leadingLetters(address: usize): u32 {
  const lower = v128.or(v128.load(address), i8x16.splat(32));
  const isLetter = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(97)), i8x16.splat(26));
  return ctz(~i8x16.bitmask(isLetter));
}

/** Whether a joiner keeps together what stands on its two sides. */
function joins(joiner: u32, before: u32, after: u32): bool {
  if (after === joiner && (joiner & CLASS_REPEATS) !== 0) return true;
  if (((before | after) & CLASS_EXTENDER) !== 0) return false;
  if (before !== after) return (after & CLASS_WORD) !== 0 && (joiner & CLASS_JOINS_BOTH) !== 0;
  return (joiner & (after === CLASS_LETTER ? CLASS_JOINS_LETTERS : after === CLASS_DIGIT ? CLASS_JOINS_DIGITS : 0)) !== 0;
}

/** Bytes of the separating character beyond ASCII at `address`; 0 where a character that may belong to a word stands. */
function separatorBytes(address: usize): usize {
  const first: u32 = load<u8>(address);
  const second: u32 = load<u8>(address, 1);
  if ((second & 0xc0) !== 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) {
    return load<u8>(SEPARATES + (((first & 31) << 6) | (second & 63))) !== 0 ? 2 : 0;
  }
  const third: u32 = load<u8>(address, 2);
  if ((first & 0xf0) !== 0xe0 || (third & 0xc0) !== 0x80) return 0;
  const codePoint = ((first & 15) << 12) | ((second & 63) << 6) | (third & 63);
  return codePoint >= 0x800 && load<u8>(SEPARATES + codePoint) !== 0 ? 3 : 0;
}

/** End of all that stands together without a separator, less the joiners at its end, unless there is a sign that looks behind itself. */
function wideEnd(from: usize, end: usize): usize {
  let at = from;
  let last = from;
  let repeats: u32 = 0;
  while (at < end) {
    const kind = classOf(at);
    if (kind === 0 || (kind === CLASS_WIDE && separatorBytes(at) !== 0)) break;
    at++;
    repeats |= kind & CLASS_REPEATS;
    if ((kind & (CLASS_WORD | CLASS_WIDE | CLASS_REPEATS)) !== 0) last = at;
  }
  return repeats !== 0 ? at : last;
}

/** Whether a word of letters surely ends here: at a separator, or at a joiner with a separator behind. */
function isPlainEnd(past: usize): bool {
  const next = classOf(past);
  if (next === 0) return true;
  return (next & (CLASS_WORD | CLASS_WIDE)) === 0 && next !== CLASS_REPEATS && classOf(past + 1) === 0;
}

function isSeparator(address: usize): bool {
  const kind = classOf(address);
  return kind === 0 || (kind === CLASS_WIDE && separatorBytes(address) !== 0);
}

/** Whether it takes a decoder to tell what stands there. */
function isUnsure(address: usize): bool {
  return classOf(address) === CLASS_WIDE && separatorBytes(address) === 0;
}

/**
 * `24/7`, `I/O`: two short pieces and nothing more than a full stop or comma behind. `end` is where the slash stands. 0 when
 * it takes a decoder to tell.
 */
function slashedEnd(start: usize, end: usize): usize {
  if (end - start > LONGEST_SLASHED_PIECE) return end;
  let past = end + 1;
  while (past - end <= LONGEST_SLASHED_PIECE && (classOf(past) & CLASS_WORD) !== 0) past++;
  if (past === end + 1) return end;
  if (isSeparator(past)) return past;
  const sign = load<u8>(past);
  if (isUnsure((sign === DOT || sign === COMMA) ? past + 1 : past)) return 0;
  return (sign === DOT || sign === COMMA) && isSeparator(past + 1) ? past : end;
}

/** Finds the end of the word that begins at `start`, whose first character has the class `first`. */
function scanWord(start: usize, end: usize, first: u32): void {
  wordStart = start;
  if (first !== CLASS_WIDE) {
    let before = first;
    let at = start + 1;
    wordEnd = at;
    while (true) {
      const kind = classOf(at);
      if ((kind & CLASS_WORD) !== 0) {
        before = kind;
        wordEnd = ++at;
        continue;
      }
      if (kind === 0) return;
      if (kind === CLASS_WIDE) {
        if (separatorBytes(at) !== 0) return;
        break;
      }
      const after = classOf(at + 1);
      if (after === CLASS_WIDE && separatorBytes(at + 1) === 0) break;
      if (kind === CLASS_REPEATS) {
        if (load<u8>(at) === SLASH) {
          if (wordEnd !== at) return;
          const slashed = slashedEnd(start, at);
          if (slashed === 0) break;
          wordEnd = slashed;
          return;
        }
        if (after === CLASS_REPEATS || (load<u8>(at) === HASH && at - start === 1)) break;
        return;
      }
      if (!joins(kind, before, after)) return;
      at++;
    }
  }
  wordEnd = wideEnd(start, end);
}

/** `.NET`: whether the dot before a letter belongs to it, for it stands after nothing, a space, an opening or a wide character. */
function hasLeadingDot(start: usize): bool {
  if (load<u8>(start - 1) !== DOT) return false;
  const before = load<u8>(start - 2);
  return before <= 32 || before >= 128 || before === 34 || before === 39 || before === 40 || before === 91;
}

/** Tokens written so far, by all calls for one window. */
let tokenCount: u32 = 0;

function writeToken(termId: u32, position: u32): void {
  const offset = tokenCount << 2;
  store<u32>(TERM_IDS + offset, termId);
  store<u32>(POSITIONS + offset, position);
  tokenCount++;
}

function writeEntry(entry: usize, position: u32): void {
  const count = load<u32>(entry);
  const width = load<u32>(entry, 4);
  for (let index: u32 = 0; index < count; index++) {
    const at = entry + ENTRY_HEADER_BYTES + (<usize>index << 3);
    writeToken(load<u32>(at), position + load<u32>(at, 4));
  }
  store<u32>(STATE_POSITION, position + width);
  store<u32>(STATE_LENGTH, load<u32>(STATE_LENGTH) + load<u32>(entry, 8));
  if (width !== 0) store<u32>(STATE_AFTER_BORDER, 0);
}

function writeWord(start: usize, end: usize, chain: u32): void {
  const value = valueOf(start, <u32>(end - start), chain);
  const position = load<u32>(STATE_POSITION);
  if ((value & VALUE_ENTRY) !== 0) {
    writeEntry(value & ~VALUE_ENTRY, position);
    return;
  }
  store<u32>(STATE_POSITION, position + 1);
  store<u32>(STATE_AFTER_BORDER, 0);
  if (value === VALUE_SKIP) return;
  writeToken(value, position);
  store<u32>(STATE_LENGTH, load<u32>(STATE_LENGTH) + 1);
}

function writeBorder(gap: u32): void {
  if (load<u32>(STATE_AFTER_BORDER) !== 0) return;
  store<u32>(STATE_AFTER_BORDER, 1);
  store<u32>(STATE_POSITION, load<u32>(STATE_POSITION) + gap);
}

/**
 * Cuts the first `textBytes` of the text area into terms: numbers to TERM_IDS, positions to POSITIONS; the position goes on
 * from the state. `blockGap` is 0 where a line's end is like any other space. A text must be preceded by a space and
 * followed by 16. Returns the number of tokens.
 */
export function cutWords(textBytes: u32, chain: u32, blockGap: u32): u32 {
  const end: usize = TEXT + textBytes;
  tokenCount = 0;
  let at: usize = TEXT;
  while (at < end) {
    const kind = classOf(at);
    if (kind === CLASS_LETTER) {
      const past = at + leadingLetters(at);
      if (isPlainEnd(past)) {
        // Nearly every word of nearly every page.
        const start = blockGap !== 0 && hasLeadingDot(at) ? at - 1 : at;
        writeWord(start, past, chain);
        at = past;
        continue;
      }
    }
    if ((kind & (CLASS_WORD | CLASS_WIDE)) === 0) {
      if (blockGap !== 0 && load<u8>(at) === NEWLINE) writeBorder(blockGap);
      at++;
      continue;
    }
    if (kind === CLASS_WIDE) {
      const separator = separatorBytes(at);
      if (separator !== 0) {
        at += separator;
        continue;
      }
    }
    scanWord(at, end, kind);
    if (blockGap !== 0 && kind !== CLASS_DIGIT && hasLeadingDot(wordStart)) wordStart--;
    writeWord(wordStart, wordEnd, chain);
    at = wordEnd;
  }
  return tokenCount;
}
