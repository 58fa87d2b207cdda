import { MAX_LISTS_OF_ALL, WORK } from '../../search-layout.ts';

/** How the conjunction kernel parts its work area; sizes in bytes. */

/** Most lists of one query: phrases name a word as often as it stands in them. */
export const MAX_CURSORS: u32 = MAX_LISTS_OF_ALL;
/**
 * Candidates: decoded rows, and for each what its words add up to so far and its index in the lead's block. The frequencies
 * are those of the word that is added, or, for one phrase, the least of its words so far.
 */
export const CANDIDATES: usize = WORK;
export const CANDIDATE_SCORES: usize = WORK + 0xe00;
export const CANDIDATE_SLOTS: usize = WORK + 0x1000;
/** u32 x 128: impacts of the word that is added, then what it adds. */
export const IMPACTS: usize = WORK + 0x1200;
/** u32 x 128 each: postings found by a look-up, by index in the block, and whose candidates they are. */
export const FOUND_POSTINGS: usize = WORK + 0x1400;
export const FOUND_CANDIDATES: usize = WORK + 0x1600;
/** u32 x 128: 1 for candidates that were found in any list so far. */
export const MARKS: usize = WORK + 0x1800;
/** Decoded rows: frequencies of a word of several lists, added up. */
export const WORD_ROWS: usize = WORK + 0x1a00;
/** Words of 64 bytes, one more than lists, and u32 x 64: their addresses, required ones first, rarest in front. */
export const WORDS: usize = WORK + 0x2800;
export const WORD_BYTES: u32 = 64;
export const WORD_ORDER: usize = WORK + 0x3880;
/** u64 x 64: words of each phrase as bits of the order of words. */
export const PHRASE_WORDS: usize = WORK + 0x3980;
/** u32 x 6 each of 64: how often a phrase stands in each field; and one word's. */
export const PHRASE_FREQUENCIES: usize = WORK + 0x3b80;
export const WORD_FREQUENCIES: usize = WORK + 0x4180;
/** u32 x 65. */
export const BOUND_CLASSES: usize = WORK + 0x4200;
/** u32 x 64: words of a phrase by rising frequency in a field of the candidate. */
export const PHRASE_ORDER: usize = WORK + 0x4680;
export const CURSORS: usize = WORK + 0x4800;
/** No power of two, so that cursors do not compete for the same lines of the cache. */
export const CURSOR_BYTES: u32 = 0x1180;
/** Where the words of phrases stand in each candidate: a place for each slot, list after list. */
export const PLACES: usize = WORK + 0x4a800;
export const PLACE_BYTES: u32 = 48;
export const PLACES_BYTES: u32 = PLACE_BYTES * 128;
/** Windows whose bounds are looked up together: u32 x 2048 bounds, and u32 x 2048 windows by falling bound. */
export const SPAN_WINDOWS: u32 = 2048;
export const WINDOW_BOUNDS: usize = WORK + 0xaa800;
export const WINDOW_ORDER: usize = WORK + 0xac800;
/**
 * Two u32 x 2048 a list: where its range begins in each window, ABSENT when it has none, and its bound there. Of so many lists; the
 * others search for it again.
 */
export const WINDOW_LISTS: usize = WORK + 0xae800;
export const WINDOW_LISTS_COUNT: u32 = 8;
export const ABSENT: u32 = 0x80000000;
/** Positions of the rarest word of a phrase, of another, and of several lists merged, with slack in front and behind. */
export const MAX_POSITIONS: u32 = 16_384;
export const PART_POSITIONS: u32 = 512;
export const FIRST_POSITIONS: usize = WORK + 0xd2c00;
export const OTHER_POSITIONS: usize = WORK + 0xe3000;
export const MERGED_POSITIONS: usize = WORK + 0xf3400;
/** Differences of all positions of a block, with slack, for each of so many lists. */
export const MAX_BLOCK_POSITIONS: u32 = 4096;
export const BLOCK_POSITIONS: usize = WORK + 0x103800;
export const BLOCK_POSITIONS_BYTES: u32 = 0x4080;
export const BLOCK_POSITIONS_LISTS: u32 = 8;
/** Documents of short lists that are one of several of a word: u32 x 1024, with slack, of so many lists. */
export const MAX_SHORT_RECORDS: u32 = 8;
export const SHORT_DOCS: usize = WORK + 0x124000;
export const SHORT_DOCS_BYTES: u32 = 0x1080;
export const SHORT_DOCS_LISTS: u32 = 16;
