/** A later request that falls into the same place takes it over: then the earlier one is merely worked out in vain. */
const PLACES = 64;

/**
 * Tells a thread by shared memory which requests nobody waits for: while it evaluates it reads no messages. Ids count from 1
 * in one pool.
 */
export class CancelFlags {
  /** Goes to the thread. */
  readonly memory: SharedArrayBuffer;
  readonly #ids: Int32Array;

  constructor(memory = new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#ids = new Int32Array(memory);
  }

  cancel(id: number): void {
    Atomics.store(this.#ids, id % PLACES, id | 0);
  }

  has(id: number): boolean {
    return Atomics.load(this.#ids, id % PLACES) === (id | 0);
  }
}
