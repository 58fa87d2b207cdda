import { OTHER_COUNT } from './other-frequencies.ts';

/** Where the next code begins. */
let cursor: usize = 0;

/** LEB128 of at most 32 bits. */
function varintBehind(first: u32): u32 {
  let value = first & 127;
  for (let shift: u32 = 7; shift < 35; shift += 7) {
    const byte = <u32>load<u8>(cursor++);
    value |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  return value;
}

// @ts-ignore: decorator
@inline
function varint(): u32 {
  const byte = <u32>load<u8>(cursor++);
  return byte < 128 ? byte : varintBehind(byte);
}

function decodeRow(row: usize): void {
  const slots = <u32>load<u8>(cursor++);
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
    store<u32>(row + (slot << 2), (slots >>> slot) & 1 ? varint() + 1 : 0);
  }
}

/**
 * A tail of `count` (at most 128) postings at `source`, behind `previousDoc`, and just so the posting that stands in the
 * dictionary when a term has one document: documents and body frequencies, u32 x count each, and with `others` the
 * frequencies in the other fields: u32 x 4, bit i of which says that posting i has any, then rows of u32 x 5, valid
 * where the bit is set. Returns whether any posting has others; when not, nothing was written there.
 * Twin: TailRows.decode of postings/tail-codec.ts.
 */
export function decodeTail(
  source: usize,
  count: u32,
  previousDoc: i32,
  docs: usize,
  frequencies: usize,
  others: usize,
): bool {
  cursor = source;
  let doc = previousDoc;
  let hasOthers = false;
  for (let i: u32 = 0; i < count; i++) {
    const code = varint();
    doc += (code >>> 1) + 1;
    store<u32>(docs + (i << 2), doc);
    if (code & 1) {
      store<u32>(frequencies + (i << 2), 1);
      continue;
    }
    const body = varint();
    store<u32>(frequencies + (i << 2), body >>> 1);
    if ((body & 1) === 0) continue;
    if (!hasOthers) v128.store(others, i32x4.splat(0));
    hasOthers = true;
    const word = others + ((i >>> 5) << 2);
    store<u32>(word, load<u32>(word) | (1 << (i & 31)));
    decodeRow(others + 16 + i * (OTHER_COUNT << 2));
  }
  return hasOthers;
}
