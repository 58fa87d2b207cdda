import { ROWS_FREQUENCIES, ROWS_OTHERS } from '../../search-layout.ts';
import { candidateCount, candidateDoc, candidateRow, candidateScore, candidateSlot, rowsHaveOthers } from './candidates.ts';
import { PHRASE_FREQUENCIES, WORD_FREQUENCIES } from './conjunction-layout.ts';
import { SLOT_BYTES } from './decode-others.ts';
import { impactOfOne } from './impact-of-one.ts';
import { Cursor } from './list-cursor.ts';
import { countOccurrences, mostOccurrences } from './phrase-occurrences.ts';
import { BODY, FIELD_COUNT, savePlace, startPlaces } from './phrase-places.ts';
import { hasOverflown, wordFrequency } from './phrase-positions.ts';
import { isPhraseCovered, phraseCount, requiredCount, scoresPhrases, wordAt, wordsOfPhrase } from './query-words.ts';
import { setWord } from './words.ts';

/** Above all scores: a phrase does not stand there, or the candidate cannot reach what is needed. */
export const NOWHERE: u32 = 0xffffffff;
const MAX_IMPACT: u32 = 65535;
/** Frequencies of a phrase, six words. */
const PHRASE_BYTES: u32 = 24;

/** What the words, bits of the order of words, score together with the same impact. */
function scoreOf(base: usize, words: u64, impact: u32): u32 {
  let score: u32 = 0;
  for (let rest = words; rest !== 0; rest &= rest - 1) {
    score += (wordAt(base, <u32>ctz(rest)).termWeight * impact) >>> 7;
  }
  return score;
}

/** The least impact with which the one phrase scores `need`; above all impacts when none does. */
export function leastImpact(base: usize, need: u32): u32 {
  const words = wordsOfPhrase(base, 1);
  let low: u32 = 0;
  let high: u32 = MAX_IMPACT + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (scoreOf(base, words, middle) < need) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Frequencies of a phrase by field. */
// @ts-ignore: decorator
@inline
function phraseFrequencies(base: usize, phrase: u32): usize {
  return base + PHRASE_FREQUENCIES + (phrase - 1) * PHRASE_BYTES;
}

/** The leading list of a window, whose block is at hand while its candidates are finished. */
export function startWindowPhrases(base: usize, lead: Cursor): void {
  if (wordAt(base, 0).phrase !== 0) startPlaces(lead, candidateCount());
}

/** Keeps where the leading list stands in the candidate. */
function saveLead(base: usize, lead: Cursor, slot: u32): void {
  if (wordAt(base, 0).phrase !== 0) savePlace(base, lead, slot, slot);
}

/** The candidate's least frequencies of all words, by field, out of its column of the rows; false when the words share no field. */
function takeColumn(base: usize, index: u32, frequencies: usize): bool {
  const row = candidateRow(base, index);
  const body = load<u32>(row, ROWS_FREQUENCIES);
  v128.store(frequencies, i32x4.splat(0));
  store<u64>(frequencies, 0, 16);
  setWord(frequencies, BODY, body);
  let any = body;
  if (!rowsHaveOthers()) return any > 0;
  for (let field: u32 = 0; field < FIELD_COUNT; field++) {
    if (field === BODY) continue;
    const frequency = load<u32>(row + (field < BODY ? field : field - 1) * SLOT_BYTES, ROWS_OTHERS);
    setWord(frequencies, field, frequency);
    any |= frequency;
  }
  return any > 0;
}

/**
 * The score of a candidate of one phrase, whose score so far is the impact that it would have if it stood as often as its rarest
 * word. `fixed`: its static score. NOWHERE when the phrase does not stand there, or cannot reach `need`.
 */
export function scoreOnePhrase(base: usize, lead: Cursor, index: u32, fixed: u32, need: u32): u32 {
  const words = wordsOfPhrase(base, 1);
  if (need > 0 && fixed + scoreOf(base, words, candidateScore(base, index)) < need) return NOWHERE;
  const slot = candidateSlot(base, index);
  const frequencies = phraseFrequencies(base, 1);
  if (!takeColumn(base, index, frequencies)) return NOWHERE;
  if (!isPhraseCovered()) {
    saveLead(base, lead, slot);
    if (!countOccurrences(base, words, slot, frequencies, false) || hasOverflown()) return NOWHERE;
  }
  return fixed + scoreOf(base, words, impactOfOne(base, candidateDoc(base, index), frequencies));
}

/** What the words of all phrases score by their own occurrences in the candidate. */
function wordsScore(base: usize, doc: u32, slot: u32): u32 {
  let score: u32 = 0;
  for (let index: u32 = 0; index < requiredCount(); index++) {
    const word = wordAt(base, index);
    if (word.phrase === 0) continue;
    const frequencies = base + WORD_FREQUENCIES;
    for (let field: u32 = 0; field < FIELD_COUNT; field++) {
      setWord(frequencies, field, wordFrequency(base, word, slot, field));
    }
    score += (word.termWeight * impactOfOne(base, doc, frequencies)) >>> 7;
  }
  return score;
}

/**
 * What the phrases would score if they stood as often as their words allow, 0 unless `needsScore`; NOWHERE when one cannot
 * stand in the candidate.
 */
function phrasesBound(base: usize, doc: u32, slot: u32, needsScore: bool): u32 {
  let score: u32 = 0;
  for (let phrase: u32 = 1; phrase <= phraseCount(); phrase++) {
    const words = wordsOfPhrase(base, phrase);
    const frequencies = phraseFrequencies(base, phrase);
    if (!mostOccurrences(base, words, slot, frequencies)) return NOWHERE;
    if (needsScore) score += scoreOf(base, words, impactOfOne(base, doc, frequencies));
  }
  return score;
}

/** Reads positions, behind phrasesBound: what the phrases score by their own occurrences, NOWHERE when one does not stand in the candidate. */
function phrasesScore(base: usize, doc: u32, slot: u32): u32 {
  let score: u32 = 0;
  for (let phrase: u32 = 1; phrase <= phraseCount(); phrase++) {
    const words = wordsOfPhrase(base, phrase);
    const frequencies = phraseFrequencies(base, phrase);
    if (!countOccurrences(base, words, slot, frequencies, !scoresPhrases())) return NOWHERE;
    if (scoresPhrases()) score += scoreOf(base, words, impactOfOne(base, doc, frequencies));
  }
  return score;
}

/**
 * The score of a candidate of words and phrases that scores `score` with all its words. Where phrases score by themselves, that
 * takes the place of their words' parts. NOWHERE when a phrase does not stand there, or the candidate cannot reach `need`.
 */
export function scoreWithPhrases(base: usize, lead: Cursor, index: u32, score: u32, need: u32): u32 {
  if (score < need) return NOWHERE;
  const doc = candidateDoc(base, index);
  const slot = candidateSlot(base, index);
  saveLead(base, lead, slot);
  const rest = scoresPhrases() ? score - wordsScore(base, doc, slot) : score;
  const bound = phrasesBound(base, doc, slot, scoresPhrases() && need > 0);
  if (bound === NOWHERE || (need > 0 && rest + bound < need)) return NOWHERE;
  const found = phrasesScore(base, doc, slot);
  return found === NOWHERE || hasOverflown() ? NOWHERE : rest + found;
}
