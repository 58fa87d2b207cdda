import { WORK } from '../../search-layout.ts';

/** How the conjunction kernel parts its work area; sizes in bytes. */

/** Most lists of one query: phrases name a word as often as it stands in them. */
export const MAX_CURSORS: u32 = 64;
/** Candidates: decoded rows, and for each what its lists add up to so far and its index in the lead's block. */
export const CANDIDATES: usize = WORK;
export const CANDIDATE_SCORES: usize = WORK + 0xe00;
export const CANDIDATE_SLOTS: usize = WORK + 0x1000;
/** u32 x 128: impacts of the list that is added, then what it adds. */
export const IMPACTS: usize = WORK + 0x1200;
/** u32 x 64: addresses of cursors, required ones first, rarest in front. */
export const CURSOR_ORDER: usize = WORK + 0x1400;
/** u64 x 64: words of each phrase as bits of the order of cursors. */
export const PHRASE_WORDS: usize = WORK + 0x1600;
/** u32 x 6 each of 64: how often a phrase stands in each field. */
export const PHRASE_FREQUENCIES: usize = WORK + 0x47800;
export const CURSORS: usize = WORK + 0x1800;
/** No power of two, so that cursors do not compete for the same lines of the cache. */
export const CURSOR_BYTES: u32 = 0x1180;
/** Where the words of phrases stand in each candidate: a place for each slot, list after list. */
export const PLACES: usize = WORK + 0x48000;
export const PLACE_BYTES: u32 = 48;
export const PLACES_BYTES: u32 = PLACE_BYTES * 128;
/** Windows whose bounds are looked up together: u32 x 4096 bounds, and u32 x 4096 windows by falling bound; u32 x 257. */
export const SPAN_WINDOWS: u32 = 4096;
export const WINDOW_BOUNDS: usize = WORK + 0xa8000;
export const WINDOW_ORDER: usize = WORK + 0xac000;
export const BOUND_CLASSES: usize = WORK + 0xb0000;
/** Positions of the rarest word of a phrase, and a part of another word's, with slack in front and behind. */
export const MAX_POSITIONS: u32 = 16_384;
export const PART_POSITIONS: u32 = 512;
export const FIRST_POSITIONS: usize = WORK + 0xc0000;
export const OTHER_POSITIONS: usize = WORK + 0xd8000;
