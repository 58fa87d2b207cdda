/** An array of 32-bit unsigned integers that grows at its end; no object per element. */
export class GrowableUint32 {
  #values: Uint32Array;
  #length = 0;

  constructor(capacity = 64) {
    this.#values = new Uint32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Memory held, used or not. */
  get capacityBytes(): number {
    return this.#values.byteLength;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(Math.max(16, this.#length * 2));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  clear(): void {
    this.#length = 0;
  }

  /** What was pushed, without a copy: valid until the next push. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}
