import { PACKED_VALUES, ROW_DOCS, ROW_FREQUENCIES, ROW_OTHERS } from '../../inversion-layout.ts';
import { putVarint, widthOf } from './words.ts';

const BLOCK_LENGTH: u32 = 128;
const OTHER_COUNT: u32 = 5;
/** Bytes of a column of rows. */
const COLUMN_BYTES: u32 = 512;

/** Set by encodeBlock: how the block is packed. Twin: packShape. */
let shape: u32 = 0;

export function shapeOfBlock(): u32 {
  return shape;
}

/** Union of the 128 values to be packed. */
function unionOfValues(): u32 {
  let union = i32x4.splat(0);
  for (let at: usize = 0; at < COLUMN_BYTES; at += 16) union = v128.or(union, v128.load(at + PACKED_VALUES));
  return (
    i32x4.extract_lane(union, 0) |
    i32x4.extract_lane(union, 1) |
    i32x4.extract_lane(union, 2) |
    i32x4.extract_lane(union, 3)
  );
}

/** Packs the values in four lanes; returns the address behind. Twin: packLanes in postings/bit-packing.ts. */
function packLanes(width: u32, target: usize): usize {
  if (width === 0) return target;
  let pending = i32x4.splat(0);
  let used: u32 = 0;
  for (let at: usize = 0; at < COLUMN_BYTES; at += 16) {
    const values = v128.load(at + PACKED_VALUES);
    pending = v128.or(pending, i32x4.shl(values, used));
    used += width;
    if (used < 32) continue;
    v128.store(target, pending);
    target += 16;
    used -= 32;
    pending = used === 0 ? i32x4.splat(0) : i32x4.shr_u(values, width - used);
  }
  return target;
}

function fillGaps(previousDoc: u32): void {
  let previous = previousDoc;
  for (let at: usize = 0; at < COLUMN_BYTES; at += 4) {
    const doc = load<u32>(at + ROW_DOCS);
    store<u32>(at + PACKED_VALUES, doc - previous - 1);
    previous = doc;
  }
}

/** 1 when every document has the term in the body, whose frequencies are then stored less 1. */
function fillFrequencies(): u32 {
  let least = u32.MAX_VALUE;
  for (let at: usize = 0; at < COLUMN_BYTES; at += 4) least = min(least, load<u32>(at + ROW_FREQUENCIES));
  const base: u32 = least > 0 ? 1 : 0;
  for (let at: usize = 0; at < COLUMN_BYTES; at += 16) {
    v128.store(at + PACKED_VALUES, i32x4.sub(v128.load(at + ROW_FREQUENCIES), i32x4.splat(base)));
  }
  return base;
}

/**
 * Codes the 128 rows at `target`, a multiple of 4 of the section; returns the address behind. `previousDoc`: last document
 * of the block before, or -1. Twin: encodeBlock in postings/block-codec.ts.
 */
export function encodeBlock(previousDoc: u32, hasOthers: bool, target: usize): usize {
  fillGaps(previousDoc);
  const docWidth = widthOf(unionOfValues());
  target = packLanes(docWidth, target);
  const base = fillFrequencies();
  const frequencyWidth = widthOf(unionOfValues());
  target = packLanes(frequencyWidth, target);
  shape = docWidth | (frequencyWidth << 5) | (base << 10);
  return hasOthers ? encodeOthers(target) : target;
}

function otherAt(slot: u32, index: u32): u32 {
  return load<u32>(ROW_OTHERS + slot * COLUMN_BYTES + (index << 2));
}

function hasOther(index: u32): bool {
  return (otherAt(0, index) | otherAt(1, index) | otherAt(2, index) | otherAt(3, index) | otherAt(4, index)) !== 0;
}

/** Five bits a slot: the width of its largest frequency. */
function otherWidths(): u32 {
  let widths: u32 = 0;
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
    let union: u32 = 0;
    for (let index: u32 = 0; index < BLOCK_LENGTH; index++) union |= otherAt(slot, index);
    widths |= widthOf(union) << (slot * 5);
  }
  return widths;
}

/** Twin: encodeOthers in postings/other-frequencies.ts; `kind` 1 is all, 2 masked. */
function encodeOthers(target: usize): usize {
  const widths = otherWidths();
  store<u32>(target, widths);
  const mask = target + 4;
  memory.fill(mask, 0, 16);
  let count: u32 = 0;
  for (let index: u32 = 0; index < BLOCK_LENGTH; index++) {
    if (!hasOther(index)) continue;
    const word = mask + ((index >>> 5) << 2);
    store<u32>(word, load<u32>(word) | (1 << (index & 31)));
    count++;
  }
  const isMasked = count < BLOCK_LENGTH;
  shape |= (isMasked ? 2 : 1) << 11;
  return putRecords(widths, isMasked ? mask + 16 : mask);
}

function putRecords(widths: u32, start: usize): usize {
  let target = start;
  let pending: u64 = 0;
  let used: u64 = 0;
  for (let index: u32 = 0; index < BLOCK_LENGTH; index++) {
    if (!hasOther(index)) continue;
    for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
      pending |= <u64>otherAt(slot, index) << used;
      used += (widths >>> (slot * 5)) & 31;
      if (used < 32) continue;
      store<u32>(target, <u32>pending);
      target += 4;
      pending >>>= 32;
      used -= 32;
    }
  }
  if (used === 0) return target;
  store<u32>(target, <u32>pending);
  return target + 4;
}

/** Codes the first `count` rows as a tail; returns the address behind. Twin: encodeTail in postings/tail-codec.ts. */
export function encodeTail(count: u32, previousDoc: u32, hasOthers: bool, target: usize): usize {
  let previous = previousDoc;
  for (let index: u32 = 0; index < count; index++) {
    const doc = load<u32>(ROW_DOCS + (index << 2));
    const frequency = load<u32>(ROW_FREQUENCIES + (index << 2));
    const others = hasOthers && hasOther(index);
    const plain = !others && frequency === 1;
    target = putVarint(target, ((doc - previous - 1) << 1) | (plain ? 1 : 0));
    previous = doc;
    if (plain) continue;
    target = putVarint(target, (frequency << 1) | (others ? 1 : 0));
    if (others) target = putOtherFrequencies(index, target);
  }
  return target;
}

function putOtherFrequencies(index: u32, target: usize): usize {
  const mask = target++;
  let bits: u32 = 0;
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
    const frequency = otherAt(slot, index);
    if (frequency === 0) continue;
    bits |= 1 << slot;
    target = putVarint(target, frequency - 1);
  }
  store<u8>(mask, bits);
  return target;
}
