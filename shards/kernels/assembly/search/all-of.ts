import {
  HEADER_ADDRESS,
  HEADER_DOC_COUNT,
  HEADER_STATIC_BOUNDS,
  HEADER_STATIC_SCORES,
  QUERY,
  QUERY_ALLOWED,
  QUERY_COUNT,
  QUERY_HIT_COUNT,
  QUERY_HOPELESS,
  QUERY_K,
  QUERY_LATE,
  QUERY_THRESHOLD,
} from '../../search-layout.ts';
import { addOptional, dropHeld, joinCompanions, keepHeld, takeLead } from './ask-words.ts';
import { candidateCount, candidateDoc, candidateScore, candidateSlot, scoreByRows, startCandidates } from './candidates.ts';
import { SPAN_WINDOWS } from './conjunction-layout.ts';
import { isLate } from './environment.ts';
import { findTerms } from './find-terms.ts';
import {
  boundOfWindow,
  noteBound,
  orderWindows,
  recallBound,
  setBoundOfWindow,
  windowInOrder,
} from './lead-windows.ts';
import { boundOver, Cursor, ENDED, enterBlock, seekRange } from './list-cursor.ts';
import { hasOverflown, startPhrases } from './phrase-positions.ts';
import { leastImpact, NOWHERE, scoreOnePhrase, scoreWithPhrases, startWindowPhrases } from './phrase-scores.ts';
import {
  cursorOf,
  excludedEnd,
  excludedStart,
  isOnePhrase,
  NO_MATCH,
  OPENED,
  openWords,
  phraseCount,
  requiredCount,
  TOO_MANY,
  Word,
  wordAt,
  wordCount,
} from './query-words.ts';
import { finishHits, offerHit, startHits, threshold } from './top-hits.ts';
import { header, setWord, wordOf } from './words.ts';

/** Answers of a kernel. */
const DONE: u32 = 0;
/** The query is of a kind that the kernel does not know; nothing was done. */
const UNKNOWN: u32 = 1;

/** With this weight an impact stays what it is. */
const IMPACT_WEIGHT: u32 = 128;
/** Blocks of the lead between two looks at the clock. */
const CLOCK_INTERVAL: u32 = 16;
/** Documents that one static bound covers, as a power of two. */
const STATIC_BOUND_BITS: u32 = 10;

let allowed: usize = 0;
let staticScores: usize = 0;
let staticBounds: usize = 0;
/** Most that a document of the present window can reach; an impact for one phrase, else a score. */
let windowBound: u32 = 0;
let staticBound: u32 = 0;
/** Window of the span that is bounded, and whether that is done for the second time. */
let window: u32 = 0;
let isKnown = false;
/** Matches that are worth counting, and those counted. */
let wanted: u32 = 0;
let counted: u32 = 0;

function staticBoundOver(from: u32, to: u32): u32 {
  if (staticBounds === 0) return 0;
  let largest: u32 = 0;
  for (let window = from >>> STATIC_BOUND_BITS; window <= to >>> STATIC_BOUND_BITS; window++) {
    largest = max<u32>(largest, wordOf(staticBounds, window));
  }
  return largest;
}

// @ts-ignore: decorator
@inline
function boundList(base: usize, cursor: Cursor, from: u32, to: u32): u32 {
  return isKnown ? recallBound(base, cursor, window, from, to) : noteBound(base, cursor, window, from, to);
}

/**
 * Most that the lists of a word from list `first` on add to the score of a document from..to, whether each is absent being noted;
 * ENDED when they have none from there on. `others`: lists that count besides them.
 */
function boundLists(base: usize, word: Word, first: u32, others: u32, from: u32, to: u32): u32 {
  let sum: u32 = 0;
  let present = others;
  let hasEnded = true;
  for (let index = first; index < word.cursorCount; index++) {
    const cursor = cursorOf(word, index);
    const bound = boundList(base, cursor, from, to);
    if (bound === ENDED) continue;
    hasEnded = false;
    sum += bound;
    present += <u32>(cursor.isAbsent === 0);
  }
  if (hasEnded) return ENDED;
  return present > 1 ? sum + word.slack : sum;
}

/** Bounds the lists of the leading word besides the one that leads. Of what an earlier one holds nothing is left to it. */
function boundCompanions(base: usize, leading: Word, leader: u32, from: u32, to: u32): void {
  leading.companions = 0;
  for (let index: u32 = 0; index < leader; index++) boundList(base, cursorOf(leading, index), from, to);
  const bound = boundLists(base, leading, leader + 1, 1, from, to);
  if (bound !== ENDED) leading.companions = bound;
}

/**
 * Bounds documents from..to, `leadBound` being that of list `leader` of the leading word: `windowBound`, and for each word what those behind it
 * add. False when a required word has ended.
 */
function boundWindow(base: usize, leader: u32, leadBound: u32, from: u32, to: u32): bool {
  const leading = wordAt(base, 0);
  boundCompanions(base, leading, leader, from, to);
  staticBound = staticBoundOver(from, to);
  const adds = !isOnePhrase();
  let sum: u32 = adds ? staticBound : 0;
  let least = leadBound + leading.companions;
  for (let index = wordCount() - 1; index > 0; index--) {
    if (index >= requiredCount() && index < excludedEnd()) continue;
    const word = wordAt(base, index);
    word.rest = adds ? sum : 0;
    const bound = boundLists(base, word, 0, 0, from, to);
    if (bound !== ENDED) {
      sum += bound;
      least = min<u32>(least, bound);
    } else if (index < requiredCount()) {
      return false;
    }
  }
  leading.rest = adds ? sum : 0;
  windowBound = adds ? leadBound + leading.companions + sum : least;
  return true;
}

/** What a document of the present window must reach, in the unit of `windowBound`. */
function needOfWindow(base: usize): u32 {
  const need: u32 = counted < wanted ? 0 : threshold();
  if (need === 0 || !isOnePhrase()) return need;
  return leastImpact(base, need > staticBound ? need - staticBound : 0);
}

/** Whether no document of the segment can reach the threshold that the query came with. */
function isHopeless(base: usize): bool {
  if (threshold() === 0) return false;
  window = 0;
  isKnown = false;
  const last = wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT) - 1;
  const leading = wordAt(base, 0);
  const lead = cursorOf(leading, 0);
  if (!boundWindow(base, 0, boundOver(base, lead, 0, last), 0, last)) return true;
  return windowBound < needOfWindow(base);
}

/** Positions are read last, and only where the score could enter or the match has to be counted. */
function finishCandidates(base: usize, lead: Cursor): void {
  const hasPhrases = phraseCount() > 0;
  if (hasPhrases && candidateCount() > 0) startWindowPhrases(base, lead);
  for (let i: u32 = 0; i < candidateCount(); i++) {
    const doc = candidateDoc(base, i);
    const own = candidateScore(base, i);
    const fixed = staticScores === 0 ? 0 : wordOf(staticScores, doc);
    const need: u32 = counted < wanted ? 0 : threshold();
    let score = own + fixed;
    if (hasPhrases) {
      score = isOnePhrase() ? scoreOnePhrase(base, lead, i, fixed, need) : scoreWithPhrases(base, lead, i, score, need);
      if (score === NOWHERE) continue;
    } else if (score < need) {
      continue;
    }
    counted++;
    offerHit(doc, score);
  }
}

/** The present block of list `leader` of the leading word. */
function evaluateWindow(base: usize, leader: u32): void {
  const need = needOfWindow(base);
  if (windowBound < need) return;
  const leading = wordAt(base, 0);
  const lead = cursorOf(leading, leader);
  takeLead(base, leading, lead, need, allowed);
  if (leading.cursorCount > 1) joinCompanions(base, leading, leader, need);
  const required = requiredCount();
  for (let index: u32 = 1; index < required && candidateCount() > 0; index++) keepHeld(base, wordAt(base, index), need);
  if (isOnePhrase() && required > 1 && need > 0) scoreByRows(base, IMPACT_WEIGHT, need);
  const excluded = excludedEnd();
  for (let index = excludedStart(); index < excluded; index++) dropHeld(base, wordAt(base, index));
  const words = wordCount();
  for (let index = excluded; index < words && candidateCount() > 0; index++) addOptional(base, wordAt(base, index), need);
  finishCandidates(base, lead);
}

/** The lead's blocks from `first` on: bounds of those that may hold a match, and how many of them there are. */
function boundSpan(base: usize, leader: u32, first: u32, count: u32): u32 {
  const lead = cursorOf(wordAt(base, 0), leader);
  isKnown = false;
  for (window = 0; window < count; window++) {
    enterBlock(base, lead, first + window);
    if (!boundWindow(base, leader, lead.bound, lead.previousDoc + 1, lead.lastDoc)) return window;
    setBoundOfWindow(base, window, windowBound);
  }
  return count;
}

/** Lets all lists of the word besides `lead` stand where the range begins for which they were bounded. */
// @ts-ignore: decorator
@inline
function seekWord(word: Word, lead: Cursor): void {
  for (let list: u32 = 0; list < word.cursorCount; list++) {
    const cursor = cursorOf(word, list);
    if (cursor !== lead) seekRange(cursor);
  }
}

/** Evaluates the present window of the span, block `block` of list `leader`, entered anew. */
function enterWindow(base: usize, leader: u32, block: u32): void {
  const lead = cursorOf(wordAt(base, 0), leader);
  enterBlock(base, lead, block);
  lead.isAbsent = 0;
  const from = <u32>(lead.previousDoc + 1);
  if (!boundWindow(base, leader, lead.bound, from, lead.lastDoc)) return;
  for (let index = excludedStart(); index < excludedEnd(); index++) {
    const word = wordAt(base, index);
    for (let list: u32 = 0; list < word.cursorCount; list++) boundOver(base, cursorOf(word, list), from, lead.lastDoc);
  }
  for (let index: u32 = 0; index < wordCount(); index++) seekWord(wordAt(base, index), lead);
  evaluateWindow(base, leader);
}

/** All blocks of list `leader` of the leading word, span after span, in a span by falling bound; false when the time is up. */
function evaluateBlocks(base: usize, leader: u32, k: u32): bool {
  const lead = cursorOf(wordAt(base, 0), leader);
  let steps: u32 = 0;
  for (let first: u32 = 0; first < lead.blockCount; first += SPAN_WINDOWS) {
    const count = boundSpan(base, leader, first, min<u32>(SPAN_WINDOWS, lead.blockCount - first));
    orderWindows(base, count);
    isKnown = true;
    for (let i: u32 = 0; i < count && !hasOverflown(); i++) {
      if (k === 0 && counted >= wanted) return true;
      if (steps++ % CLOCK_INTERVAL === 0 && isLate() !== 0) return false;
      window = windowInOrder(base, i);
      if (!isOnePhrase() && counted >= wanted && boundOfWindow(base, window) < threshold()) continue;
      enterWindow(base, leader, first + window);
    }
  }
  return true;
}

/** Each list of the leading word leads once: a document that several of them hold is a candidate of the first. */
function evaluateLists(base: usize, k: u32): bool {
  const leading = wordAt(base, 0);
  for (let leader: u32 = 0; leader < leading.cursorCount && !hasOverflown(); leader++) {
    if (!evaluateBlocks(base, leader, k)) return false;
  }
  return true;
}

/**
 * "All of the words", with phrases, optional and excluded words: the k best. Blocks of the rarest word by falling bound, whose
 * postings are scored first and thinned out by the bounds of the others; then word after word over those left (the way of
 * Tantivy's block_wand_intersection, with the bounds of groups of 16). Exact. Twins: search/conjunction.ts, and
 * search/exhaustive.ts as the oracle of both. Returns DONE or UNKNOWN.
 */
export function allOf(base: usize): u32 {
  findTerms(base);
  const query = base + QUERY;
  const k = wordOf(query, QUERY_K);
  allowed = wordOf(query, QUERY_ALLOWED);
  staticBounds = header(HEADER_STATIC_BOUNDS);
  staticScores = staticBounds === 0 ? 0 : header(HEADER_STATIC_SCORES);
  wanted = wordOf(query, QUERY_COUNT);
  counted = 0;
  const state = openWords(base);
  if (state === TOO_MANY || (state === OPENED && requiredCount() === 0)) return UNKNOWN;
  startCandidates(isOnePhrase());
  startPhrases();
  startHits(base, k, k === 0 ? 0xffffffff : wordOf(query, QUERY_THRESHOLD));
  const hopeless = state === OPENED && isHopeless(base);
  const inTime = state === NO_MATCH || evaluateLists(base, k);
  if (hasOverflown()) return UNKNOWN;
  setWord(query, QUERY_COUNT, min<u32>(counted, wanted));
  setWord(query, QUERY_HOPELESS, <u32>hopeless);
  setWord(query, QUERY_LATE, <u32>!inTime);
  setWord(query, QUERY_THRESHOLD, threshold());
  setWord(query, QUERY_HIT_COUNT, finishHits());
  return DONE;
}
