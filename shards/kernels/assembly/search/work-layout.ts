import { WORK } from '../../search-layout.ts';

/** Lists of the query, and what a kernel knows of each: words of a record of 64 bytes. */
export const LISTS: usize = WORK;
export const LIST_BYTES: usize = 64;
/** So many parts of a score, each below 2^25, stay below MARK. */
export const MAX_LISTS: u32 = 64;
export const LIST_WEIGHT: u32 = 0;
export const LIST_DOC_COUNT: u32 = 1;
/** Address of its postings. */
export const LIST_POSTINGS: u32 = 2;
/** Block records; 0 when the list is flat. */
export const LIST_RECORDS: u32 = 3;
export const LIST_FIRST_RECORD: u32 = 4;
/** Most that the list adds to any score. */
export const LIST_MAX: u32 = 5;
/** Of a flat list, which is decoded and scored whole: addresses of its documents and of what it adds to their scores. */
export const LIST_FLAT_DOCS: u32 = 6;
export const LIST_FLAT_SCORES: u32 = 7;
/** In the present window: most that the list adds, and that it and all lists before it in the window's order add. */
export const LIST_BOUND: u32 = 8;
export const LIST_BOUND_SUM: u32 = 9;
/** Record, or posting of a flat list, from which the next span goes on. */
export const LIST_NEXT: u32 = 10;
/** Number of the list, for its rows of the two tables below. */
export const LIST_INDEX: u32 = 11;

/** Number of the query's group that the term belongs to. */
export const LIST_GROUP: u32 = 12;

/** u32 x 128: addresses of the window's lists by rising bound. */
export const WINDOW_LISTS: usize = WORK + 0x2000;
/** Documents of a window, and windows of a span, for which bounds are looked up together. */
export const WINDOW_BITS: u32 = 10;
export const WINDOW_DOCS: u32 = 1 << WINDOW_BITS;
export const SPAN_WINDOWS: u32 = 256;
/** u32 x 256 each: sum of the bounds of each window of the span; windows in the order in which they are evaluated. */
export const WINDOW_SUMS: usize = WORK + 0x2400;
export const WINDOW_ORDER: usize = WORK + 0x2800;
/** u32 x 257: where the windows of each class of sums go in that order. */
export const SUM_CLASSES: usize = WORK + 0x2c00;
/** u32 x 1024: scores of the window's documents so far, with MARK where a list holds the document. */
export const SCORES: usize = WORK + 0x3400;
export const MARK: u32 = 0x80000000;
/** u32 x 1024 each, and room for three more: the window's candidates. */
export const CANDIDATE_DOCS: usize = WORK + 0x4400;
export const CANDIDATE_SCORES: usize = WORK + 0x5500;
/** u32 x 256 a list: most that it adds in each window of the span, plus 1; 0 where it has no posting. */
export const WINDOW_BOUNDS: usize = WORK + 0x8000;
/** u32 x 257 a list: its first record, or posting of a flat list, in each window where it has any. */
export const WINDOW_STARTS: usize = WORK + 0x28000;
export const STARTS_BYTES: usize = 1056;

/** Decoded blocks: u32 x 64 with record + 1 of what each slot holds, then the slots. */
export const SLOT_TAGS: usize = WORK + 0x4a000;
export const SLOTS: usize = WORK + 0x4a100;
export const SLOT_COUNT: u32 = 64;
/** In a slot behind the decoded rows: what the list adds to the score of each document, u32 x 128. */
export const SLOT_SCORES: usize = 3584;
/** u32: a bit for each group of 16 postings that is scored. */
export const SLOT_SCORED: usize = 4096;
export const SLOT_COUNT_AT: usize = 4100;
/** u32: 1 when the frequencies are decoded, 3 when those of other fields are there too. */
export const SLOT_STATE: usize = 4104;
/** No power of two, so that slots do not compete for the same lines of the cache. */
export const SLOT_BYTES: usize = 4160;
/** One decoded tail. */
export const TAIL_ROWS: usize = WORK + 0x8b100;
/** Documents and scores of flat lists: 1,024 bytes a list. */
export const FLAT_LISTS: usize = WORK + 0x8c000;
export const FLAT_BYTES: usize = 1024;
/** A bit for each document of a stretch, for counting. */
export const COUNT_BITS: usize = WORK + 0x6800;
export const COUNT_DOCS: u32 = 0x8000;
/** Decoded rows with one document in all columns: a column for each list of a group, and one for all of them together. */
export const UNION_ROWS: usize = WORK + 0xac000;
export const UNION_IMPACTS: usize = WORK + 0xad000;
