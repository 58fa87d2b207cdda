import { inflateRawSync } from 'node:zlib';
import { crc32c } from '@node-rs/crc32';
import { ByteReader } from '../bytes/byte-reader.ts';
import { PAGES_FORMAT } from './formats.ts';
import { SectionFile } from './section-file.ts';
import type { FileSeal } from './section-file-writer.ts';
import { PAGE_BLOCK_HEADER_BYTES, type StoredText } from './stored-pages-writer.ts';

/** Blocks kept uncompressed, the last used ones. */
const CACHED_BLOCKS = 16;
/** A block above this is not kept, so that one huge page does not hold memory. */
const MAX_CACHED_BYTES = 1 << 20;

/** Reads stored pages block by block from the disk; each block's checksum is verified when it is read. */
export class StoredPages {
  readonly #file: SectionFile;
  readonly #blockOffsets: Float64Array;
  readonly #cache = new Map<number, Uint8Array>();

  constructor(path: string, seal: FileSeal) {
    this.#file = SectionFile.open(path, PAGES_FORMAT, seal);
    try {
      this.#blockOffsets = new Float64Array(this.#file.read('blockOffsets').buffer);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** The page at byte `offset` of the uncompressed block. */
  read(block: number, offset: number): StoredText {
    const reader = new ByteReader(this.#block(block), this.#file.file);
    reader.seek(offset);
    return { url: reader.text(), title: reader.text(), text: reader.text() };
  }

  #block(block: number): Uint8Array {
    const cached = this.#cache.get(block);
    const bytes = cached ?? this.#inflate(block);
    this.#cache.delete(block);
    if (bytes.length <= MAX_CACHED_BYTES) this.#cache.set(block, bytes);
    if (this.#cache.size > CACHED_BLOCKS) {
      const [oldest] = this.#cache.keys();
      if (oldest !== undefined) this.#cache.delete(oldest);
    }
    return bytes;
  }

  #inflate(block: number): Uint8Array {
    const start = this.#blockOffsets[block] ?? Number.NaN;
    const end = this.#blockOffsets[block + 1] ?? Number.NaN;
    const packed = this.#file.readAt('blocks', start, end - start);
    if (packed.length < PAGE_BLOCK_HEADER_BYTES || crc32c(packed.subarray(4)) !== packed.readUInt32LE(0)) {
      throw this.#file.damage(`page block ${block} that fails its checksum`, 'an unharmed one');
    }
    const rawLength = packed.readUInt32LE(4);
    return inflateRawSync(packed.subarray(PAGE_BLOCK_HEADER_BYTES), {
      maxOutputLength: Math.max(1, rawLength),
    });
  }

  close(): void {
    this.#cache.clear();
    this.#file.close();
  }
}
