import { failShards } from '../errors.ts';
import { TOKENS } from '../kernels/inversion-layout.ts';
import { kernelModule } from '../kernels/kernels.ts';

const PAGE_BYTES = 0x1_0000;
const MAX_PAGES = 0x1_0000;
/** Memory at least doubles, so that growing is rare; what is not written to takes no room. */
const GROWTH = 2;
const ALIGNMENT = 16;

export interface InversionKernel {
  countTerms(): void;
  countBiwords(): number;
  nameBiwords(): void;
  sumCounts(): void;
  sortTerms(): void;
  placeTerms(): void;
  scatter(): void;
  encodeTerms(rank: number): number;
  buildHashIndex(): void;
}

/** The memory of one inversion kernel. Views are made anew when it grows: `bytes` and `words` must not be kept. */
export class InversionMemory {
  readonly kernel: InversionKernel;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
  bytes = new Uint8Array(this.#memory.buffer);
  words = new Uint32Array(this.#memory.buffer);
  /** Where the next region begins. */
  #top: number = TOKENS;

  constructor() {
    const { exports } = new WebAssembly.Instance(kernelModule('inversion'), {
      env: { memory: this.#memory },
    });
    this.kernel = exports as unknown as InversionKernel;
  }

  get top(): number {
    return this.#top;
  }

  /** Makes bytes up to `end` usable. Throws SHARDS_NO_MEMORY. */
  ensure(end: number): void {
    if (end <= this.bytes.length) return;
    const pages = this.bytes.length / PAGE_BYTES;
    const needed = Math.ceil(end / PAGE_BYTES);
    const wanted = Math.min(Math.max(needed, pages * GROWTH), MAX_PAGES);
    try {
      this.#memory.grow(Math.max(wanted, needed) - pages);
    } catch (error) {
      throw failShards('SHARDS_NO_MEMORY', { folder: 'the index', bytes: end }, error);
    }
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.words = new Uint32Array(this.#memory.buffer);
  }

  /** Takes so many bytes; returns their address, a multiple of 16. */
  take(lengthBytes: number): number {
    const address = Math.ceil(this.#top / ALIGNMENT) * ALIGNMENT;
    this.ensure(address + lengthBytes);
    this.#top = address + lengthBytes;
    return address;
  }

  /** As `take`, filled with zeros. */
  takeZeros(lengthBytes: number): number {
    const address = this.take(lengthBytes);
    this.bytes.fill(0, address, this.#top);
    return address;
  }

  /** Gives back what was taken from that address on. */
  release(address: number): void {
    this.#top = address;
  }

  /** A copy of `values` in memory of its own; returns its address. */
  put(values: Uint8Array | Uint32Array): number {
    const address = this.take(values.byteLength);
    this.bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), address);
    return address;
  }

  /** A word of the kernel's state. */
  get(state: number): number {
    return this.words[state / 4]!;
  }

  set(state: number, value: number): void {
    this.words[state / 4] = value;
  }
}
