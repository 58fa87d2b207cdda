import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { crc32c } from '@node-rs/crc32';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { PAGES_FORMAT } from './formats.ts';
import { type FileSeal, SectionFileWriter } from './section-file-writer.ts';

const deflate = promisify(deflateRaw);

/** Pages are compressed together until a block holds this much; a larger page ends its block. */
export const PAGE_BLOCK_BYTES = 1 << 15;
/** In front of a compressed block: CRC32C of what follows it, then the length before compression. */
export const PAGE_BLOCK_HEADER_BYTES = 8;

const DEFLATE_LEVEL = 4;
/** Blocks that may wait for the compressor's threads and for the disk. */
const MAX_PENDING_BLOCKS = 8;

/** What is kept of a page to show it: plain text, blocks separated by `\n`. */
export interface StoredText {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

export interface PagePlace {
  readonly block: number;
  /** Byte in the block uncompressed. */
  readonly offset: number;
}

/** The two columns of documents' page places; both are empty in a segment without stored pages. */
export const pagePlaces = (
  places: readonly PagePlace[],
): { readonly pageBlocks: Uint32Array; readonly pageOffsets: Uint32Array } => ({
  pageBlocks: Uint32Array.from(places, ({ block }) => block),
  pageOffsets: Uint32Array.from(places, ({ offset }) => offset),
});

/** Writes a segment's `.pages`: blocks in the order of adding, compressed off the main thread. */
export class StoredPagesWriter {
  readonly #file: SectionFileWriter;
  readonly #buffer = new ByteWriter(PAGE_BLOCK_BYTES * 2);
  readonly #blockOffsets: number[] = [0];
  readonly #pending: Promise<Uint8Array>[] = [];
  #startedBlocks = 0;
  #writtenBytes = 0;

  private constructor(file: SectionFileWriter) {
    this.#file = file;
  }

  static async create(path: string): Promise<StoredPagesWriter> {
    const file = await SectionFileWriter.create(path, PAGES_FORMAT);
    await file.startSection('blocks');
    return new StoredPagesWriter(file);
  }

  /** Returns where the page lies: its block, and its byte in the block uncompressed. */
  async add(page: StoredText): Promise<PagePlace> {
    const place = { block: this.#startedBlocks, offset: this.#buffer.length };
    this.#buffer.text(page.url);
    this.#buffer.text(page.title);
    this.#buffer.text(page.text);
    if (this.#buffer.length >= PAGE_BLOCK_BYTES) await this.#endBlock();
    return place;
  }

  /** Takes a block that another segment has packed; returns its number. Ends the block of pages added before. */
  async addBlock(packed: Uint8Array): Promise<number> {
    if (this.#buffer.length > 0) await this.#endBlock();
    const block = this.#startedBlocks;
    await this.#queue(Promise.resolve(packed));
    return block;
  }

  async #endBlock(): Promise<void> {
    const raw = this.#buffer.toBytes();
    this.#buffer.clear();
    const block = packBlock(raw);
    // Whoever awaits it later sees the failure; until then it must not count as unhandled.
    block.catch(() => undefined);
    await this.#queue(block);
  }

  async #queue(block: Promise<Uint8Array>): Promise<void> {
    this.#startedBlocks += 1;
    this.#pending.push(block);
    if (this.#pending.length > MAX_PENDING_BLOCKS) await this.#writeOldest();
  }

  async #writeOldest(): Promise<void> {
    const block = await this.#pending.shift();
    if (block === undefined) return;
    await this.#file.write(block);
    this.#writtenBytes += block.length;
    this.#blockOffsets.push(this.#writtenBytes);
  }

  async finish(): Promise<FileSeal> {
    if (this.#buffer.length > 0) await this.#endBlock();
    while (this.#pending.length > 0) await this.#writeOldest();
    this.#file.endSection();
    await this.#file.section('blockOffsets', Float64Array.from(this.#blockOffsets));
    return this.#file.finish();
  }

  async abandon(): Promise<void> {
    await Promise.allSettled(this.#pending);
    await this.#file.abandon();
  }
}

const packBlock = async (raw: Uint8Array): Promise<Uint8Array> => {
  const compressed = await deflate(raw, { level: DEFLATE_LEVEL });
  const block = new ByteWriter(compressed.length + PAGE_BLOCK_HEADER_BYTES);
  block.u32(0);
  block.u32(raw.length);
  block.bytes(compressed);
  block.patchU32(0, crc32c(block.view().subarray(4)));
  return block.view();
};
