import xxhash from 'xxhash-wasm';
import type { NormalUrl, SlotIndex, UrlKey } from './ids.ts';

const hasher = await xxhash();

/** Slots of the partition ring; a slot is the ten high bits of a URL key. */
export const SLOT_COUNT = 1024;

/** XXH64 with seed 0 of a string's UTF-8 bytes, unsigned. */
export const hash64 = (text: string): bigint => BigInt.asUintN(64, hasher.h64(text));

/** The same of bytes that are there already. */
export const hash64Bytes = (utf8: Uint8Array): bigint => BigInt.asUintN(64, hasher.h64Raw(utf8));

/** Ties, look-up and slot of a document: its URL's hash. */
export const urlKey = (url: NormalUrl): UrlKey => hash64(url) as UrlKey;
/** Use only on a key that urlKey made, or that was read from one of our own files. */
export const trustUrlKey = (key: bigint): UrlKey => key as UrlKey;

/** Sixteen lower-case hex digits. */
export const formatKey = (key: bigint): string => key.toString(16).padStart(16, '0');

/** Slot of the ring, 0..1,023: the ten high bits. */
export const slotOf = (key: UrlKey): SlotIndex => Number(key >> 54n) as SlotIndex;
