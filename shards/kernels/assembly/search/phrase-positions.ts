import {
  BLOCK_POSITIONS,
  BLOCK_POSITIONS_BYTES,
  BLOCK_POSITIONS_LISTS,
  MAX_BLOCK_POSITIONS,
  MAX_POSITIONS,
  MERGED_POSITIONS,
} from './conjunction-layout.ts';
import { addUp, decodeDifferences } from './decode-positions.ts';
import { Cursor } from './list-cursor.ts';
import { frequencyIn, Place, placeOf, startIn } from './phrase-places.ts';
import { cursorOf, Word } from './query-words.ts';
import { setWord, wordOf } from './words.ts';

/** One candidate's positions read alone cost about as much as so many of a whole block. */
const POSITIONS_A_READING: u32 = 24;
const BLOCK_SLACK_BYTES: usize = 64;

/** Set when a document has more positions in one field than there is room for: then the scalar evaluation must answer. */
let overflows = false;

export function startPhrases(): void {
  overflows = false;
}

export function hasOverflown(): bool {
  return overflows;
}

/** How often the list stands in the field of the candidate. */
// @ts-ignore: decorator
@inline
function listFrequency(base: usize, cursor: Cursor, slot: u32, field: u32): u32 {
  return cursor.isAbsent !== 0 ? 0 : frequencyIn(placeOf(base, cursor, slot), field);
}

/** How often the word stands in the field of the candidate; where its lists name a position twice it counts twice. */
// @ts-ignore: decorator
@inline
export function wordFrequency(base: usize, word: Word, slot: u32, field: u32): u32 {
  let sum = listFrequency(base, cursorOf(word, 0), slot, field);
  for (let index: u32 = 1; index < word.cursorCount; index++) sum += listFrequency(base, cursorOf(word, index), slot, field);
  return sum;
}

/** Differences of the positions of the place's block, decoded when they are not yet. */
function blockDifferences(base: usize, cursor: Cursor, place: Place): usize {
  const differences = base + BLOCK_POSITIONS + cursor.index * BLOCK_POSITIONS_BYTES + BLOCK_SLACK_BYTES;
  if (cursor.positionsBlock !== place.block) {
    decodeDifferences(place.block, place.total, 0, place.total, differences);
    cursor.positionsBlock = place.block;
  }
  return differences;
}

/** Whether it pays to decode all of the block's positions at once. */
// @ts-ignore: decorator
@inline
function isShared(cursor: Cursor, place: Place): bool {
  return (
    place.sharers * POSITIONS_A_READING >= place.total &&
    place.total <= MAX_BLOCK_POSITIONS &&
    cursor.index < BLOCK_POSITIONS_LISTS
  );
}

/**
 * Address of the differences of the `frequency` positions of one list in the field, decoded at `target` unless its whole block is
 * decoded.
 */
// @ts-ignore: decorator
@inline
export function differencesOf(base: usize, cursor: Cursor, place: Place, field: u32, frequency: u32, target: usize): usize {
  const start = startIn(place, field);
  if (isShared(cursor, place)) return blockDifferences(base, cursor, place) + (<usize>start << 2);
  decodeDifferences(place.block, place.total, start, frequency, target);
  return target;
}

/** Writes the `frequency` positions of one list in the field, with 0xffffffff four times behind them. */
function readList(base: usize, cursor: Cursor, place: Place, field: u32, frequency: u32, target: usize): void {
  addUp(differencesOf(base, cursor, place, field, frequency, target), target, frequency, 0);
}

/** The only list of the word that stands in the field of the candidate; -1 when there are several, or none. */
export function onlyListIn(base: usize, word: Word, slot: u32, field: u32): i32 {
  if (word.cursorCount === 1) return 0;
  let only: i32 = -1;
  for (let index: u32 = 0; index < word.cursorCount; index++) {
    if (listFrequency(base, cursorOf(word, index), slot, field) === 0) continue;
    if (only >= 0) return -1;
    only = index;
  }
  return only;
}

/** Merges the rising `added` into the `count` rising positions at `target`, from behind, equal ones once; returns how many there are. */
function mergeInto(target: usize, count: u32, added: usize, addedCount: u32): u32 {
  let from: i32 = count - 1;
  let other: i32 = addedCount - 1;
  let to: i32 = count + addedCount - 1;
  while (other >= 0) {
    const takesOther = from < 0 || wordOf(target, from) <= wordOf(added, other);
    setWord(target, to--, takesOther ? wordOf(added, other--) : wordOf(target, from--));
  }
  const total = count + addedCount;
  let kept: u32 = 1;
  for (let i: u32 = 1; i < total; i++) {
    const position = wordOf(target, i);
    setWord(target, kept, position);
    kept += <u32>(position !== wordOf(target, kept - 1));
  }
  v128.store(target + (<usize>kept << 2), i32x4.splat(-1));
  return kept;
}

function readMerged(base: usize, word: Word, slot: u32, field: u32, target: usize): u32 {
  let count: u32 = 0;
  for (let index: u32 = 0; index < word.cursorCount; index++) {
    const cursor = cursorOf(word, index);
    const frequency = listFrequency(base, cursor, slot, field);
    if (frequency === 0) continue;
    readList(base, cursor, placeOf(base, cursor, slot), field, frequency, count === 0 ? target : base + MERGED_POSITIONS);
    count = count === 0 ? frequency : mergeInto(target, count, base + MERGED_POSITIONS, frequency);
  }
  return count;
}

/**
 * Writes the rising positions of a word that stands in the field of the candidate to `target`, with 0xffffffff four times behind
 * them; returns how many they are, 0 when there are too many.
 */
export function readPositions(base: usize, word: Word, slot: u32, field: u32, target: usize): u32 {
  const frequency = wordFrequency(base, word, slot, field);
  if (frequency > MAX_POSITIONS) {
    overflows = true;
    return 0;
  }
  const only = onlyListIn(base, word, slot, field);
  if (only < 0) return readMerged(base, word, slot, field, target);
  const cursor = cursorOf(word, only);
  readList(base, cursor, placeOf(base, cursor, slot), field, frequency, target);
  return frequency;
}
