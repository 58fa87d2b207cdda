import {
  ENTRY_BYTES,
  ROW_DOCS,
  ROW_FREQUENCIES,
  ROW_OTHERS,
  ROW_OTHERS_BYTES,
  STATE_BLOCK_COUNT,
  STATE_DOCS_AT,
  STATE_DOCS_OFFSETS,
  STATE_DOCS_START,
  STATE_DOCS_STOP,
  STATE_DOCS_TAKEN,
  STATE_ENTRIES,
  STATE_HASHES,
  STATE_KEY_ENDS,
  STATE_KEYED_AT,
  STATE_KEYED_START,
  STATE_KEYED_STOP,
  STATE_KEYED_TAKEN,
  STATE_KEYS,
  STATE_LAST_DOCS,
  STATE_POSITIONS_AT,
  STATE_POSITIONS_OFFSETS,
  STATE_POSITIONS_START,
  STATE_POSITIONS_STOP,
  STATE_POSITIONS_TAKEN,
  STATE_RANKS,
  STATE_SHAPES,
  STATE_TERM_BLOCKS,
  STATE_TERM_COUNT,
  STATE_TERMS,
  STATE_WORD_COUNT,
  TERM_BYTES,
  TERM_ENTRIES,
} from '../../inversion-layout.ts';
import { encodeBlock, encodeTail, shapeOfBlock } from './encode-block.ts';
import { boundBlock, boundTerm } from './encode-bounds.ts';
import { encodePositions } from './encode-positions.ts';
import { termHash } from './term-hash.ts';
import { putVarint, setState, state } from './words.ts';

const BLOCK_LENGTH: u32 = 128;
const KEYS_PER_BLOCK: u32 = 16;
const NIBBLE: u32 = 15;
const BODY: u32 = 3;
const NO_DOC: u32 = 0xffffffff;

/** Where the next bytes go. */
let docsAt: usize = 0;
let positionsAt: usize = 0;
let keyedAt: usize = 0;

/** The list under way. Offsets count in the sections, all that was taken away included. */
let docsOffset: u32 = 0;
let positionsOffset: u32 = 0;
let firstBlock: u32 = 0;
let docCount: u32 = 0;
let inlineEnd: usize = 0;

/** Whether the positions of the list under way are kept. */
let withPositions: bool = true;

/** The block under way. */
let rowCount: u32 = 0;
let hasOthers: bool = false;
let previousBlockDoc: u32 = NO_DOC;
let blockDeltas: usize = 0;

/** What the dictionary's gaps count from. */
let keyedDocsOffset: u32 = 0;
let keyedPositionsOffset: u32 = 0;

function docsLength(): u32 {
  return state(STATE_DOCS_TAKEN) + <u32>(docsAt - state(STATE_DOCS_START));
}

function positionsLength(): u32 {
  return state(STATE_POSITIONS_TAKEN) + <u32>(positionsAt - state(STATE_POSITIONS_START));
}

function startBlock(deltas: usize): void {
  if (hasOthers) memory.fill(ROW_OTHERS, 0, ROW_OTHERS_BYTES);
  hasOthers = false;
  rowCount = 0;
  blockDeltas = deltas;
}

function alignDocs(): void {
  while ((docsLength() & 3) !== 0) store<u8>(docsAt++, 0);
}

/** Writes what a block record has of the bytes before the block. */
function startRecord(): u32 {
  const record = state(STATE_BLOCK_COUNT);
  store<u32>(state(STATE_DOCS_OFFSETS) + (record << 2), docsLength() - docsOffset);
  store<u32>(state(STATE_POSITIONS_OFFSETS) + (record << 2), positionsLength() - positionsOffset);
  setState(STATE_BLOCK_COUNT, record + 1);
  return record;
}

function endRecord(record: u32, shape: u32): void {
  previousBlockDoc = load<u32>(ROW_DOCS + ((rowCount - 1) << 2));
  store<u32>(state(STATE_LAST_DOCS) + (record << 2), previousBlockDoc);
  store<u16>(state(STATE_SHAPES) + (record << 1), shape);
  boundBlock(record, rowCount, hasOthers);
}

/** Deltas of the block under way, which end at `deltasEnd`. */
function deltaCount(deltasEnd: usize): u32 {
  return <u32>((deltasEnd - blockDeltas) >>> 2);
}

function putPositions(deltasEnd: usize): void {
  if (withPositions) positionsAt = encodePositions(blockDeltas, deltaCount(deltasEnd), positionsAt);
}

/** Codes the 128 rows, whose deltas end at `deltasEnd`. */
function flushBlock(deltasEnd: usize): void {
  if (docCount === BLOCK_LENGTH) {
    // Only now is it known that the term has blocks, which need alignment.
    alignDocs();
    docsOffset = docsLength();
  }
  const record = startRecord();
  docsAt = encodeBlock(previousBlockDoc, hasOthers, docsAt);
  putPositions(deltasEnd);
  endRecord(record, shapeOfBlock());
  startBlock(deltasEnd);
}

function flushTail(deltasEnd: usize): void {
  const hasRecords = docCount >= BLOCK_LENGTH;
  const record = hasRecords ? startRecord() : 0;
  docsAt = encodeTail(rowCount, previousBlockDoc, hasOthers, docsAt);
  putPositions(deltasEnd);
  if (hasRecords) endRecord(record, 0);
}

/** Codes the list of term `id`, whose entries lie from `entry` to before `end`. Twin: PostingsEncoder. */
function encodeList(id: u32, entry: usize, end: usize): void {
  withPositions = id < state(STATE_WORD_COUNT);
  docsOffset = docsLength();
  positionsOffset = positionsLength();
  firstBlock = state(STATE_BLOCK_COUNT);
  docCount = 0;
  previousBlockDoc = NO_DOC;
  startBlock(load<u32>(entry, 4));
  let doc = NO_DOC;
  for (; entry < end; entry += ENTRY_BYTES) {
    const slot = load<u32>(entry);
    const deltas = load<u32>(entry, 4);
    if (slot >>> 3 !== doc) {
      if (rowCount === BLOCK_LENGTH) flushBlock(deltas);
      doc = slot >>> 3;
      store<u32>(ROW_DOCS + (rowCount << 2), doc);
      store<u32>(ROW_FREQUENCIES + (rowCount << 2), 0);
      rowCount++;
      docCount++;
    }
    const field = slot & 7;
    const frequency = (load<u32>(entry + ENTRY_BYTES, 4) - deltas) >>> 2;
    if (field === BODY) {
      store<u32>(ROW_FREQUENCIES + ((rowCount - 1) << 2), frequency);
    } else {
      const column = field < BODY ? field : field - 1;
      store<u32>(ROW_OTHERS + (column << 9) + ((rowCount - 1) << 2), frequency);
      hasOthers = true;
    }
  }
  const deltasEnd = load<u32>(end, 4);
  if (docCount === 1) {
    // The only posting goes into the dictionary: the caller moves it there.
    inlineEnd = encodeTail(1, NO_DOC, hasOthers, docsAt);
    putPositions(deltasEnd);
  } else if (rowCount === BLOCK_LENGTH) {
    flushBlock(deltasEnd);
  } else {
    flushTail(deltasEnd);
  }
  const records = state(STATE_BLOCK_COUNT) - firstBlock;
  if (records !== 0) boundTerm(firstBlock, records);
}

/** Twin: encodeKey in segment/front-coding.ts. */
function putKey(key: usize, length: u32, previous: usize, previousLength: u32): void {
  const most = min(length, previousLength);
  let shared: u32 = 0;
  while (shared < most && load<u8>(key + shared) === load<u8>(previous + shared)) shared++;
  const rest = length - shared;
  store<u8>(keyedAt++, (min(shared, NIBBLE) << 4) | min(rest, NIBBLE));
  if (shared >= NIBBLE) keyedAt = putVarint(keyedAt, shared - NIBBLE);
  if (rest >= NIBBLE) keyedAt = putVarint(keyedAt, rest - NIBBLE);
  memory.copy(keyedAt, key + shared, rest);
  keyedAt += rest;
}

function startTermBlock(rank: u32): void {
  const offset = state(STATE_KEYED_TAKEN) + <u32>(keyedAt - state(STATE_KEYED_START));
  store<u32>(state(STATE_TERM_BLOCKS) + ((rank / KEYS_PER_BLOCK) << 2), offset);
  keyedDocsOffset = docsOffset;
  keyedPositionsOffset = positionsOffset;
  keyedAt = putVarint(keyedAt, docsOffset);
  keyedAt = putVarint(keyedAt, firstBlock);
  keyedAt = putVarint(keyedAt, positionsOffset);
}

/** Adds the list just coded to the dictionary. Twin: TermDictionaryWriter.add. */
function putEntry(rank: u32): void {
  const ranks = state(STATE_RANKS) + (rank << 2);
  const ends = state(STATE_KEY_ENDS);
  const keys = state(STATE_KEYS);
  const own = ends + (load<u32>(ranks) << 2);
  const key = keys + load<u32>(own);
  const length = load<u32>(own, 4) - load<u32>(own);
  if (rank % KEYS_PER_BLOCK === 0) {
    startTermBlock(rank);
    putKey(key, length, key, 0);
  } else {
    const before = ends + (load<u32>(ranks - 4) << 2);
    putKey(key, length, keys + load<u32>(before), load<u32>(before, 4) - load<u32>(before));
  }
  keyedAt = putVarint(keyedAt, docCount);
  if (docCount === 1) {
    memory.copy(keyedAt, docsAt, inlineEnd - docsAt);
    keyedAt += inlineEnd - docsAt;
  } else {
    keyedAt = putVarint(keyedAt, docsOffset - keyedDocsOffset);
    keyedDocsOffset = docsOffset;
  }
  keyedAt = putVarint(keyedAt, positionsOffset - keyedPositionsOffset);
  keyedPositionsOffset = positionsOffset;
  store<u32>(state(STATE_HASHES) + (rank << 2), termHash(key, length));
}

/** End of the term's entries in memory, which scattering has left at its place. */
function entriesEnd(rank: u32): usize {
  return load<u32>(state(STATE_TERMS) + load<u32>(state(STATE_RANKS) + (rank << 2)) * TERM_BYTES, TERM_ENTRIES);
}

/**
 * Codes terms from `rank` on until an output has reached its stop; returns the rank to go on with, which is the number of
 * terms at the end. The caller takes the output away in between: it sets STATE_…_AT back and adds to STATE_…_TAKEN.
 */
export function encodeTerms(rank: u32): u32 {
  docsAt = state(STATE_DOCS_AT);
  positionsAt = state(STATE_POSITIONS_AT);
  keyedAt = state(STATE_KEYED_AT);
  const termCount = state(STATE_TERM_COUNT);
  let entry: usize = rank === 0 ? <usize>state(STATE_ENTRIES) : <usize>entriesEnd(rank - 1);
  while (
    rank < termCount &&
    docsAt < state(STATE_DOCS_STOP) &&
    positionsAt < state(STATE_POSITIONS_STOP) &&
    keyedAt < state(STATE_KEYED_STOP)
  ) {
    const end = entriesEnd(rank);
    encodeList(load<u32>(state(STATE_RANKS) + (rank << 2)), entry, end);
    putEntry(rank);
    entry = end;
    rank++;
  }
  setState(STATE_DOCS_AT, <u32>docsAt);
  setState(STATE_POSITIONS_AT, <u32>positionsAt);
  setState(STATE_KEYED_AT, <u32>keyedAt);
  return rank;
}
