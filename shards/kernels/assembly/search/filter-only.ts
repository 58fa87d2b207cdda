import {
  HEADER_ADDRESS,
  HEADER_DOC_COUNT,
  HEADER_STATIC_BOUNDS,
  HEADER_STATIC_SCORES,
  QUERY,
  QUERY_ALLOWED,
  QUERY_ALLOWED_COUNT,
  QUERY_COUNT,
  QUERY_HIT_COUNT,
  QUERY_HOPELESS,
  QUERY_K,
  QUERY_LATE,
  QUERY_THRESHOLD,
} from '../../search-layout.ts';
import { isLate } from './environment.ts';
import { finishHits, offerHit, startHits, threshold } from './top-hits.ts';
import { header, setWord, wordOf } from './words.ts';

/** Stretches of 64 documents between two looks at the clock. */
const CLOCK_INTERVAL: u32 = 1024;

/** Offers the allowed documents with their static scores; false when the time is up. */
function offerAllowed(allowed: usize): bool {
  const docCount = wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT);
  const statics = header(HEADER_STATIC_BOUNDS) === 0 ? 0 : header(HEADER_STATIC_SCORES);
  let steps: u32 = 0;
  for (let first: u32 = 0; first < docCount; first += 64) {
    if (steps++ % CLOCK_INTERVAL === 0 && isLate() !== 0) return false;
    for (let rest = load<u64>(allowed + (first >>> 3)); rest !== 0; rest &= rest - 1) {
      const doc = first + <u32>ctz(rest);
      offerHit(doc, statics === 0 ? 0 : wordOf(statics, doc));
    }
  }
  return true;
}

/** A filter alone, which QUERY_ALLOWED must give: all its documents match, and only the static score tells them apart. Returns 0. */
export function filterOnly(base: usize): u32 {
  const query = base + QUERY;
  const k = wordOf(query, QUERY_K);
  startHits(base, k, wordOf(query, QUERY_THRESHOLD));
  const inTime = k === 0 || offerAllowed(wordOf(query, QUERY_ALLOWED));
  setWord(query, QUERY_COUNT, min<u32>(wordOf(query, QUERY_COUNT), wordOf(query, QUERY_ALLOWED_COUNT)));
  setWord(query, QUERY_HOPELESS, 0);
  setWord(query, QUERY_LATE, <u32>!inTime);
  setWord(query, QUERY_THRESHOLD, threshold());
  setWord(query, QUERY_HIT_COUNT, finishHits());
  return 0;
}
