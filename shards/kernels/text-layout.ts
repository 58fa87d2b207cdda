/**
 * Where things lie in the memory of the text module. Without types, so that AssemblyScript and TypeScript both read it. All
 * addresses and sizes in bytes; the memory never grows.
 *
 *     classes of bytes | classes of code points | masks | state | text | term ids | positions | scratch | arena | slots
 */

/** WordClass of each byte; `wide` from 0x80 on. */
export const BYTE_CLASSES = 0x0;
/** One byte per code point of the BMP: 1 where it parts words whatever stands beside it, else 0. */
export const SEPARATES = 0x1_0000;
/** Seventeen blocks of 16 bytes: the first n bytes are set in block n. */
export const MASKS = 0x2_0000;
/** Eight u32: see the STATE_ addresses. */
export const STATE = 0x2_0200;
/** What follows the text must be readable: words are loaded in blocks of 16. */
export const TEXT = 0x2_1000;
export const TEXT_BYTES = 0x1_8000;
/** A text of n bytes has at most n tokens and one more; twice that for safety. */
export const MAX_TOKENS = 0x3_0000;
export const TERM_IDS = 0x3_a000;
export const POSITIONS = 0xf_a000;
/** An entry of a word that is not remembered: a header of three u32, then two u32 per token. */
export const SCRATCH = 0x1b_a000;
/** Long keys, and entries of words that are several terms. */
export const ARENA = 0x34_0000;
export const ARENA_BYTES = 0x80_0000;
/** The hash table of words. */
export const SLOTS = 0xb4_0000;
export const SLOT_BYTES = 32;
export const SLOT_COUNT = 0x8_0000;
export const END = 0x1b4_0000;

/** Words beyond are cut anew each time: they are rarely met twice. */
export const LONGEST_KEY = 128;
/** Slots that a search looks at: bounds what hostile words cost. A word that finds no place is not remembered. */
export const LONGEST_PROBE = 64;

/** Position of the next word. */
export const STATE_POSITION = 0x2_0200;
/** 1 where no word came since the last border, or none at all: another border changes nothing. */
export const STATE_AFTER_BORDER = 0x2_0204;
/** Positions with a term, so far. */
export const STATE_LENGTH = 0x2_0208;
/** First free byte of the arena. */
export const STATE_ARENA_TOP = 0x2_020c;
export const STATE_SLOTS_USED = 0x2_0210;
/** Makes the hash differ between processes, so that nobody can choose words that collide. */
export const STATE_SEED = 0x2_0214;

/**
 * What a word becomes, in 32 bits: below VALUE_SKIP the number of its only term; VALUE_SKIP for a word that is no term but
 * takes a position; else the address of an entry and the highest bit. An entry is u32 [token count, positions that the
 * word takes, distinct positions with a term], then (term, step) for each token.
 */
export const VALUE_SKIP = 0x7fff_ffff;
export const VALUE_ENTRY = 0x8000_0000;
export const ENTRY_HEADER_BYTES = 12;

/**
 * Classes of bytes, as bits. A byte with one of WORD begins or continues a word; one with a JOINS bit does so between two of
 * such; any other parts words.
 */
export const CLASS_LETTER = 1;
export const CLASS_DIGIT = 2;
/** Part of a word that joins nothing else to it (ExtendNumLet of UAX #29). */
export const CLASS_EXTENDER = 4;
export const CLASS_WORD = 7;
export const CLASS_JOINS_LETTERS = 8;
export const CLASS_JOINS_DIGITS = 16;
export const CLASS_JOINS_BOTH = 32;
/** A joiner that may stand several times in a row; alone: a sign that may end a short word (`C++`, `C#`). */
export const CLASS_REPEATS = 64;
/** A byte of a character beyond ASCII. */
export const CLASS_WIDE = 128;
