import type { ByteWriter } from '../bytes/byte-writer.ts';
import type { TailReader } from '../postings/tail-codec.ts';

/** Keys of a block: the first is stored whole, the others without the start that they share with the one before. */
export const KEYS_PER_BLOCK = 16;

const NIBBLE = 15;

const sharedLength = (a: Uint8Array, b: Uint8Array): number => {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) length += 1;
  return length;
};

/**
 * Appends `key` as: a byte with the shared length in its high and the rest's length in its low half (15 means "15 plus
 * the varint that follows"), then the rest. The first key of a block has an empty `previous`.
 */
export const encodeKey = (previous: Uint8Array, key: Uint8Array, target: ByteWriter): void => {
  const shared = sharedLength(previous, key);
  const rest = key.length - shared;
  target.u8((Math.min(shared, NIBBLE) << 4) | Math.min(rest, NIBBLE));
  if (shared >= NIBBLE) target.varint(shared - NIBBLE);
  if (rest >= NIBBLE) target.varint(rest - NIBBLE);
  target.bytes(key.subarray(shared));
};

/** The key under a reader of front-coded keys; its bytes change with every `read`. */
export class KeyBuffer {
  #bytes = new Uint8Array(64);
  length = 0;

  /** Reads the key at `source` out of `bytes`; before a block's first key `length` must be 0. */
  read(bytes: Uint8Array, source: TailReader): void {
    const head = source.byte();
    const high = head >>> 4;
    const low = head & NIBBLE;
    const shared = high === NIBBLE ? NIBBLE + source.varint() : high;
    const rest = low === NIBBLE ? NIBBLE + source.varint() : low;
    this.length = shared + rest;
    if (this.length > this.#bytes.length) {
      const grown = new Uint8Array(this.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    for (let i = 0; i < rest; i += 1) this.#bytes[shared + i] = bytes[source.offset + i]!;
    source.offset += rest;
  }

  equals(key: Uint8Array): boolean {
    if (key.length !== this.length) return false;
    for (let i = 0; i < key.length; i += 1) if (key[i] !== this.#bytes[i]) return false;
    return true;
  }

  /** A view that the next read changes. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  text(): string {
    return Buffer.from(this.#bytes.buffer, 0, this.length).toString('utf8');
  }
}
