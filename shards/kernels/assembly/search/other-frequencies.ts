/**
 * Where one block's stream of the other fields' frequencies stands, and who has a record in it: what `openOthers` makes of
 * the stream's head. Twin: OtherFrequencies of postings/other-frequencies.ts.
 *
 *   0   u32 x 4   mask: bit i says that posting i of the block has a record
 *   16  u32 x 4   records that stand before each word of the mask
 *   32  u8 x 8    width in bits of slots 0 to 4, 3 unused
 *   40  u32       bits of a record
 *   44  u32       address of the records
 */
export const OTHERS_STATE_BYTES: usize = 48;
const RANKS: usize = 16;
const WIDTHS: usize = 32;
const RECORD_BITS: usize = 40;
const RECORDS: usize = 44;

/** Fields besides the body: 0 title, 1 headings, 2 emphasis, 3 anchor, 4 url. */
export const OTHER_COUNT: u32 = 5;
/** OtherKind of the block's shape, when each posting has a record. */
const ALL: u32 = 1;
const WIDTH_BITS: u32 = 5;

/** Reads the head of the stream at `source`, of a block whose shape says `kind` 1 (all) or 2 (masked), into `state`. */
export function openOthers(source: usize, kind: u32, state: usize): void {
  const head = load<u32>(source);
  let recordBits: u32 = 0;
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
    const width = (head >>> (slot * WIDTH_BITS)) & 31;
    store<u8>(state + WIDTHS + slot, width);
    recordBits += width;
  }
  store<u32>(state + RECORD_BITS, recordBits);
  const hasMask = kind !== ALL;
  v128.store(state, hasMask ? v128.load(source, 4) : i32x4.splat(-1));
  store<u32>(state + RECORDS, <u32>(source + (hasMask ? 20 : 4)));
  let rank: u32 = 0;
  for (let word: usize = 0; word < 16; word += 4) {
    store<u32>(state + RANKS + word, rank);
    rank += popcnt(load<u32>(state + word));
  }
}

/** Whether posting `index` (0..127) has a record. */
// @ts-ignore: decorator
@inline
export function hasRecord(state: usize, index: u32): bool {
  return ((load<u32>(state + ((index >>> 5) << 2)) >>> (index & 31)) & 1) !== 0;
}

/** Which record is that of posting `index`, which must have one: they follow each other in the order of postings. */
// @ts-ignore: decorator
@inline
export function recordOf(state: usize, index: u32): u32 {
  const word = (index >>> 5) << 2;
  const below = load<u32>(state + word) & ((1 << (index & 31)) - 1);
  return load<u32>(state + RANKS + word) + popcnt(below);
}

/**
 * Unpacks one record: u32 x 5 at `target`, one frequency a slot. Returns their sum. Reads up to 7 bytes behind the
 * record, which lie inside the segment's memory.
 */
export function readRecord(state: usize, record: u32, target: usize): u32 {
  let bit = record * load<u32>(state + RECORD_BITS);
  const records = <usize>load<u32>(state + RECORDS);
  let sum: u32 = 0;
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
    const width = <u32>load<u8>(state + WIDTHS + slot);
    const word = load<u64>(records + ((bit >>> 5) << 2)) >>> (bit & 31);
    const frequency = <u32>(word & (((<u64>1) << width) - 1));
    store<u32>(target + (slot << 2), frequency);
    sum += frequency;
    bit += width;
  }
  return sum;
}
