import { FIRST_POSITIONS, OTHER_POSITIONS, PART_POSITIONS } from './conjunction-layout.ts';
import { decodePositions } from './decode-positions.ts';
import { FIELD_COUNT, Place, placeOf, startIn } from './phrase-places.ts';
import { readPositions, wordFrequency } from './phrase-positions.ts';
import { cursorOf, Word, wordAt } from './query-words.ts';
import { setWord, wordOf } from './words.ts';

/**
 * Positions at `kept` that were looked at in the other list so far, and how many of them stay: it comes in parts, and those
 * that lie behind what is needed are never decoded.
 */
let looked: u32 = 0;
let stays: u32 = 0;

/**
 * Goes on with the `count` rising positions p at `kept`: those for which the part of the other list, `length` positions and a
 * mark larger than all, holds p + distance stay. Works in place; stops at the end of the part.
 */
function intersectPart(kept: usize, count: u32, part: usize, length: u32, distance: i32): void {
  const last = wordOf(part, length - 1);
  let other = part;
  for (; looked < count; looked++) {
    const position = wordOf(kept, looked);
    const sought = <i32>position + distance;
    if (sought < 0) continue;
    if (<u32>sought > last) return;
    while (load<u32>(other, 12) < <u32>sought) other += 16;
    const below = i32x4.bitmask(i32x4.lt_u(v128.load(other), i32x4.splat(sought)));
    store<u32>(kept + (stays << 2), position);
    stays += <u32>(load<u32>(other + (popcnt(below) << 2)) === <u32>sought);
  }
}

/** Intersects with a long list, which is decoded part by part and not behind what is needed. */
function intersectParts(kept: usize, count: u32, place: Place, field: u32, frequency: u32, distance: i32, part: usize): void {
  const start = startIn(place, field);
  let before: u32 = 0;
  for (let done: u32 = 0; done < frequency && looked < count; done += PART_POSITIONS) {
    const length = min<u32>(PART_POSITIONS, frequency - done);
    decodePositions(place.block, place.total, start + done, length, before, part);
    intersectPart(kept, count, part, length, distance);
    before = wordOf(part, length - 1);
  }
}

/** Keeps of the positions p at `kept` those for which the word stands at p + distance in the field; returns how many. */
function intersect(base: usize, kept: usize, count: u32, word: Word, slot: u32, field: u32, distance: i32): u32 {
  const others = base + OTHER_POSITIONS;
  looked = 0;
  stays = 0;
  const frequency = wordFrequency(base, word, slot, field);
  if (frequency > PART_POSITIONS && word.cursorCount === 1) {
    intersectParts(kept, count, placeOf(base, cursorOf(word, 0), slot), field, frequency, distance, others);
  } else {
    const length = readPositions(base, word, slot, field, others);
    if (length > 0) intersectPart(kept, count, others, length, distance);
  }
  return stays;
}

/** The word of the phrase that occurs least often in the field, of those whose bit is set in `words`. */
function rarestOf(base: usize, words: u64, field: u32, slot: u32): u32 {
  let rarest: u32 = 0;
  let least: u32 = 0xffffffff;
  for (let rest = words; rest !== 0; rest &= rest - 1) {
    const word = <u32>ctz(rest);
    const frequency = wordFrequency(base, wordAt(base, word), slot, field);
    if (frequency < least) {
      least = frequency;
      rarest = word;
    }
  }
  return rarest;
}

/** How often the words stand at their distances: begins with the word that occurs least often and intersects. */
function occurrencesIn(base: usize, words: u64, field: u32, slot: u32): u32 {
  const kept = base + FIRST_POSITIONS;
  const first = rarestOf(base, words, field, slot);
  const offset = wordAt(base, first).offset;
  let count = readPositions(base, wordAt(base, first), slot, field, kept);
  for (let rest = words & ~(<u64>1 << first); rest !== 0 && count > 0; ) {
    const next = rarestOf(base, rest, field, slot);
    rest &= ~(<u64>1 << next);
    const word = wordAt(base, next);
    count = intersect(base, kept, count, word, slot, field, <i32>(word.offset - offset));
  }
  return count;
}

/**
 * At `frequencies` (u32 x 6, by field) the most times that the words can stand at their distances in each field of the
 * candidate, as often as the rarest of them stands there. False when they share no field.
 */
export function mostOccurrences(base: usize, words: u64, slot: u32, frequencies: usize): bool {
  let shared = false;
  for (let field: u32 = 0; field < FIELD_COUNT; field++) {
    let least: u32 = 0xffffffff;
    for (let rest = words; rest !== 0 && least > 0; rest &= rest - 1) {
      least = min<u32>(least, wordFrequency(base, wordAt(base, <u32>ctz(rest)), slot, field));
    }
    setWord(frequencies, field, least);
    if (least > 0) shared = true;
  }
  return shared;
}

/**
 * Replaces what mostOccurrences left at `frequencies` by how often the words, bits of the order of cursors, do stand at their
 * distances. With `firstOnly` it stops at the first field where they do. False when they do in none. Twin: search/phrase.ts.
 */
export function countOccurrences(base: usize, words: u64, slot: u32, frequencies: usize, firstOnly: bool): bool {
  let found = false;
  for (let field: u32 = 0; field < FIELD_COUNT; field++) {
    if (wordOf(frequencies, field) === 0) continue;
    const count = occurrencesIn(base, words, field, slot);
    setWord(frequencies, field, count);
    if (count === 0) continue;
    if (firstOnly) return true;
    found = true;
  }
  return found;
}
