import { ROWS_FREQUENCIES, ROWS_OTHERS } from '../../search-layout.ts';
import { positionsOffset } from './block-heads.ts';
import { candidateCount, candidateSlot } from './candidates.ts';
import { PLACE_BYTES, PLACES, PLACES_BYTES } from './conjunction-layout.ts';
import { SLOT_BYTES } from './decode-others.ts';
import { countOf, Cursor, loadFrequencies, loadStarts, rowsOf } from './list-cursor.ts';
import { wordOf } from './words.ts';

/** Fields in the order of their positions; the body is the fourth. */
export const FIELD_COUNT: u32 = 6;
export const BODY: u32 = 3;

/** Where a word of a phrase stands in a candidate, kept while the list goes on to other blocks. */
// @ts-ignore: decorator
@unmanaged
export class Place {
  /** Address of the positions of its block, and how many there are. */
  block: u32;
  total: u32;
  /** Of those, how many stand in front of the candidate's. */
  start: u32;
  /** Whether it stands in a field besides the body. */
  hasOthers: u32;
  /** Candidates of the window that were found in the same block. */
  sharers: u32;
}

/** Behind them: frequencies by field, u32 x 6; without others that of the body alone is valid. */
const FREQUENCIES: usize = 20;

// @ts-ignore: decorator
@inline
export function placeOf(base: usize, cursor: Cursor, slot: u32): Place {
  return changetype<Place>(base + PLACES + cursor.index * PLACES_BYTES + slot * PLACE_BYTES);
}

/** How often the list stands in the field. */
// @ts-ignore: decorator
@inline
export function frequencyIn(place: Place, field: u32): u32 {
  if (field !== BODY && place.hasOthers === 0) return 0;
  return load<u32>(changetype<usize>(place) + (field << 2), FREQUENCIES);
}

// @ts-ignore: decorator
@inline
function setFrequency(place: Place, field: u32, frequency: u32): void {
  store<u32>(changetype<usize>(place) + (field << 2), frequency, FREQUENCIES);
}

/** Notes of all candidates that they do not hold the list. */
export function clearPlaces(base: usize, cursor: Cursor): void {
  for (let i: u32 = 0; i < candidateCount(); i++) {
    const place = placeOf(base, cursor, candidateSlot(base, i));
    setFrequency(place, BODY, 0);
    place.hasOthers = 0;
  }
}

/** What the places of all postings of a block share. */
let block: u32 = 0;
let total: u32 = 0;
let sharers: u32 = 0;
let starts: usize = 0;
let withOthers = false;

/** Begins to save places in the present block of the list, of `found` candidates. */
export function startPlaces(cursor: Cursor, found: u32): void {
  starts = loadStarts(cursor);
  block = cursor.recordCount === 0 ? cursor.positions : cursor.positions + positionsOffset(cursor.head);
  total = wordOf(starts, countOf(cursor));
  sharers = found;
  withOthers = loadFrequencies(cursor);
}

/** Keeps where the list stands in the candidate `slot`, which is posting `index` of the block that startPlaces was told of. */
export function savePlace(base: usize, cursor: Cursor, index: u32, slot: u32): void {
  const place = placeOf(base, cursor, slot);
  place.block = block;
  place.start = wordOf(starts, index);
  place.total = total;
  place.sharers = sharers;
  const row = rowsOf(cursor) + (index << 2);
  setFrequency(place, BODY, load<u32>(row, ROWS_FREQUENCIES));
  place.hasOthers = 0;
  if (withOthers) saveOthers(place, row + ROWS_OTHERS);
}

function saveOthers(place: Place, row: usize): void {
  let any: u32 = 0;
  for (let field: u32 = 0; field < FIELD_COUNT; field++) {
    if (field === BODY) continue;
    const frequency = load<u32>(row + (field < BODY ? field : field - 1) * SLOT_BYTES);
    setFrequency(place, field, frequency);
    any |= frequency;
  }
  place.hasOthers = any;
}

/** Index in the block's positions of the first one in `field`. */
export function startIn(place: Place, field: u32): u32 {
  let start = place.start;
  if (place.hasOthers === 0) return start;
  for (let before: u32 = 0; before < field; before++) start += frequencyIn(place, before);
  return start;
}
