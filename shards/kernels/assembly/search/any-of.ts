import {
  HEADER_ADDRESS,
  HEADER_BEST_IMPACTS,
  HEADER_DOC_COUNT,
  HEADER_STATIC_BOUNDS,
  HEADER_STATIC_SCORES,
  QUERY,
  QUERY_ALLOWED,
  QUERY_ALLOWED_COUNT,
  QUERY_HIT_COUNT,
  QUERY_HOPELESS,
  QUERY_K,
  QUERY_LATE,
  QUERY_TERM_COUNT,
  QUERY_THRESHOLD,
  SCORER,
  SCORER_BEST_IMPACTS,
  TERM_BYTES,
  TERM_DOC_COUNT,
  TERM_DOCS,
  TERM_FIRST_RECORD,
  TERM_GROUP,
  TERM_RECORD_COUNT,
  TERM_WEIGHT,
  TERMS,
} from '../../search-layout.ts';
import { countMatches } from './count-matches.ts';
import { isLate } from './environment.ts';
import { findTerms } from './find-terms.ts';
import { candidateCount, reaching, setCandidateCount, walkWindow } from './list-range.ts';
import { largestStaticScore, oneList } from './one-list.ts';
import { clearSlots, openFlat, openRecords } from './posting-lists.ts';
import { probe, startProbes } from './probe-list.ts';
import { finishHits, hitCount, offerHit, raiseThreshold, startHits, threshold } from './top-hits.ts';
import { openGroups, unionSlack, unitedScore } from './union-groups.ts';
import { boundWindows, closeWindows, orderWindows, windowBound } from './window-bounds.ts';
import { header, setWord, wordOf } from './words.ts';
import {
  CANDIDATE_DOCS,
  CANDIDATE_SCORES,
  LIST_BOUND,
  LIST_BOUND_SUM,
  LIST_BYTES,
  LIST_DOC_COUNT,
  LIST_FIRST_RECORD,
  LIST_GROUP,
  LIST_INDEX,
  LIST_MAX,
  LIST_NEXT,
  LIST_POSTINGS,
  LIST_RECORDS,
  LIST_WEIGHT,
  LISTS,
  MARK,
  MAX_LISTS,
  SCORES,
  SPAN_WINDOWS,
  WINDOW_BITS,
  WINDOW_DOCS,
  WINDOW_LISTS,
  WINDOW_ORDER,
  WINDOW_SUMS,
} from './work-layout.ts';

/** Answers of a kernel. */
const DONE: u32 = 0;
/** The query is of a kind that the kernel does not know; nothing was done. */
const UNKNOWN: u32 = 1;

/** Windows between two looks at the clock. */
const CLOCK_INTERVAL: u32 = 32;
/** Reading a posting in order costs about a sixth of looking one up. */
const PROBE_COST: u32 = 6;

/** With several words a guess of the threshold counts on so many times the documents that the stored ranks promise. */
const GUESS_SHARE: u64 = 4;

let docCount: u32 = 0;
let staticScores: usize = 0;
/** Address of the bit set of documents that may match, 0 for all. */
let allowed: usize = 0;

/** Makes lists of the terms that the segment holds and returns how many there are; stops above MAX_LISTS. */
function openLists(base: usize): u32 {
  const terms = wordOf(base + QUERY, QUERY_TERM_COUNT);
  let count: u32 = 0;
  for (let i: u32 = 0; i < terms; i++) {
    const term = base + TERMS + i * TERM_BYTES;
    if (wordOf(term, TERM_DOC_COUNT) === 0) continue;
    if (count === MAX_LISTS) return MAX_LISTS + 1;
    const list = base + LISTS + count * LIST_BYTES;
    setWord(list, LIST_WEIGHT, wordOf(term, TERM_WEIGHT));
    setWord(list, LIST_DOC_COUNT, wordOf(term, TERM_DOC_COUNT));
    setWord(list, LIST_POSTINGS, wordOf(term, TERM_DOCS));
    setWord(list, LIST_RECORDS, wordOf(term, TERM_RECORD_COUNT));
    setWord(list, LIST_FIRST_RECORD, wordOf(term, TERM_FIRST_RECORD));
    setWord(list, LIST_NEXT, 0);
    setWord(list, LIST_INDEX, count);
    setWord(list, LIST_GROUP, wordOf(term, TERM_GROUP));
    count++;
  }
  return count;
}

/**
 * A score that k documents have at least, from what is stored of each list's best; it holds when no document is left out.
 * Record i of a list keeps its 10^(i+1)-th best impact.
 */
function primedThreshold(base: usize, count: u32, k: u64): u32 {
  const best = header(HEADER_BEST_IMPACTS);
  if (best === 0) return 0;
  let rank: u32 = 0;
  for (let reached: u64 = 10; reached < k; reached *= 10) rank++;
  let largest: u32 = 0;
  for (let index: u32 = 0; index < count; index++) {
    const list = base + LISTS + index * LIST_BYTES;
    if (rank >= wordOf(list, LIST_RECORDS)) continue;
    const step = <u32>load<u8>(best + wordOf(list, LIST_FIRST_RECORD) + rank);
    const impact = wordOf(base + SCORER + SCORER_BEST_IMPACTS, step);
    largest = max<u32>(largest, (wordOf(list, LIST_WEIGHT) * impact) >>> 7);
  }
  return largest;
}

/**
 * Puts the window's lists in order of rising bound, with sums of bounds; returns how many there are. What a list adds at
 * most is its bound, so that a prefix of them whose sum stays below the threshold cannot lift a document over it alone.
 */
function orderLists(base: usize, count: u32, window: u32): u32 {
  const order = base + WINDOW_LISTS;
  let used: u32 = 0;
  for (let index: u32 = 0; index < count; index++) {
    const list = base + LISTS + index * LIST_BYTES;
    const bound = windowBound(base, list, window);
    if (bound === 0) continue;
    setWord(list, LIST_BOUND, bound);
    let place = used++;
    for (; place > 0 && wordOf(<usize>wordOf(order, place - 1), LIST_BOUND) > bound; place--) {
      setWord(order, place, wordOf(order, place - 1));
    }
    setWord(order, place, <u32>list);
  }
  let sum: u32 = 0;
  for (let place: u32 = 0; place < used; place++) {
    const list = <usize>wordOf(order, place);
    sum += wordOf(list, LIST_BOUND);
    setWord(list, LIST_BOUND_SUM, sum);
  }
  return used;
}

/** What remains of `threshold` when others add at most `most`. */
// @ts-ignore: decorator
@inline
function without(need: u32, most: u32): u32 {
  return need > most ? need - most : 0;
}

/** Makes candidates of the window's documents with at least `need`, and empties its scores. */
function scanScores(base: usize, from: u32, need: u32): void {
  const window = base + SCORES;
  const wanted = i32x4.splat(need | MARK);
  let count: u32 = 0;
  // No sum of lists reaches the mark.
  const end: usize = need < MARK ? WINDOW_DOCS << 2 : 0;
  for (let at: usize = 0; at < end; at += 64) {
    for (let hits = reaching(window + at, wanted); hits !== 0; hits &= hits - 1) {
      const place = at + (ctz(hits) << 2);
      store<u32>(base + CANDIDATE_DOCS + (count << 2), from + <u32>(place >>> 2));
      store<u32>(base + CANDIDATE_SCORES + (count << 2), load<u32>(window + place) & ~MARK);
      count++;
    }
  }
  memory.fill(window, 0, WINDOW_DOCS << 2);
  setCandidateCount(count);
}

/** Keeps the candidates that are allowed. */
function filterAllowed(base: usize): void {
  const count = candidateCount();
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = wordOf(base + CANDIDATE_DOCS, i);
    setWord(base + CANDIDATE_DOCS, kept, doc);
    setWord(base + CANDIDATE_SCORES, kept, wordOf(base + CANDIDATE_SCORES, i));
    kept += isAllowed(doc);
  }
  setCandidateCount(kept);
}

// @ts-ignore: decorator
@inline
function isAllowed(doc: u32): u32 {
  return (load<u32>(allowed + ((doc >>> 5) << 2)) >>> (doc & 31)) & 1;
}

/** Adds a list that reaches many of the window's documents: all its postings there, then those that are candidates. */
function addToCandidates(base: usize, list: usize, window: u32, from: u32, to: u32, need: u32): void {
  const scores = base + SCORES;
  walkWindow(base, list, window, from, to, 0, false);
  const count = candidateCount();
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = wordOf(base + CANDIDATE_DOCS, i);
    const index = doc - from;
    if (index >= WINDOW_DOCS) unreachable();
    const score = wordOf(base + CANDIDATE_SCORES, i) + (wordOf(scores, index) & ~MARK);
    setWord(base + CANDIDATE_DOCS, kept, doc);
    setWord(base + CANDIDATE_SCORES, kept, score);
    kept += <u32>(score >= need);
  }
  memory.fill(scores, 0, WINDOW_DOCS << 2);
  setCandidateCount(kept);
}

/** Looks each candidate up in a list, and keeps those that can still reach `needBefore` without it and `need` with it. */
function probeCandidates(base: usize, list: usize, window: u32, needBefore: u32, need: u32): void {
  const count = candidateCount();
  let kept: u32 = 0;
  startProbes(base, list, window);
  for (let i: u32 = 0; i < count; i++) {
    const doc = wordOf(base + CANDIDATE_DOCS, i);
    let score = wordOf(base + CANDIDATE_SCORES, i);
    if (score < needBefore) continue;
    score += probe(base, list, doc, without(need, score));
    setWord(base + CANDIDATE_DOCS, kept, doc);
    setWord(base + CANDIDATE_SCORES, kept, score);
    kept += <u32>(score >= need);
  }
  setCandidateCount(kept);
}

/** Whether reading all of the list's postings in a window costs less than looking the candidates up. */
function isDense(list: usize): bool {
  return <u64>wordOf(list, LIST_DOC_COUNT) * WINDOW_DOCS < <u64>candidateCount() * PROBE_COST * docCount;
}

/** Brings the lists that are left to the candidates, best first. `least`: score that matters, static scores set off. */
function refine(base: usize, left: u32, window: u32, from: u32, to: u32, least: u32): void {
  for (let place = left; place > 0 && candidateCount() > 0; place--) {
    const list = <usize>wordOf(base + WINDOW_LISTS, place - 1);
    const sum = wordOf(list, LIST_BOUND_SUM);
    const need = without(least, sum - wordOf(list, LIST_BOUND));
    if (isDense(list)) addToCandidates(base, list, window, from, to, need);
    else probeCandidates(base, list, window, without(least, sum), need);
  }
}

function offerCandidates(base: usize, lists: u32): void {
  const hasUnions = unionSlack() > 0;
  const count = candidateCount();
  for (let i: u32 = 0; i < count; i++) {
    const doc = wordOf(base + CANDIDATE_DOCS, i);
    const staticScore = staticScores === 0 ? 0 : wordOf(staticScores, doc);
    let score = wordOf(base + CANDIDATE_SCORES, i);
    if (hasUnions) {
      if (score + staticScore + unionSlack() < threshold()) continue;
      score = unitedScore(base, lists, doc, score);
    }
    offerHit(doc, score + staticScore);
  }
}

function evaluateWindow(base: usize, lists: u32, window: u32, from: u32, to: u32): void {
  const count = orderLists(base, lists, window);
  if (count === 0) return;
  const order = base + WINDOW_LISTS;
  const all = wordOf(<usize>wordOf(order, count - 1), LIST_BOUND_SUM);
  const least = without(threshold(), wordOf(base + WINDOW_SUMS, window) - all + unionSlack());
  let nonEssential: u32 = 0;
  while (nonEssential < count && wordOf(<usize>wordOf(order, nonEssential), LIST_BOUND_SUM) < least) nonEssential++;
  if (nonEssential === count) return;
  const rest = nonEssential === 0 ? 0 : wordOf(<usize>wordOf(order, nonEssential - 1), LIST_BOUND_SUM);
  setCandidateCount(0);
  if (nonEssential === count - 1) {
    walkWindow(base, <usize>wordOf(order, nonEssential), window, from, to, without(least, rest), true);
  } else {
    for (let place = nonEssential; place < count; place++) {
      const list = <usize>wordOf(order, place);
      walkWindow(base, list, window, from, to, without(least, all - wordOf(list, LIST_BOUND)), false);
    }
    scanScores(base, from, without(least, rest));
  }
  if (allowed !== 0) filterAllowed(base);
  refine(base, nonEssential, window, from, to, least);
  offerCandidates(base, lists);
}

/** All windows of the segment, span after span, in a span by falling bound; false when the time is up. */
function evaluateWindows(base: usize, lists: u32): bool {
  memory.fill(base + SCORES, 0, WINDOW_DOCS << 2);
  const spanDocs = SPAN_WINDOWS << WINDOW_BITS;
  let steps: u32 = 0;
  for (let spanFrom: u32 = 0; spanFrom < docCount; spanFrom += spanDocs) {
    const spanTo = min<u32>(docCount, spanFrom + spanDocs);
    const windows = (spanTo - spanFrom + WINDOW_DOCS - 1) >>> WINDOW_BITS;
    boundWindows(base, lists, spanFrom, spanTo, windows);
    if (allowed !== 0) closeWindows(base, allowed, spanFrom, spanTo);
    const count = orderWindows(base, windows, without(threshold(), unionSlack()));
    for (let i: u32 = 0; i < count; i++) {
      if (++steps % CLOCK_INTERVAL === 0 && isLate() !== 0) return false;
      const window = wordOf(base + WINDOW_ORDER, i);
      if (wordOf(base + WINDOW_SUMS, window) + unionSlack() < threshold()) continue;
      const from = spanFrom + (window << WINDOW_BITS);
      evaluateWindow(base, lists, window, from, min<u32>(spanTo, from + WINDOW_DOCS));
    }
  }
  return true;
}

/**
 * A score that k of the allowed documents are believed to have at least. A single word has its best documents where the
 * stored rank says; with several, few documents that are among the best of one word alone are among the best of all.
 */
function guessedThreshold(base: usize, lists: u32, k: u32): u32 {
  const share = <u64>k * docCount / max<u32>(1, wordOf(base + QUERY, QUERY_ALLOWED_COUNT));
  return primedThreshold(base, lists, lists === 1 ? 2 * share : max<u64>(k, share / GUESS_SHARE));
}

function rank(base: usize, lists: u32): bool {
  return lists === 1 ? oneList(base, allowed) : evaluateWindows(base, lists);
}

/** Ranks above a guess, and where that leaves too few, once more without one. `least`: scores below it are of no use. */
function rankAllowed(base: usize, lists: u32, k: u32, least: u32): bool {
  const guess = guessedThreshold(base, lists, k);
  raiseThreshold(guess);
  if (!rank(base, lists)) return false;
  if (guess <= least || hitCount() === k) return true;
  startHits(base, k, least);
  for (let index: u32 = 0; index < lists; index++) setWord(base + LISTS + index * LIST_BYTES, LIST_NEXT, 0);
  return rank(base, lists);
}

/** Whether all lists together cannot reach the threshold. */
function isHopeless(base: usize, lists: u32): bool {
  let sum = largestStaticScore() + unionSlack();
  for (let index: u32 = 0; index < lists; index++) sum += wordOf(base + LISTS + index * LIST_BYTES, LIST_MAX);
  return lists === 0 || sum < threshold();
}

/**
 * "Any of the words", the k best: MaxScore (Turtle and Flood, IPM 1995) over windows of documents with the bounds of blocks
 * (Ding and Suel, SIGIR 2011) and of groups inside blocks, windows by falling bound (Mallia, Suel and Tonellotto, "Faster
 * learned sparse retrieval with block-max pruning", SIGIR 2024), from a threshold that stored best impacts give. Exact.
 * Twins: search/max-score.ts, and search/exhaustive.ts as the oracle of both. Returns DONE or UNKNOWN.
 */
export function anyOf(base: usize): u32 {
  findTerms(base);
  const lists = openLists(base);
  if (lists > MAX_LISTS) return UNKNOWN;
  const query = base + QUERY;
  const k = wordOf(query, QUERY_K);
  allowed = wordOf(query, QUERY_ALLOWED);
  docCount = wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT);
  staticScores = header(HEADER_STATIC_BOUNDS) === 0 ? 0 : header(HEADER_STATIC_SCORES);
  clearSlots(base);
  openGroups(base, lists);
  for (let index: u32 = 0; index < lists; index++) {
    const list = base + LISTS + index * LIST_BYTES;
    if (wordOf(list, LIST_RECORDS) === 0) openFlat(base, list);
    else openRecords(base, list);
  }
  countMatches(base, lists, allowed);
  let inTime = isLate() === 0;
  startHits(base, k, wordOf(query, QUERY_THRESHOLD));
  const hopeless = isHopeless(base, lists);
  if (inTime && k > 0 && !hopeless) {
    if (allowed === 0) {
      raiseThreshold(primedThreshold(base, lists, k));
      inTime = rank(base, lists);
    } else {
      inTime = rankAllowed(base, lists, k, wordOf(query, QUERY_THRESHOLD));
    }
  }
  setWord(query, QUERY_HOPELESS, <u32>hopeless);
  setWord(query, QUERY_LATE, <u32>!inTime);
  setWord(query, QUERY_THRESHOLD, threshold());
  setWord(query, QUERY_HIT_COUNT, finishHits());
  return DONE;
}
