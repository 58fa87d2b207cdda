import {
  HEADER_ADDRESS,
  HEADER_BLOCK_COUNT,
  HEADER_DOC_COUNT,
  HEADER_DOCS,
  HEADER_HASH_SLOTS,
  HEADER_POSITIONS,
  HEADER_TERM_BLOCKS,
  HEADER_TERM_COUNT,
  HEADER_TERM_HASH,
  HEADER_TERMS,
  QUERY,
  QUERY_TERM_COUNT,
  TERM_BYTES,
  TERM_DOC_COUNT,
  TERM_DOCS,
  TERM_FIRST_RECORD,
  TERM_KEY,
  TERM_KEY_LENGTH,
  TERM_POSITIONS,
  TERM_RECORD_COUNT,
  TERMS,
} from '../../search-layout.ts';
import { header, wordOf } from './words.ts';

/** Keys of a block of the dictionary, front-coded. */
const KEYS_PER_BLOCK: u32 = 16;
/** Halves of a key's first byte: this value says that a varint follows. */
const NIBBLE: u32 = 15;
/** Bits 0..4 of the byte in front of the frequencies of a posting tell which fields have one. */
const OTHER_COUNT: u32 = 5;

/** Where the next code of the dictionary begins. */
let cursor: usize = 0;

/** LEB128; of longer ones the low 64 bits. */
function varint(): u64 {
  let byte = <u64>load<u8>(cursor++);
  let value = byte & 127;
  for (let shift: u64 = 7; byte >= 128 && shift < 63; shift += 7) {
    byte = <u64>load<u8>(cursor++);
    value |= (byte & 127) << shift;
  }
  return value;
}

/** Moves behind the posting of a term with one document. */
function skipPosting(): void {
  if (varint() & 1) return;
  if ((varint() & 1) === 0) return;
  const slots = <u32>load<u8>(cursor++);
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) if ((slots >>> slot) & 1) varint();
}

/** FNV-1a with the finaliser of MurmurHash3. Twin: segment/term-hash.ts. */
function hashOf(key: usize, length: u32): u32 {
  let hash: u32 = 0x811c9dc5;
  for (let i: u32 = 0; i < length; i++) hash = (hash ^ load<u8>(key + i)) * 0x01000193;
  hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
  return hash ^ (hash >>> 16);
}

/** Bytes that `key` from `from` on and the text at `other`, of `length` bytes, begin with alike. */
function alike(key: usize, from: u32, keyLength: u32, other: usize, length: u32): u32 {
  const end = min<u32>(keyLength - from, length);
  let count: u32 = 0;
  while (count < end && load<u8>(key + from + count) === load<u8>(other + count)) count++;
  return count;
}

/**
 * Walks the block of `ordinal` up to it; when its key is the record's, fills the record and answers true. Keys are not put
 * together: it is enough to know how many bytes each has in common with the key that is looked for.
 */
function isAt(ordinal: u32, term: usize): bool {
  const key = <usize>load<u32>(term + (TERM_KEY << 2));
  const keyLength = load<u32>(term + (TERM_KEY_LENGTH << 2));
  const block = load<u32>(header(HEADER_TERM_BLOCKS) + ((ordinal / KEYS_PER_BLOCK) << 2));
  cursor = header(HEADER_TERMS) + block;
  let docs = varint();
  let record = <u32>varint();
  let positions = varint();
  let common: u32 = 0;
  let docCount: u32 = 0;
  let length: u32 = 0;
  let posting: usize = 0;
  for (let left = (ordinal % KEYS_PER_BLOCK) + 1; left > 0; left--) {
    record += recordCountOf(docCount);
    const head = <u32>load<u8>(cursor++);
    let shared = head >>> 4;
    let rest = head & NIBBLE;
    if (shared === NIBBLE) shared += <u32>varint();
    if (rest === NIBBLE) rest += <u32>varint();
    length = shared + rest;
    if (shared <= common) common = shared + alike(key, shared, keyLength, cursor, rest);
    cursor += rest;
    docCount = <u32>varint();
    posting = cursor;
    if (docCount === 1) skipPosting();
    else docs += varint();
    positions += varint();
  }
  if (length !== keyLength || common !== keyLength) return false;
  if (docCount > wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT)) unreachable();
  const records = recordCountOf(docCount);
  if (<u64>record + records > <u64>wordOf(HEADER_ADDRESS, HEADER_BLOCK_COUNT)) unreachable();
  store<u32>(term + (TERM_DOC_COUNT << 2), docCount);
  store<u32>(term + (TERM_DOCS << 2), docCount === 1 ? <u32>posting : <u32>(header(HEADER_DOCS) + <usize>docs));
  store<u32>(term + (TERM_RECORD_COUNT << 2), records);
  store<u32>(term + (TERM_FIRST_RECORD << 2), record);
  store<u32>(term + (TERM_POSITIONS << 2), <u32>(header(HEADER_POSITIONS) + <usize>positions));
  return true;
}

/** Block records of a list. Twin: recordCount of postings/postings-encoder.ts. */
// @ts-ignore: decorator
@inline
function recordCountOf(docCount: u32): u32 {
  return docCount < 128 ? 0 : (docCount + 127) >>> 7;
}

function findTerm(term: usize): void {
  store<u32>(term + (TERM_DOC_COUNT << 2), 0);
  const slotCount = wordOf(HEADER_ADDRESS, HEADER_HASH_SLOTS);
  const slots = header(HEADER_TERM_HASH);
  const hash = hashOf(load<u32>(term + (TERM_KEY << 2)), load<u32>(term + (TERM_KEY_LENGTH << 2)));
  const ordinalBits = 32 - clz(wordOf(HEADER_ADDRESS, HEADER_TERM_COUNT));
  const tag = hash << ordinalBits;
  const ordinalMask = (1 << ordinalBits) - 1;
  let slot = <u32>((<u64>hash * slotCount) >>> 32);
  for (let left = slotCount; left > 0; left--) {
    const entry = load<u32>(slots + (<usize>slot << 2));
    if (entry === 0) return;
    if ((entry & ~ordinalMask) === tag && isAt((entry & ordinalMask) - 1, term)) return;
    slot = slot + 1 === slotCount ? 0 : slot + 1;
  }
}

/** Looks the query's terms up and fills the second half of their records. Twin: segment/term-dictionary.ts. */
export function findTerms(base: usize): void {
  const count = wordOf(base + QUERY, QUERY_TERM_COUNT);
  for (let i: u32 = 0; i < count; i++) findTerm(base + TERMS + i * TERM_BYTES);
}
