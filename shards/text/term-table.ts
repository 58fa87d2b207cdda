const ENCODER = new TextEncoder();
/** UTF-8 bytes that one UTF-16 unit takes at most. */
const BYTES_PER_UNIT = 3;
const FIRST_SLOTS = 1 << 12;
const FIRST_BYTES = 1 << 16;
const FREE = -1;

/** FNV-1a. */
const HASH_BASIS = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/**
 * Terms numbered from 0 in the order in which they first came: their UTF-8 bytes end to end and an open hash table over
 * them, no object per term. `seed` (32 bits) makes the hash differ between processes, so that nobody can choose terms that
 * collide.
 */
export class TermTable {
  readonly #seed: number;
  #bytes = new Uint8Array(FIRST_BYTES);
  /** Byte after each term; the first element is 0. */
  #ends = new Uint32Array(FIRST_SLOTS);
  /** The terms' hashes, so that growing the table reads no bytes. */
  #hashes = new Int32Array(FIRST_SLOTS);
  #slots = new Int32Array(FIRST_SLOTS).fill(FREE);
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  get count(): number {
    return this.#count;
  }

  get memoryBytes(): number {
    return this.#bytes.length + 4 * (this.#ends.length + this.#hashes.length + this.#slots.length);
  }

  /** A view that the next `idOf` may overwrite. */
  bytesOf(id: number): Uint8Array {
    return this.#bytes.subarray(this.#ends[id], this.#ends[id + 1]);
  }

  /** Number of a term, a new one where it was not known. A lone surrogate becomes U+FFFD. */
  idOf(term: string): number {
    const start = this.#ends[this.#count] ?? 0;
    const end = this.#write(term, start);
    const hash = this.#hash(start, end);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] ?? FREE;
      if (id === FREE) return this.#add(slot, hash, end);
      if (this.#hashes[id] === hash && this.#equals(id, start, end)) return id;
    }
  }

  /** Forgets all terms and gives their memory back. */
  clear(): void {
    this.#bytes = new Uint8Array(FIRST_BYTES);
    this.#ends = new Uint32Array(FIRST_SLOTS);
    this.#hashes = new Int32Array(FIRST_SLOTS);
    this.#slots = new Int32Array(FIRST_SLOTS).fill(FREE);
    this.#count = 0;
  }

  /** Writes a term behind the last one; returns its end. */
  #write(term: string, start: number): number {
    const needed = start + term.length * BYTES_PER_UNIT;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, start));
      this.#bytes = grown;
    }
    for (let index = 0; index < term.length; index++) {
      const unit = term.charCodeAt(index);
      if (unit >= 0x80) return start + ENCODER.encodeInto(term, this.#bytes.subarray(start)).written;
      this.#bytes[start + index] = unit;
    }
    return start + term.length;
  }

  #hash(start: number, end: number): number {
    let hash = HASH_BASIS ^ this.#seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (this.#bytes[at] ?? 0), HASH_PRIME);
    // The low bits of FNV know only the low bits of the letters.
    return hash ^ (hash >>> 15);
  }

  #equals(id: number, start: number, end: number): boolean {
    const from = this.#ends[id] ?? 0;
    if ((this.#ends[id + 1] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at++) {
      if (this.#bytes[at] !== this.#bytes[from + at - start]) return false;
    }
    return true;
  }

  #add(slot: number, hash: number, end: number): number {
    const id = this.#count++;
    this.#slots[slot] = id;
    this.#hashes[id] = hash;
    this.#ends[id + 1] = end;
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(FREE);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#count; id++) {
      let slot = (this.#hashes[id] ?? 0) & mask;
      while (slots[slot] !== FREE) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
    this.#ends = grownCopy(this.#ends, new Uint32Array(slots.length));
    this.#hashes = grownCopy(this.#hashes, new Int32Array(slots.length));
  }
}

const grownCopy = <Numbers extends Uint32Array | Int32Array>(from: Numbers, to: Numbers): Numbers => {
  to.set(from);
  return to;
};
