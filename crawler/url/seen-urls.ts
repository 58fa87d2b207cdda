/** Duplicate-URL eliminator (IIR 20.2.1): has this URL been put into the frontier before? */
export interface SeenUrls {
  /** Whether the fingerprint is new; it is known from then on. */
  add(fingerprint: bigint): boolean;
  has(fingerprint: bigint): boolean;
  readonly size: number;
}

const INITIAL_SLOTS = 1 << 12;
/** Above this share of used slots the table doubles: probes stay short. */
const MAX_LOAD = 0.7;

/**
 * Exact table in memory: open addressing with linear probing, 8 bytes a slot in two arrays. Zero marks an empty slot, so the
 * fingerprint 0 is kept apart. It is rebuilt from the keys of the URL table when a crawl is opened.
 */
export class SeenTable implements SeenUrls {
  #high = new Uint32Array(INITIAL_SLOTS);
  #low = new Uint32Array(INITIAL_SLOTS);
  #mask = INITIAL_SLOTS - 1;
  #count = 0;
  #hasZero = false;

  get size(): number {
    return this.#count + (this.#hasZero ? 1 : 0);
  }

  add(fingerprint: bigint): boolean {
    if (fingerprint === 0n) {
      const isNew = !this.#hasZero;
      this.#hasZero = true;
      return isNew;
    }
    const high = Number(fingerprint >> 32n);
    const low = Number(fingerprint & 0xffff_ffffn);
    const slot = this.#find(high, low);
    if (!this.#isEmpty(slot)) return false;
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#count += 1;
    if (this.#count > MAX_LOAD * (this.#mask + 1)) this.#grow();
    return true;
  }

  has(fingerprint: bigint): boolean {
    if (fingerprint === 0n) return this.#hasZero;
    return !this.#isEmpty(this.#find(Number(fingerprint >> 32n), Number(fingerprint & 0xffff_ffffn)));
  }

  #isEmpty(slot: number): boolean {
    return this.#high[slot] === 0 && this.#low[slot] === 0;
  }

  /** The slot that holds the pair, or the empty one where it belongs. */
  #find(high: number, low: number): number {
    // The high half begins with the partition, which few values fill: mix both halves before masking.
    let slot = (Math.imul(low ^ (high >>> 8), 0x9e37_79b1) >>> 7) & this.#mask;
    while (!(this.#high[slot] === high && this.#low[slot] === low) && !this.#isEmpty(slot)) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }

  #grow(): void {
    const oldHigh = this.#high;
    const oldLow = this.#low;
    const slots = 2 * oldHigh.length;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#mask = slots - 1;
    for (const [index, high] of oldHigh.entries()) {
      const low = oldLow[index] ?? 0;
      if (high === 0 && low === 0) continue;
      const slot = this.#find(high, low);
      this.#high[slot] = high;
      this.#low[slot] = low;
    }
  }
}
