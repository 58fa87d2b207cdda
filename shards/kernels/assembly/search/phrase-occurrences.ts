import { FIRST_POSITIONS, OTHER_POSITIONS, PART_POSITIONS, PHRASE_ORDER } from './conjunction-layout.ts';
import { decodePositions } from './decode-positions.ts';
import { FIELD_COUNT, Place, placeOf, startIn } from './phrase-places.ts';
import { differencesOf, onlyListIn, readPositions, wordFrequency } from './phrase-positions.ts';
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

/** In what `orderWords` writes, bits of the number of the word; the rest is its frequency. */
const ORDER_BITS: u32 = 6;
const ORDER_MASK: u32 = 63;

// @ts-ignore: decorator
@inline
function entryOf(base: usize, word: u32, field: u32, slot: u32): u32 {
  return (wordFrequency(base, wordAt(base, word), slot, field) << ORDER_BITS) | word;
}

/** Puts entries `place` and `place + 1` in order, without a branch: which word is the rarer one changes from document to document. */
// @ts-ignore: decorator
@inline
function orderPair(order: usize, place: u32): void {
  const first = wordOf(order, place);
  const second = wordOf(order, place + 1);
  setWord(order, place, min<u32>(first, second));
  setWord(order, place + 1, max<u32>(first, second));
}

/** Puts the words, bits of the order of words, in order of rising frequency in the field at PHRASE_ORDER; returns how many they are. */
function orderWords(base: usize, words: u64, field: u32, slot: u32): u32 {
  const order = base + PHRASE_ORDER;
  let count: u32 = 0;
  for (let rest = words; rest !== 0; rest &= rest - 1) {
    setWord(order, count, entryOf(base, <u32>ctz(rest), field, slot));
    for (let place = count++; place > 0; place--) orderPair(order, place - 1);
  }
  return count;
}

/** How often the words stand at their distances: begins with the word that occurs least often and intersects. */
function occurrencesIn(base: usize, words: u64, field: u32, slot: u32): u32 {
  const order = base + PHRASE_ORDER;
  const wordCount = orderWords(base, words, field, slot);
  const least = wordOf(order, 0) >>> ORDER_BITS;
  if (least <= FEW_POSITIONS && wordOf(order, wordCount - 1) >>> ORDER_BITS <= PART_POSITIONS) {
    const few = fewOccurrences(base, wordCount, field, slot);
    if (few >= 0) return few;
  }
  const kept = base + FIRST_POSITIONS;
  const first = wordAt(base, wordOf(order, 0) & ORDER_MASK);
  let count = readPositions(base, first, slot, field, kept);
  for (let place: u32 = 1; place < wordCount && count > 0; place++) {
    const word = wordAt(base, wordOf(order, place) & ORDER_MASK);
    count = intersect(base, kept, count, word, slot, field, <i32>(word.offset - first.offset));
  }
  return count;
}

/** So many positions fit into a register. */
const FEW_POSITIONS: u32 = 4;

/** All ones in the lanes from `count` on. */
// @ts-ignore: decorator
@inline
function lanesFrom(count: u32): v128 {
  return i32x4.ge_s(i32x4(0, 1, 2, 3), i32x4.splat(count));
}

/** Sums of the first one, two, three and four lanes. */
// @ts-ignore: decorator
@inline
function prefixSums(values: v128): v128 {
  const pairs = i32x4.add(values, v128.shuffle<i32>(i32x4.splat(0), values, 0, 4, 5, 6));
  return i32x4.add(pairs, v128.shuffle<i32>(i32x4.splat(0), pairs, 0, 1, 4, 5));
}

/** All ones in the lanes of `sought` that are among the `count` positions of which `differences` are given, all at most `last` then. */
function among(sought: v128, last: u32, differences: usize, count: u32): v128 {
  let found = i32x4.splat(0);
  let before = i32x4.splat(0);
  for (let done: u32 = 0; done < count; done += 4) {
    let positions = i32x4.add(prefixSums(v128.load(differences + (done << 2))), before);
    if (count - done < 4) positions = v128.or(positions, lanesFrom(count - done));
    const same = v128.or(
      i32x4.eq(positions, sought),
      i32x4.eq(v128.shuffle<i32>(positions, positions, 1, 2, 3, 0), sought),
    );
    const turned = v128.shuffle<i32>(positions, positions, 2, 3, 0, 1);
    const others = v128.or(
      i32x4.eq(turned, sought),
      i32x4.eq(v128.shuffle<i32>(turned, turned, 1, 2, 3, 0), sought),
    );
    found = v128.or(found, v128.or(same, others));
    if (<u32>i32x4.extract_lane(positions, 3) >= last) break;
    before = v128.shuffle<i32>(positions, positions, 3, 3, 3, 3);
  }
  return found;
}

/** As occurrencesIn, behind orderWords, where the rarest word has few positions; -1 when a word's positions are those of several lists. */
function fewOccurrences(base: usize, wordCount: u32, field: u32, slot: u32): i32 {
  const order = base + PHRASE_ORDER;
  let held = i32x4.splat(-1);
  let positions = held;
  let last: u32 = 0;
  let offset: u32 = 0;
  for (let place: u32 = 0; place < wordCount; place++) {
    const entry = wordOf(order, place);
    const frequency = entry >>> ORDER_BITS;
    const word = wordAt(base, entry & ORDER_MASK);
    const list = onlyListIn(base, word, slot, field);
    if (list < 0) return -1;
    const cursor = cursorOf(word, list);
    const differences = differencesOf(base, cursor, placeOf(base, cursor, slot), field, frequency, base + OTHER_POSITIONS);
    if (place === 0) {
      positions = prefixSums(v128.load(differences));
      held = v128.not(lanesFrom(frequency));
      v128.store(base + FIRST_POSITIONS, positions);
      last = wordOf(base + FIRST_POSITIONS, frequency - 1);
      offset = word.offset;
      continue;
    }
    const distance = word.offset - offset;
    const sought = i32x4.add(positions, i32x4.splat(distance));
    held = v128.and(held, i32x4.ge_s(sought, i32x4.splat(0)));
    held = v128.and(held, among(sought, last + distance, differences, frequency));
    if (!v128.any_true(held)) return 0;
  }
  return popcnt(i32x4.bitmask(held));
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
