/** Fields besides the body, in slots: 0 title, 1 headings, 2 emphasis, 3 anchor, 4 url. */
export const OTHER_COUNT: u32 = 5;
/** Bytes of one slot of decoded rows. */
export const SLOT_BYTES: u32 = 512;
/** OtherKind of a block's shape, when each posting has a record. */
const ALL: u32 = 1;
const WIDTH_BITS: u32 = 5;
const MASK_BYTES: usize = 16;

/** Where the next value of the slot begins, in bits from `records`. */
let bit: u32 = 0;

/** One slot of the records that `members` says 64 postings have. */
function decodeHalf(members: u64, records: usize, recordBits: u32, valueMask: u64, target: usize): void {
  for (let rest = members; rest !== 0; rest &= rest - 1) {
    const value = (load<u64>(records + ((bit >>> 5) << 2)) >>> (bit & 31)) & valueMask;
    store<u32>(target + (<usize>ctz(rest) << 2), <u32>value);
    bit += recordBits;
  }
}

/**
 * Frequencies in the fields besides the body of a full block whose shape says `kind` 1 (all have a record) or 2 (some):
 * five times u32 x 128 at `others`, 0 where there is none. Reads up to 7 bytes behind the stream, which lie inside the
 * segment's memory. Twin: OtherFrequencies of postings/other-frequencies.ts.
 */
export function decodeOthers(stream: usize, kind: u32, others: usize): void {
  memory.fill(others, 0, OTHER_COUNT * SLOT_BYTES);
  const widths = load<u32>(stream);
  let recordBits: u32 = 0;
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) recordBits += (widths >>> (slot * WIDTH_BITS)) & 31;
  const lower: u64 = kind === ALL ? -1 : load<u64>(stream, 4);
  const upper: u64 = kind === ALL ? -1 : load<u64>(stream, 12);
  const records = stream + 4 + (kind === ALL ? 0 : MASK_BYTES);
  let first: u32 = 0;
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
    const width = (widths >>> (slot * WIDTH_BITS)) & 31;
    if (width === 0) continue;
    const valueMask: u64 = (<u64>1 << width) - 1;
    const target = others + slot * SLOT_BYTES;
    bit = first;
    decodeHalf(lower, records, recordBits, valueMask, target);
    decodeHalf(upper, records, recordBits, valueMask, target + SLOT_BYTES / 2);
    first += width;
  }
}
