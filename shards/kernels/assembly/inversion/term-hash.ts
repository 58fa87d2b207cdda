import { STATE_HASHES, STATE_SLOT_COUNT, STATE_SLOTS, STATE_TERM_COUNT } from '../../inversion-layout.ts';
import { state } from './words.ts';

/** Twin: termHash in segment/term-hash.ts. */
export function termHash(key: usize, length: u32): u32 {
  let hash: u32 = 0x811c9dc5;
  for (const end = key + length; key < end; key++) hash = (hash ^ load<u8>(key)) * 0x01000193;
  hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
  return hash ^ (hash >>> 16);
}

/** Fills the slots of the hash index from the terms' hashes. Twin: hashIndexOf in segment/term-dictionary-writer.ts. */
export function buildHashIndex(): void {
  const slots = state(STATE_SLOTS);
  const slotCount = state(STATE_SLOT_COUNT);
  const termCount = state(STATE_TERM_COUNT);
  const shift = 32 - clz(termCount);
  for (let ordinal: u32 = 0; ordinal < termCount; ordinal++) {
    const hash = load<u32>(state(STATE_HASHES) + (ordinal << 2));
    let slot = <u32>((<u64>hash * <u64>slotCount) >>> 32);
    while (load<u32>(slots + (slot << 2)) !== 0) slot = slot + 1 === slotCount ? 0 : slot + 1;
    store<u32>(slots + (slot << 2), <u32>((<u64>hash << <u64>shift) | <u64>(ordinal + 1)));
  }
}
