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
  QUERY_TERM_COUNT,
  QUERY_THRESHOLD,
  ROLE_EXCLUDED,
  ROLE_OPTIONAL,
  ROLE_REQUIRED,
  SCORER,
  SCORER_OTHERS_WEIGH,
  SCORER_SCORES_PHRASES,
  TERM_BYTES,
  TERM_DOC_COUNT,
  TERM_DOCS,
  TERM_FIRST_RECORD,
  TERM_GROUP,
  TERM_OFFSET,
  TERM_PHRASE,
  TERM_POSITIONS,
  TERM_RECORD_COUNT,
  TERM_ROLE,
  TERM_WEIGHT,
  TERMS,
} from '../../search-layout.ts';
import {
  addOptional,
  candidateCount,
  candidateDoc,
  candidateScore,
  candidateSlot,
  dropHeld,
  keepHeld,
  startCandidates,
  takeLead,
} from './candidates.ts';
import {
  BOUND_CLASSES,
  CURSOR_BYTES,
  CURSOR_ORDER,
  CURSORS,
  MAX_CURSORS,
  PHRASE_FREQUENCIES,
  PHRASE_WORDS,
  SPAN_WINDOWS,
  WINDOW_BOUNDS,
  WINDOW_ORDER,
} from './conjunction-layout.ts';
import { isLate } from './environment.ts';
import { findTerms } from './find-terms.ts';
import { impactOfOne } from './impact-of-one.ts';
import { boundOver, Cursor, ENDED, enterBlock, loadDocs, openCursor, seekRange } from './list-cursor.ts';
import { countOccurrences, hasOverflown, mostOccurrences, startPhrases } from './phrase-occurrences.ts';
import { frequenciesOf, placeOf, savePlace } from './phrase-places.ts';
import { finishHits, offerHit, startHits, threshold } from './top-hits.ts';
import { header, setWord, wordOf } from './words.ts';

/** Answers of a kernel. */
const DONE: u32 = 0;
/** The query is of a kind that the kernel does not know; nothing was done. */
const UNKNOWN: u32 = 1;

const MAX_IMPACT: u32 = 65535;
/** Frequencies of a phrase, six words. */
const PHRASE_BYTES: u32 = 24;
/** With this weight a list adds its impact. */
const IMPACT_WEIGHT: u32 = 128;
/** Above all scores: the phrase does not stand there. */
const NOWHERE: u32 = 0xffffffff;

/** Classes of bounds by which windows are put in order. */
const CLASS_BITS: u32 = 8;
const CLASSES: u32 = 256;

/** Blocks of the lead between two looks at the clock. */
const CLOCK_INTERVAL: u32 = 16;
/** Documents that one static bound covers, as a power of two. */
const STATIC_BOUND_BITS: u32 = 10;

let allowed: usize = 0;
let staticScores: usize = 0;
let staticBounds: usize = 0;
/** Cursors in the order in which they are asked: required ones, rarest first, then excluded, then optional ones. */
let requiredCount: u32 = 0;
let excludedEnd: u32 = 0;
let cursorCount: u32 = 0;
let phraseCount: u32 = 0;
/** Whether a phrase scores as one term, by its own occurrences. */
let scoresPhrases = false;
/**
 * Whether the query is one phrase that scores as one term: then its impact is at most that of each of its words, so that the
 * least one bounds it, and lists are compared by their impacts.
 */
let isOnePhrase = false;
/** Most that a document of the present window can reach; an impact for one phrase, else a score. */
let windowBound: u32 = 0;
let staticBound: u32 = 0;
/** The threshold under which the present window's candidates were chosen. */
let windowThreshold: u32 = 0;
/** Matches that are worth counting, and those counted. */
let wanted: u32 = 0;
let counted: u32 = 0;

// @ts-ignore: decorator
@inline
function cursorAt(base: usize, index: u32): Cursor {
  return changetype<Cursor>(wordOf(base + CURSOR_ORDER, index));
}

function fillCursor(base: usize, cursor: Cursor, term: usize): void {
  cursor.termWeight = wordOf(term, TERM_WEIGHT);
  cursor.weight = isOnePhrase ? IMPACT_WEIGHT : cursor.termWeight;
  cursor.docCount = wordOf(term, TERM_DOC_COUNT);
  cursor.postings = wordOf(term, TERM_DOCS);
  cursor.positions = wordOf(term, TERM_POSITIONS);
  cursor.recordCount = wordOf(term, TERM_RECORD_COUNT);
  cursor.firstRecord = wordOf(term, TERM_FIRST_RECORD);
  cursor.phrase = wordOf(term, TERM_PHRASE);
  cursor.offset = wordOf(term, TERM_OFFSET);
  cursor.needsOthers = <u32>(cursor.phrase !== 0 || load<u32>(base + SCORER + SCORER_OTHERS_WEIGH) !== 0);
  cursor.index = cursorCount;
  if (cursor.phrase > phraseCount) phraseCount = cursor.phrase;
}

/** Puts the cursor behind those of at most as many documents from place `first` of the order on. */
function insertByLength(base: usize, cursor: Cursor, first: u32): void {
  const order = base + CURSOR_ORDER;
  let place = cursorCount;
  for (; place > first && cursorAt(base, place - 1).docCount > cursor.docCount; place--) {
    setWord(order, place, wordOf(order, place - 1));
  }
  setWord(order, place, <u32>changetype<usize>(cursor));
}

const OPENED: u32 = 0;
const NO_MATCH: u32 = 1;
const TOO_MANY: u32 = 2;

/** Cursors for the terms of one role. Of a group that is not excluded the segment may hold one term at most. */
function openRole(base: usize, role: u32): u32 {
  const first = cursorCount;
  const terms = wordOf(base + QUERY, QUERY_TERM_COUNT);
  let found: u32 = 0;
  for (let i: u32 = 0; i < terms; i++) {
    const term = base + TERMS + i * TERM_BYTES;
    if (wordOf(term, TERM_ROLE) !== role) continue;
    const group = wordOf(term, TERM_GROUP);
    if (i === 0 || wordOf(term - TERM_BYTES, TERM_GROUP) !== group) found = 0;
    if (wordOf(term, TERM_DOC_COUNT) > 0) {
      if ((found++ > 0 && role !== ROLE_EXCLUDED) || cursorCount === MAX_CURSORS) return TOO_MANY;
      const cursor = changetype<Cursor>(base + CURSORS + cursorCount * CURSOR_BYTES);
      fillCursor(base, cursor, term);
      openCursor(base, cursor);
      insertByLength(base, cursor, first);
      cursorCount++;
    }
    const isLast = i + 1 === terms || wordOf(term + TERM_BYTES, TERM_GROUP) !== group;
    if (isLast && found === 0 && role === ROLE_REQUIRED) return NO_MATCH;
  }
  return OPENED;
}

/** Whether the words are those of one phrase, and phrases score as one term. */
function asksOnePhrase(base: usize): bool {
  if (!scoresPhrases) return false;
  const terms = wordOf(base + QUERY, QUERY_TERM_COUNT);
  for (let i: u32 = 0; i < terms; i++) {
    const term = base + TERMS + i * TERM_BYTES;
    if (wordOf(term, TERM_ROLE) !== ROLE_EXCLUDED && wordOf(term, TERM_PHRASE) !== 1) return false;
  }
  return true;
}

function openAll(base: usize): u32 {
  scoresPhrases = load<u32>(base + SCORER + SCORER_SCORES_PHRASES) !== 0;
  isOnePhrase = asksOnePhrase(base);
  startCandidates(isOnePhrase);
  cursorCount = 0;
  phraseCount = 0;
  let state = openRole(base, ROLE_REQUIRED);
  requiredCount = cursorCount;
  gatherWords(base);
  if (state === OPENED) state = openRole(base, ROLE_EXCLUDED);
  excludedEnd = cursorCount;
  if (state === OPENED) state = openRole(base, ROLE_OPTIONAL);
  return state;
}

function staticBoundOver(from: u32, to: u32): u32 {
  if (staticBounds === 0) return 0;
  let largest: u32 = 0;
  for (let window = from >>> STATIC_BOUND_BITS; window <= to >>> STATIC_BOUND_BITS; window++) {
    largest = max<u32>(largest, wordOf(staticBounds, window));
  }
  return largest;
}

/** Bounds documents from..to: `windowBound`, and for each list what those behind it add. False when a list has ended. */
function boundWindow(base: usize, from: u32, to: u32): bool {
  staticBound = staticBoundOver(from, to);
  let sum: u32 = isOnePhrase ? 0 : staticBound;
  let least = cursorAt(base, 0).bound;
  for (let index = cursorCount - 1; index > 0; index--) {
    if (index >= requiredCount && index < excludedEnd) continue;
    const cursor = cursorAt(base, index);
    cursor.rest = isOnePhrase ? 0 : sum;
    const bound = boundOver(base, cursor, from, to);
    if (bound !== ENDED) {
      sum += bound;
      least = min<u32>(least, bound);
    } else if (index < requiredCount) {
      return false;
    }
  }
  const lead = cursorAt(base, 0);
  lead.rest = isOnePhrase ? 0 : sum;
  windowBound = isOnePhrase ? least : lead.bound + sum;
  return true;
}

/** What the words, bits of the order of cursors, score together with the same impact. */
function scoreOf(base: usize, words: u64, impact: u32): u32 {
  let score: u32 = 0;
  for (let rest = words; rest !== 0; rest &= rest - 1) {
    score += (cursorAt(base, <u32>ctz(rest)).termWeight * impact) >>> 7;
  }
  return score;
}

/** The least impact with which the one phrase scores `need`; above all impacts when none does. */
function leastImpact(base: usize, need: u32): u32 {
  const words = wordsOf(base, 1);
  let low: u32 = 0;
  let high: u32 = MAX_IMPACT + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (scoreOf(base, words, middle) < need) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a document of the present window must reach, in the unit of `windowBound`. */
function needOfWindow(base: usize): u32 {
  const need: u32 = counted < wanted ? 0 : threshold();
  windowThreshold = need;
  if (need === 0) return 0;
  if (!isOnePhrase) return need;
  return leastImpact(base, need > staticBound ? need - staticBound : 0);
}

/** Whether no document of the segment can reach the threshold that the query came with. */
function isHopeless(base: usize): bool {
  if (threshold() === 0) return false;
  const last = wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT) - 1;
  const lead = cursorAt(base, 0);
  const firstBound = lead.bound;
  lead.bound = boundOver(base, lead, 0, last);
  if (!boundWindow(base, 0, last)) return true;
  lead.bound = firstBound;
  return windowBound < needOfWindow(base);
}

/** Words of phrase `phrase` as bits of the order of cursors. */
// @ts-ignore: decorator
@inline
function wordsOf(base: usize, phrase: u32): u64 {
  return load<u64>(base + PHRASE_WORDS + ((phrase - 1) << 3));
}

function gatherWords(base: usize): void {
  for (let phrase: u32 = 1; phrase <= phraseCount; phrase++) {
    let words: u64 = 0;
    for (let index: u32 = 0; index < requiredCount; index++) {
      if (cursorAt(base, index).phrase === phrase) words |= <u64>1 << index;
    }
    store<u64>(base + PHRASE_WORDS + ((phrase - 1) << 3), words);
  }
}

/** Frequencies of a phrase by field. */
// @ts-ignore: decorator
@inline
function phraseFrequencies(base: usize, phrase: u32): usize {
  return base + PHRASE_FREQUENCIES + (phrase - 1) * PHRASE_BYTES;
}

/** What the words of all phrases score by their own occurrences in the candidate. */
function wordsScore(base: usize, doc: u32, slot: u32): u32 {
  let score: u32 = 0;
  for (let index: u32 = 0; index < requiredCount; index++) {
    const cursor = cursorAt(base, index);
    if (cursor.phrase === 0) continue;
    const impact = impactOfOne(base, doc, frequenciesOf(placeOf(base, cursor, slot)));
    score += (cursor.termWeight * impact) >>> 7;
  }
  return score;
}

/**
 * What the phrases would score if they stood as often as their words allow, 0 unless `needsScore`; NOWHERE when one cannot
 * stand in the candidate.
 */
function phrasesBound(base: usize, doc: u32, slot: u32, needsScore: bool): u32 {
  let score: u32 = 0;
  for (let phrase: u32 = 1; phrase <= phraseCount; phrase++) {
    const words = wordsOf(base, phrase);
    const frequencies = phraseFrequencies(base, phrase);
    if (!mostOccurrences(base, words, slot, frequencies)) return NOWHERE;
    if (needsScore) score += scoreOf(base, words, impactOfOne(base, doc, frequencies));
  }
  return score;
}

/** Reads positions, behind phrasesBound: what the phrases score by their own occurrences, NOWHERE when one does not stand in the candidate. */
function phrasesScore(base: usize, doc: u32, slot: u32): u32 {
  let score: u32 = 0;
  for (let phrase: u32 = 1; phrase <= phraseCount; phrase++) {
    const words = wordsOf(base, phrase);
    const frequencies = phraseFrequencies(base, phrase);
    if (!countOccurrences(base, words, slot, frequencies, !scoresPhrases)) return NOWHERE;
    if (scoresPhrases) score += scoreOf(base, words, impactOfOne(base, doc, frequencies));
  }
  return score;
}

/** Offers a candidate that scores `score` without its phrases, or with their words where these score by themselves. */
function offerWithPhrases(base: usize, doc: u32, slot: u32, score: u32): void {
  const lead = cursorAt(base, 0);
  if (lead.phrase !== 0) savePlace(base, lead, slot, slot);
  const rest = scoresPhrases && !isOnePhrase ? score - wordsScore(base, doc, slot) : score;
  // The words of one phrase have been compared with the window's threshold: only a higher one needs another look.
  const isChecked = isOnePhrase && threshold() === windowThreshold;
  const needsScore = scoresPhrases && counted >= wanted && !isChecked;
  const bound = phrasesBound(base, doc, slot, needsScore);
  if (bound === NOWHERE) return;
  if (counted >= wanted && !isChecked && rest + bound < threshold()) return;
  const found = phrasesScore(base, doc, slot);
  if (found === NOWHERE || hasOverflown()) return;
  counted++;
  offerHit(doc, rest + found);
}

/** Positions are read last, and only where the score could enter or the match has to be counted. */
function finishCandidates(base: usize): void {
  const count = candidateCount();
  for (let i: u32 = 0; i < count; i++) {
    const doc = candidateDoc(base, i);
    let score = candidateScore(base, i);
    if (staticScores !== 0) score += wordOf(staticScores, doc);
    if (!isOnePhrase && score < threshold() && counted >= wanted) continue;
    if (phraseCount > 0) {
      offerWithPhrases(base, doc, candidateSlot(base, i), score);
    } else {
      counted++;
      offerHit(doc, score);
    }
  }
}

/** One block of the lead. */
function evaluateWindow(base: usize, lead: Cursor): void {
  const need = needOfWindow(base);
  if (windowBound < need) return;
  loadDocs(lead);
  takeLead(base, lead, need, allowed);
  for (let index: u32 = 1; index < requiredCount && candidateCount() > 0; index++) keepHeld(base, cursorAt(base, index), need);
  for (let index = requiredCount; index < excludedEnd; index++) dropHeld(base, cursorAt(base, index));
  for (let index = excludedEnd; index < cursorCount && candidateCount() > 0; index++) addOptional(base, cursorAt(base, index), need);
  finishCandidates(base);
}

/** The lead's blocks from `first` on: bounds of those that may hold a match, and how many of them there are. */
function boundSpan(base: usize, lead: Cursor, first: u32, count: u32): u32 {
  for (let window: u32 = 0; window < count; window++) {
    enterBlock(base, lead, first + window);
    if (!boundWindow(base, lead.previousDoc + 1, lead.lastDoc)) return window;
    setWord(base + WINDOW_BOUNDS, window, windowBound);
  }
  return count;
}

/** Puts the windows in order of falling bound, by 256 classes of bounds, windows of a class by document. */
function orderWindows(base: usize, count: u32): void {
  const bounds = base + WINDOW_BOUNDS;
  const starts = base + BOUND_CLASSES;
  let largest: u32 = 0;
  for (let window: u32 = 0; window < count; window++) largest = max<u32>(largest, wordOf(bounds, window));
  const width = (largest >>> CLASS_BITS) + 1;
  memory.fill(starts, 0, (CLASSES + 1) << 2);
  for (let window: u32 = 0; window < count; window++) {
    const next = CLASSES - wordOf(bounds, window) / width;
    setWord(starts, next, wordOf(starts, next) + 1);
  }
  for (let next: u32 = 1; next < CLASSES; next++) setWord(starts, next, wordOf(starts, next) + wordOf(starts, next - 1));
  for (let window: u32 = 0; window < count; window++) {
    const own = CLASSES - 1 - wordOf(bounds, window) / width;
    const place = wordOf(starts, own);
    setWord(base + WINDOW_ORDER, place, window);
    setWord(starts, own, place + 1);
  }
}

/** Evaluates window `block` of the lead, entered anew. */
function enterWindow(base: usize, lead: Cursor, block: u32): void {
  enterBlock(base, lead, block);
  const from = <u32>(lead.previousDoc + 1);
  if (!boundWindow(base, from, lead.lastDoc)) return;
  for (let index = requiredCount; index < excludedEnd; index++) boundOver(base, cursorAt(base, index), from, lead.lastDoc);
  for (let index: u32 = 1; index < cursorCount; index++) seekRange(cursorAt(base, index));
  evaluateWindow(base, lead);
}

/** All blocks of the lead, span after span, in a span by falling bound; false when the time is up. */
function evaluateBlocks(base: usize, k: u32): bool {
  const lead = cursorAt(base, 0);
  let steps: u32 = 0;
  for (let first: u32 = 0; first < lead.blockCount; first += SPAN_WINDOWS) {
    const count = boundSpan(base, lead, first, min<u32>(SPAN_WINDOWS, lead.blockCount - first));
    orderWindows(base, count);
    for (let i: u32 = 0; i < count && !hasOverflown(); i++) {
      if (k === 0 && counted >= wanted) return true;
      if (steps++ % CLOCK_INTERVAL === 0 && isLate() !== 0) return false;
      const window = wordOf(base + WINDOW_ORDER, i);
      if (!isOnePhrase && counted >= wanted && wordOf(base + WINDOW_BOUNDS, window) < threshold()) continue;
      enterWindow(base, lead, first + window);
    }
  }
  return true;
}

/**
 * "All of the words", with phrases, optional and excluded words: the k best. Blocks of the rarest list by falling bound, whose
 * postings are scored first and thinned out by the bounds of the others; then list after list over those left (the way of
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
  const state = openAll(base);
  if (state === TOO_MANY || (state === OPENED && requiredCount === 0)) return UNKNOWN;
  startPhrases();
  startHits(base, k, k === 0 ? 0xffffffff : wordOf(query, QUERY_THRESHOLD));
  const hopeless = state === OPENED && isHopeless(base);
  const inTime = state === NO_MATCH || evaluateBlocks(base, k);
  if (hasOverflown()) return UNKNOWN;
  setWord(query, QUERY_COUNT, min<u32>(counted, wanted));
  setWord(query, QUERY_HOPELESS, <u32>hopeless);
  setWord(query, QUERY_LATE, <u32>!inTime);
  setWord(query, QUERY_THRESHOLD, threshold());
  setWord(query, QUERY_HIT_COUNT, finishHits());
  return DONE;
}
