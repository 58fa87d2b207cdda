/**
 * Where things lie in the memory of a segment, for the kernels and for those that call them: this file is compiled by
 * both compilers, so it holds numbers only. Addresses and sizes are bytes, the constants of a record are indexes of its
 * 32-bit words. README.md draws the memory.
 */

/** How packed positions spread to lanes: 1 KiB. */
export const POSITION_TABLES = 0x8000;

/** Below it lie the kernels' own tables, which each instance writes again, always the same. */
export const HEADER_ADDRESS = 0xc000;
/** First byte of the files. */
export const FILES_ADDRESS = 0x10000;
export const PAGE_BYTES = 0x10000;

/** Header: written once, before other threads see the memory. Addresses are absolute. */
export const HEADER_DOC_COUNT = 0;
export const HEADER_TERM_COUNT = 1;
export const HEADER_BLOCK_COUNT = 2;
export const HEADER_TERMS = 3;
export const HEADER_TERM_BLOCKS = 4;
export const HEADER_TERM_HASH = 5;
/** Slots of the hash index. */
export const HEADER_HASH_SLOTS = 6;
export const HEADER_DOCS = 7;
export const HEADER_LAST_DOCS = 8;
export const HEADER_DOCS_OFFSETS = 9;
export const HEADER_POSITIONS_OFFSETS = 10;
export const HEADER_SHAPES = 11;
/** Six columns of docCount bytes, in the order of FIELD_NAMES. */
export const HEADER_LENGTH_CODES = 12;
export const HEADER_STATIC_SCORES = 13;
export const HEADER_KEYS = 14;
export const HEADER_POSITIONS = 15;
/** u8 a block record; the three are 0 without bounds. */
export const HEADER_BLOCK_BOUNDS = 16;
/** u8 a group of 16 postings, eight a block record. */
export const HEADER_GROUP_BOUNDS = 17;
/** u8 a block record: record i of a term holds its 10^(i+1)-th best impact. */
export const HEADER_BEST_IMPACTS = 18;
/** u32: largest static score of each 1,024 documents; 0 when all are 0. */
export const HEADER_STATIC_BOUNDS = 19;
/** Heads of all block records. */
export const HEADER_BLOCK_HEADS = 20;
export const HEADER_WORDS = 21;

/** Head of a block record, made when a segment is opened: 32 bytes, at these bytes of it. */
export const HEAD_BYTES_BITS = 5;
export const HEAD_DOCS_OFFSET = 0;
export const HEAD_POSITIONS_OFFSET = 4;
/** u16, then the block's stored bound, u8: 255 without bounds, as those of its eight groups, u8 each. */
export const HEAD_SHAPE = 8;
export const HEAD_BOUND = 10;
export const HEAD_LAST_DOC = 12;
export const HEAD_GROUP_BOUNDS = 16;

/** Scratch of one thread, from its base on. */
export const SCORER = 0;
/** f32: what one occurrence counts, at (field x 256 + length code) x 4. */
export const SCORER_OCCURRENCES = 0;
/** u32: impact that a stored bound stands for under this scorer; 256. */
export const SCORER_BOUND_IMPACTS = 6144;
/** u32: impact that a stored best impact has at least under this scorer; 256. */
export const SCORER_BEST_IMPACTS = 7168;
/** f32. */
export const SCORER_K1 = 8192;
/** u32: 0 when the fields besides the body weigh nothing. */
export const SCORER_OTHERS_WEIGH = 8196;
/** u32: 1 when a phrase scores as one term, by its own occurrences. */
export const SCORER_SCORES_PHRASES = 8200;

/** Query: what is asked and, besides the hits, what is answered. */
export const QUERY = 0x2400;
/** In: hits wanted, 0..MAX_HITS. */
export const QUERY_K = 0;
/** In: smallest score that is of use; out: smallest that still is. */
export const QUERY_THRESHOLD = 1;
/** In: address of a bit set of the documents that may match; 0: all of them. */
export const QUERY_ALLOWED = 2;
/** In: terms in the table of terms. */
export const QUERY_TERM_COUNT = 3;
/** In: how many matches are worth counting; out: how many were counted, at most that. */
export const QUERY_COUNT = 4;
/** Out. */
export const QUERY_HIT_COUNT = 5;
/** Out: 1 when the time was up before all was looked at. */
export const QUERY_LATE = 6;
/** Out: 1 when no document of the segment could reach the threshold, so that none was ranked. */
export const QUERY_HOPELESS = 7;
/** In: documents in the set of QUERY_ALLOWED. */
export const QUERY_ALLOWED_COUNT = 15;
export const QUERY_WORDS = 16;

/** Table of terms: what is looked for, and where it was found. */
export const TERMS = 0x2500;
export const TERM_BYTES = 64;
export const MAX_TERMS = 128;
/** In: W of the term's group. */
export const TERM_WEIGHT = 0;
/** In: address of the term's UTF-8 bytes. */
export const TERM_KEY = 1;
export const TERM_KEY_LENGTH = 2;
/** In: number of its group; the terms of a group follow each other. */
export const TERM_GROUP = 3;
/** Out: documents that hold it, 0 when the segment does not; the rest is then undefined. */
export const TERM_DOC_COUNT = 4;
/** Out: address of its first posting; with one document, of that posting in the dictionary. */
export const TERM_DOCS = 5;
/** Out: block records, 0 below 128 documents. */
export const TERM_RECORD_COUNT = 6;
/** Out: index of the first of them. */
export const TERM_FIRST_RECORD = 7;
/** Out: address of its first position. */
export const TERM_POSITIONS = 8;
/** In, for `allOf`: one of the roles; number of its phrase from 1, 0 for none, and distance from the phrase's first word. */
export const TERM_ROLE = 9;
/** Most lists that `allOf` knows. */
export const MAX_LISTS_OF_ALL = 64;
export const ROLE_REQUIRED = 0;
export const ROLE_OPTIONAL = 1;
export const ROLE_EXCLUDED = 2;
/** A biword of the phrase, required too; and a word of it that is not asked for, since the biword says all of the phrase. */
export const ROLE_BIWORD = 3;
export const ROLE_COVERED = 4;
export const TERM_PHRASE = 10;
export const TERM_OFFSET = 11;
/** Words 12..15 are a kernel's own. */
export const TERM_WORK = 12;

/** Bytes of the terms. */
export const KEYS = 0x4800;
export const KEYS_BYTES = 0x4000;

/** Hits, best first: score, document; two words each. */
export const HITS = 0x8800;
export const MAX_HITS = 1000;

/** Of the kernel that runs; nothing in it lasts from one call to the next. */
export const WORK = 0xa800;
export const WORK_BYTES = 0x140000;

/** Bit set of the caller: a bit a document, in 32-bit words, filled with zeros to a multiple of 16 bytes. */
export const ALLOWED = 0x14a800;

/** A decoded block: 128 documents, 128 frequencies in the body, five times 128 in the other fields, all u32. */
export const ROWS_DOCS = 0;
export const ROWS_FREQUENCIES = 512;
export const ROWS_OTHERS = 1024;
export const ROWS_BYTES = 3584;
