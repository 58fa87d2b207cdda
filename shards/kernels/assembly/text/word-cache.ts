import {
  ARENA,
  ARENA_BYTES,
  LONGEST_KEY,
  LONGEST_PROBE,
  MASKS,
  SLOT_BYTES,
  SLOT_COUNT,
  SLOTS,
  STATE_ARENA_TOP,
  STATE_SEED,
  STATE_SLOTS_USED,
} from '../../text-layout.ts';

// A slot: the key's first 16 bytes (zeros behind a shorter one) | value u32 | length and chain u32, 0 when free | address of
// the key's further blocks u32 | 4 bytes free.
const SLOT_VALUE: usize = 16;
const SLOT_LABEL: usize = 20;
const SLOT_REST: usize = 24;

/** Three quarters: a search then looks at two or three slots. */
const MOST_SLOTS_USED: u32 = (SLOT_COUNT / 4) * 3;
/** An entry's header for each word of one letter and its space; 16 for two tokens per byte; the key itself. */
const ARENA_BYTES_PER_TEXT_BYTE: u32 = 32;

/** Asks the TypeScript side what the lower-cased word at `address` becomes (text-layout.ts: VALUE_). */
declare function makeValue(address: u32, length: u32): u32;

/** The 16 bytes at `address` with A-Z in lower case. */
function lowerBlock(address: usize): v128 {
  const block = v128.load(address);
  const isUpper = i8x16.lt_u(i8x16.sub(block, i8x16.splat(65)), i8x16.splat(26));
  return v128.or(block, v128.and(isUpper, i8x16.splat(32)));
}

/** The same of a word that ends after `length` bytes, zeros behind it. */
function keyBlock(address: usize, length: u32): v128 {
  const mask = v128.load(MASKS + (min<u32>(length, 16) << 4));
  return v128.and(lowerBlock(address), mask);
}

/** Two rounds of multiply and shift (after MurmurHash3's finaliser). */
function mix(seed: u64, block: v128): u64 {
  let hash = (seed ^ i64x2.extract_lane(block, 0)) * 0xff51afd7ed558ccd;
  hash = (hash ^ (hash >> 32) ^ i64x2.extract_lane(block, 1)) * 0xc4ceb9fe1a85ec53;
  return hash ^ (hash >> 29);
}

function hashRest(hash: u64, address: usize, length: u32): u64 {
  for (let done: u32 = 16; done < length; done += 16) {
    hash = mix(hash, keyBlock(address + done, length - done));
  }
  return hash;
}

function equalsRest(rest: usize, address: usize, length: u32): bool {
  for (let done: u32 = 16; done < length; done += 16) {
    const block = keyBlock(address + done, length - done);
    if (v128.any_true(v128.xor(block, v128.load(rest + done - 16)))) return false;
  }
  return true;
}

function storeRest(address: usize, length: u32): u32 {
  const rest = load<u32>(STATE_ARENA_TOP);
  for (let done: u32 = 16; done < length; done += 16) {
    v128.store(rest + done - 16, keyBlock(address + done, length - done));
  }
  store<u32>(STATE_ARENA_TOP, rest + ((length - 1) & ~15));
  return rest;
}

function lowerInPlace(address: usize, length: u32): void {
  for (let at = address; at < address + length; at++) {
    const byte = load<u8>(at);
    if (byte - 65 < 26) store<u8>(at, byte | 32);
  }
}

function make(address: usize, length: u32): u32 {
  lowerInPlace(address, length);
  return makeValue(<u32>address, length);
}

/** What the word at `address` becomes under the rules numbered `chain`; remembered by its lower-cased bytes. */
export function valueOf(address: usize, length: u32, chain: u32): u32 {
  if (length > <u32>LONGEST_KEY) return make(address, length);
  const label = length | (chain << 8);
  const first = keyBlock(address, length);
  const hash = hashRest(mix(load<u32>(STATE_SEED) | ((<u64>label) << 32), first), address, length);
  let slot = <u32>hash & (SLOT_COUNT - 1);
  for (let probe = 0; probe < LONGEST_PROBE; probe++) {
    const at: usize = SLOTS + slot * SLOT_BYTES;
    const found = load<u32>(at, SLOT_LABEL);
    if (found === 0) return remember(at, address, label, first);
    if (found === label && !v128.any_true(v128.xor(first, v128.load(at)))) {
      if (length <= 16 || equalsRest(load<u32>(at, SLOT_REST), address, length)) return load<u32>(at, SLOT_VALUE);
    }
    slot = (slot + 1) & (SLOT_COUNT - 1);
  }
  return make(address, length);
}

/** The slot is filled after the value is known, so that a failure there leaves none half filled. */
function remember(slot: usize, address: usize, label: u32, first: v128): u32 {
  const length = label & 255;
  const value = make(address, length);
  v128.store(slot, first);
  store<u32>(slot, value, SLOT_VALUE);
  if (length > 16) store<u32>(slot, storeRest(address, length), SLOT_REST);
  store<u32>(slot, label, SLOT_LABEL);
  store<u32>(STATE_SLOTS_USED, load<u32>(STATE_SLOTS_USED) + 1);
  return value;
}

/** Forgets all words. */
export function clearWords(): void {
  memory.fill(SLOTS, 0, <usize>SLOT_COUNT * SLOT_BYTES);
  store<u32>(STATE_ARENA_TOP, ARENA);
  store<u32>(STATE_SLOTS_USED, 0);
}

/** Whether any text that fits the window can be cut without clearing. */
export function hasRoom(textBytes: u32): bool {
  const arenaLeft = <u32>(ARENA + ARENA_BYTES) - load<u32>(STATE_ARENA_TOP);
  if (textBytes * ARENA_BYTES_PER_TEXT_BYTE > arenaLeft) return false;
  return load<u32>(STATE_SLOTS_USED) + textBytes / 2 < MOST_SLOTS_USED;
}
