import { ROWS_DOCS, ROWS_FREQUENCIES, ROWS_OTHERS } from '../../search-layout.ts';
import { OTHER_COUNT, SLOT_BYTES } from './decode-others.ts';

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

/** Frequencies in the other fields of one posting, whose place in slot 0 is `target`. */
function decodeOthersOfPosting(target: usize): void {
  const slots = <u32>load<u8>(cursor++);
  for (let slot: u32 = 0; slot < OTHER_COUNT; slot++) {
    if ((slots >>> slot) & 1) store<u32>(target + slot * SLOT_BYTES, varint() + 1);
  }
}

/**
 * A tail of `count` (at most 128) postings at `source`, behind `previousDoc` (-1 for none), and just so the posting that
 * stands in the dictionary when a term has one document, into `rows` (ROWS_ of search-layout.ts). Returns whether any
 * posting has a field besides the body; when none has, the rows of those fields are not written.
 * Twin: TailRows.decode of postings/tail-codec.ts.
 */
export function decodeTail(source: usize, count: u32, previousDoc: i32, rows: usize): bool {
  if (count > 128) unreachable();
  cursor = source;
  const others = rows + ROWS_OTHERS;
  let doc = previousDoc;
  let hasOthers = false;
  for (const end = rows + (count << 2); rows < end; rows += 4) {
    const code = varint();
    doc += (code >>> 1) + 1;
    store<u32>(rows, doc, ROWS_DOCS);
    if (code & 1) {
      store<u32>(rows, 1, ROWS_FREQUENCIES);
      continue;
    }
    const body = varint();
    store<u32>(rows, body >>> 1, ROWS_FREQUENCIES);
    if ((body & 1) === 0) continue;
    if (!hasOthers) memory.fill(others, 0, OTHER_COUNT * SLOT_BYTES);
    hasOthers = true;
    decodeOthersOfPosting(rows + ROWS_OTHERS);
  }
  return hasOthers;
}
