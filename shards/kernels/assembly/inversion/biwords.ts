import {
  STATE_COMMON_BITS,
  STATE_COMMON_COUNT,
  STATE_COMMON_NUMBERS,
  STATE_PAIR_IDS,
  STATE_PAIRS,
  STATE_RUN_COUNT,
  STATE_RUN_ENDS,
  STATE_TERM_COUNT,
  STATE_TERMS,
  STATE_WORD_COUNT,
  TERM_BYTES,
  TERM_ENTRIES,
  TOKENS,
} from '../../inversion-layout.ts';
import { countOccurrence, placeOccurrence } from './occurrences.ts';
import { readToken, tokenGap, tokenId } from './tokens.ts';
import { setState, state } from './words.ts';

/**
 * Biwords: a common word and the common word at the next position of the same text, as a term of its own (IIR 2.4.1). The caller has
 * chosen the common words.
 */

// @ts-ignore: decorator
@inline
function isCommon(id: u32): bool {
  return ((load<u32>(state(STATE_COMMON_BITS) + ((id >>> 5) << 2)) >>> (id & 31)) & 1) !== 0;
}

// @ts-ignore: decorator
@inline
function numberOf(id: u32): u32 {
  return <u32>load<u16>(state(STATE_COMMON_NUMBERS) + (id << 1));
}

/** Counts or places the biwords of the tokens at..end-1, a run; `run`: its number, or what an entry says of it. */
// @ts-ignore: decorator
@inline
function walkRun(at: usize, end: usize, run: u32, counts: bool): void {
  const count = state(STATE_COMMON_COUNT);
  let position: u32 = 0;
  // Tokens at the present position, of which there may be several, and at the one before.
  let group = at;
  let before = at;
  let beforeEnd = at;
  while (at < end) {
    const token = at;
    at = readToken(at);
    if (tokenGap !== 0) {
      before = tokenGap === 1 ? group : token;
      beforeEnd = token;
      group = token;
      position += tokenGap;
    }
    if (before === beforeEnd || !isCommon(tokenId)) continue;
    const second = numberOf(tokenId);
    for (let first = before; first < beforeEnd; ) {
      first = readToken(first);
      if (!isCommon(tokenId)) continue;
      const pair = numberOf(tokenId) * count + second;
      if (counts) countOccurrence(state(STATE_PAIRS) + pair * TERM_BYTES, run, position);
      else placeOccurrence(state(STATE_TERMS) + load<u32>(state(STATE_PAIR_IDS) + (pair << 2)) * TERM_BYTES, run, position);
    }
  }
}

/** Counts each pair's entries and occurrences as countTerms does those of words; returns how many pairs have any. */
export function countBiwords(): u32 {
  const runEnds = state(STATE_RUN_ENDS);
  const runCount = state(STATE_RUN_COUNT);
  let at: usize = TOKENS;
  for (let run: u32 = 0; run < runCount; run++) {
    const end = (<usize>load<u32>(runEnds + (run << 2)) << 2) + TOKENS;
    walkRun(at, end, run, true);
    at = end;
  }
  const pairs = state(STATE_COMMON_COUNT) * state(STATE_COMMON_COUNT);
  let found: u32 = 0;
  for (let pair: u32 = 0; pair < pairs; pair++) {
    found += <u32>(load<u32>(state(STATE_PAIRS) + pair * TERM_BYTES, TERM_ENTRIES) > 0);
  }
  return found;
}

/** Makes terms of the pairs that stand anywhere, behind the words, with room for which the terms were moved. */
export function nameBiwords(): void {
  const pairs = state(STATE_COMMON_COUNT) * state(STATE_COMMON_COUNT);
  let id = state(STATE_WORD_COUNT);
  for (let pair: u32 = 0; pair < pairs; pair++) {
    const counted = state(STATE_PAIRS) + pair * TERM_BYTES;
    if (load<u32>(counted, TERM_ENTRIES) === 0) continue;
    memory.copy(state(STATE_TERMS) + id * TERM_BYTES, counted, TERM_BYTES);
    store<u32>(state(STATE_PAIR_IDS) + (pair << 2), id++);
  }
  setState(STATE_TERM_COUNT, id);
}

/** As `scatter` of the words of one run. */
export function scatterBiwords(at: usize, end: usize, slot: u32): void {
  walkRun(at, end, slot, false);
}
