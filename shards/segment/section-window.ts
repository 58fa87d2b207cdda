import type { SectionBytes } from '../postings/section-bytes.ts';
import type { SectionFile } from './section-file.ts';

const WINDOW_BYTES = 1 << 20;

/** A section of which a window is in memory, that moves to where it is read. The bytes are not verified: see SectionFile.verify. */
export class SectionWindow implements SectionBytes {
  readonly #file: SectionFile;
  readonly #name: string;
  readonly #length: number;
  bytes = new Uint8Array(WINDOW_BYTES);
  /** Bytes of the section that are at hand. */
  #start = 0;
  #end = 0;

  constructor(file: SectionFile, name: string) {
    this.#file = file;
    this.#name = name;
    this.#length = file.section(name).length;
  }

  reach(offset: number, length: number): number {
    const end = Math.min(offset + length, this.#length);
    const isAtHand = offset >= this.#start && offset <= this.#end && end <= this.#end;
    if (!isAtHand) this.#move(offset, end);
    return offset - this.#start;
  }

  #move(start: number, end: number): void {
    const length = Math.min(Math.max(end - start, WINDOW_BYTES), this.#length - start);
    if (length > this.bytes.length) this.bytes = new Uint8Array(length);
    this.#file.readInto(this.#name, start, this.bytes.subarray(0, Math.max(0, length)));
    this.#start = start;
    this.#end = start + length;
  }
}
