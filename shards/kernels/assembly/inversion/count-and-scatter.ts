import {
  ENTRY_BYTES,
  STATE_COMMON_COUNT,
  STATE_DELTA_COUNT,
  STATE_DELTAS,
  STATE_DOC_COUNT,
  STATE_ENTRIES,
  STATE_ENTRY_COUNT,
  STATE_MOST_DELTAS,
  STATE_MOST_ENTRIES,
  STATE_ORDER,
  STATE_RANKS,
  STATE_RECORD_LIMIT,
  STATE_RUN_COUNT,
  STATE_RUN_ENDS,
  STATE_TERM_COUNT,
  STATE_TERMS,
  TERM_BYTES,
  TERM_DELTAS,
  TERM_ENTRIES,
  TERM_RUN,
  TOKENS,
} from '../../inversion-layout.ts';
import { scatterBiwords } from './biwords.ts';
import { countOccurrence, placeOccurrence } from './occurrences.ts';
import { readToken, tokenGap, tokenId } from './tokens.ts';
import { setState, state } from './words.ts';

const FIELD_COUNT: u32 = 6;
const BLOCK_LENGTH: u32 = 128;

/** Counts each term's entries and occurrences. The same term twice at one position is one occurrence. */
export function countTerms(): void {
  const terms = state(STATE_TERMS);
  const runEnds = state(STATE_RUN_ENDS);
  const runCount = state(STATE_RUN_COUNT);
  let at: usize = TOKENS;
  for (let run: u32 = 0; run < runCount; run++) {
    const end = (<usize>load<u32>(runEnds + (run << 2)) << 2) + TOKENS;
    let position: u32 = 0;
    while (at < end) {
      at = readToken(at);
      position += tokenGap;
      countOccurrence(terms + tokenId * TERM_BYTES, run, position);
    }
  }
}

/** What the caller needs for its next allocations, when all terms are counted. */
export function sumCounts(): void {
  const end = state(STATE_TERMS) + state(STATE_TERM_COUNT) * TERM_BYTES;
  let entryCount: u32 = 0;
  let deltaCount: u32 = 0;
  let mostEntries: u32 = 0;
  let mostDeltas: u32 = 0;
  let records: u32 = 0;
  for (let term = state(STATE_TERMS); term < end; term += TERM_BYTES) {
    const entries = load<u32>(term, TERM_ENTRIES);
    const deltas = load<u32>(term, TERM_DELTAS);
    entryCount += entries;
    deltaCount += deltas;
    mostEntries = max(mostEntries, entries);
    mostDeltas = max(mostDeltas, deltas);
    if (entries >= BLOCK_LENGTH) records += (entries + BLOCK_LENGTH - 1) / BLOCK_LENGTH;
  }
  setState(STATE_ENTRY_COUNT, entryCount);
  setState(STATE_DELTA_COUNT, deltaCount);
  setState(STATE_MOST_ENTRIES, mostEntries);
  setState(STATE_MOST_DELTAS, mostDeltas);
  setState(STATE_RECORD_LIMIT, records);
}

/** Gives each term its places, in the order of the ranks. */
export function placeTerms(): void {
  const ranks = state(STATE_RANKS);
  const termCount = state(STATE_TERM_COUNT);
  let entries = state(STATE_ENTRIES);
  let deltas = state(STATE_DELTAS);
  for (let rank: u32 = 0; rank < termCount; rank++) {
    const term = state(STATE_TERMS) + load<u32>(ranks + (rank << 2)) * TERM_BYTES;
    const entryCount = load<u32>(term, TERM_ENTRIES);
    const deltaCount = load<u32>(term, TERM_DELTAS);
    store<u32>(term, entries, TERM_ENTRIES);
    store<u32>(term, deltas, TERM_DELTAS);
    store<u32>(term, 0, TERM_RUN);
    entries += entryCount * ENTRY_BYTES;
    deltas += deltaCount << 2;
  }
  // Behind the last entry stands where its deltas end.
  store<u32>(entries, deltas, 4);
}

/** Brings the occurrences to their terms, documents in their final order; then each term's places are its ends. */
export function scatter(): void {
  const order = state(STATE_ORDER);
  const runEnds = state(STATE_RUN_ENDS);
  const docCount = state(STATE_DOC_COUNT);
  const hasBiwords = state(STATE_COMMON_COUNT) > 0;
  for (let doc: u32 = 0; doc < docCount; doc++) {
    const firstRun = load<u32>(order + (doc << 2)) * FIELD_COUNT;
    let start: usize = firstRun === 0 ? 0 : load<u32>(runEnds + (firstRun << 2) - 4);
    for (let field: u32 = 0; field < FIELD_COUNT; field++) {
      const end: usize = load<u32>(runEnds + ((firstRun + field) << 2));
      if (end > start) scatterRun((start << 2) + TOKENS, (end << 2) + TOKENS, (doc << 3) | field);
      if (hasBiwords) scatterBiwords((start << 2) + TOKENS, (end << 2) + TOKENS, (doc << 3) | field);
      start = end;
    }
  }
}

function scatterRun(at: usize, end: usize, slot: u32): void {
  const terms = state(STATE_TERMS);
  let position: u32 = 0;
  while (at < end) {
    at = readToken(at);
    position += tokenGap;
    placeOccurrence(terms + tokenId * TERM_BYTES, slot, position);
  }
}
