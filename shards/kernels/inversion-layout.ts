/**
 * Where things lie in the memory of the inversion module. Without types, so that AssemblyScript and TypeScript both read
 * it. Addresses and sizes in bytes. What depends on the batch lies where the caller puts it and is named by a word of STATE.
 *
 *     state | scorer | rows | steps | tokens, growing | what inverting needs
 */

/** u32 each; all but the counters are addresses. */
export const STATE = 0x400;
/** u32 a run: words of tokens up to its end. Runs: document by document in the order of adding, field by field. */
export const STATE_RUN_ENDS = 0x400;
export const STATE_RUN_COUNT = 0x404;
/** u32 a document: the number under which it was added. */
export const STATE_ORDER = 0x408;
export const STATE_DOC_COUNT = 0x40c;
/** 16 bytes a term id: TERM_… below. Zeros before counting. */
export const STATE_TERMS = 0x410;
export const STATE_TERM_COUNT = 0x414;
/** Out: u32 a term, its id, in the order of the terms' bytes. */
export const STATE_RANKS = 0x418;
/** Bytes of all terms, KEY_SLACK bytes more, and u32 a term: where it ends, after a 0. */
export const STATE_KEYS = 0x41c;
export const STATE_KEY_ENDS = 0x420;
/** 16 bytes a term, for sorting. */
export const STATE_RECORDS = 0x424;
/** ENTRY_BYTES an entry: a term in a field of a document: document x 8 + field, then the address of its first delta. */
export const STATE_ENTRIES = 0x428;
/** u32 an occurrence, and DELTA_SLACK bytes more. */
export const STATE_DELTAS = 0x42c;
/** Six columns of documents' length codes. */
export const STATE_LENGTH_CODES = 0x430;
/** Out, by counting. */
export const STATE_ENTRY_COUNT = 0x434;
export const STATE_DELTA_COUNT = 0x438;
/** Out, by counting: the most entries and occurrences of one term. */
export const STATE_MOST_ENTRIES = 0x43c;
export const STATE_MOST_DELTAS = 0x440;
/** Out, by counting: no fewer than the block records. */
export const STATE_RECORD_LIMIT = 0x444;
/** Output that the caller takes away: where it begins, where it ends now, from where on encoding stops. */
export const STATE_DOCS_START = 0x448;
export const STATE_DOCS_AT = 0x44c;
export const STATE_DOCS_STOP = 0x450;
export const STATE_POSITIONS_START = 0x454;
export const STATE_POSITIONS_AT = 0x458;
export const STATE_POSITIONS_STOP = 0x45c;
export const STATE_KEYED_START = 0x460;
export const STATE_KEYED_AT = 0x464;
export const STATE_KEYED_STOP = 0x468;
/** Bytes taken away so far. */
export const STATE_DOCS_TAKEN = 0x46c;
export const STATE_POSITIONS_TAKEN = 0x470;
export const STATE_KEYED_TAKEN = 0x474;
/** Output that stays: u32 a block of 16 terms, u32 a term, then columns of the block records. */
export const STATE_TERM_BLOCKS = 0x478;
export const STATE_HASHES = 0x47c;
export const STATE_LAST_DOCS = 0x480;
export const STATE_DOCS_OFFSETS = 0x484;
export const STATE_POSITIONS_OFFSETS = 0x488;
export const STATE_SHAPES = 0x48c;
export const STATE_BLOCK_BOUNDS = 0x490;
export const STATE_GROUP_BOUNDS = 0x494;
export const STATE_BEST_IMPACTS = 0x498;
export const STATE_BLOCK_COUNT = 0x49c;
/** Zeroed slots of the hash index, and their number. */
export const STATE_SLOTS = 0x4a0;
export const STATE_SLOT_COUNT = 0x4a4;
/** f32. */
export const STATE_K1 = 0x4a8;
/** Words of the text; terms from this id on are biwords, which have no positions. Until there are any, the number of terms. */
export const STATE_WORD_COUNT = 0x4ac;
/** Common words: how many, a bit for each term id that is one, and u16 a term id: its number among them. */
export const STATE_COMMON_COUNT = 0x4b0;
export const STATE_COMMON_BITS = 0x4b4;
export const STATE_COMMON_NUMBERS = 0x4b8;
/** TERM_BYTES a pair of common words: a row for each first word, in it each second one. Zeros before counting. */
export const STATE_PAIRS = 0x4bc;
/** u32 a pair: id of its biword, 0 when it stands nowhere. */
export const STATE_PAIR_IDS = 0x4c0;
export const STATE_BYTES = 0xc4;

/** f32: what one occurrence counts, at (field x 256 + length code) x 4. */
export const OCCURRENCES = 0x800;
/** The postings of the block under way: u32 x 128 each, the other fields slot after slot. */
export const ROW_DOCS = 0x2000;
export const ROW_FREQUENCIES = 0x2200;
export const ROW_OTHERS = 0x2400;
export const ROW_OTHERS_BYTES = 0xa00;
/** u32 x 128: what is packed. */
export const PACKED_VALUES = 0x2e00;
/** u32 x 33: values of each width. */
export const WIDTH_COUNTS = 0x3000;
/** u32 x 256: postings of the list by impact. */
export const IMPACT_STEPS = 0x3100;
/** First byte of the tokens. */
export const TOKENS = 0x4000;

/** A token: its term's id x 256 + the gap of its position, to the token before in its run or to 0. */
export const WIDE_GAP = 255;
/** Instead of an id, or a gap, that is as large: the next word, that of the id first. */
export const WIDE_ID = 0xff_ffff;

/** Entries, occurrences; when placed, where the next ones go. */
export const TERM_ENTRIES = 0;
export const TERM_DELTAS = 4;
/** The last run that has the term, counted from 1, and the position in it. */
export const TERM_RUN = 8;
export const TERM_POSITION = 12;
export const TERM_BYTES = 16;
export const ENTRY_BYTES = 8;
export const RECORD_BYTES = 16;

/** Loads and stores of 8 and 16 bytes may reach so far behind the end of what they are about. */
export const SLACK = 32;
/** No more bytes of postings than this an entry, of positions than this a delta, and OUTPUT_SLACK a term. */
export const DOCS_BYTES_PER_ENTRY = 40;
export const POSITIONS_BYTES_PER_DELTA = 5;
export const KEYED_BYTES_PER_TERM = 128;
export const OUTPUT_SLACK = 4096;
