import { inflateRawSync } from 'node:zlib';
import { crc32c } from '@node-rs/crc32';
import { ByteReader } from '../bytes/byte-reader.ts';
import { PAGES_FORMAT } from './formats.ts';
import { SectionFile } from './section-file.ts';
import type { FileSeal } from './section-file-writer.ts';
import { PAGE_BLOCK_HEADER_BYTES, type StoredText } from './stored-pages-writer.ts';

/** Blocks kept uncompressed hold this much, the last used ones: some 250 blocks of the usual size. */
const CACHED_BYTES = 1 << 23;
/** A block above this is not kept, so that one huge page does not drive out many. */
const MAX_CACHED_BLOCK_BYTES = 1 << 20;
/** A block up to this is uncompressed into one buffer of its size instead of zlib's 16 kB at a time. */
const MAX_BUFFER_BYTES = 1 << 20;
/** zlib takes a full buffer for one that wants another. */
const SPARE_BYTES = 64;

/** Reads stored pages block by block from the disk; each block's checksum is verified when it is read. */
export class StoredPages {
  readonly #file: SectionFile;
  readonly #blockOffsets: Float64Array;
  readonly #cache = new Map<number, Uint8Array>();
  #cachedBytes = 0;

  constructor(path: string, seal: FileSeal) {
    this.#file = SectionFile.open(path, PAGES_FORMAT, seal);
    try {
      const { buffer, length } = this.#file.read('blockOffsets');
      this.#blockOffsets = new Float64Array(buffer, 0, Math.floor(length / Float64Array.BYTES_PER_ELEMENT));
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
    if (cached !== undefined) {
      this.#cache.delete(block);
      this.#cache.set(block, cached);
      return cached;
    }
    const bytes = this.rawBlock(block);
    if (bytes.length <= MAX_CACHED_BLOCK_BYTES) this.#keep(block, bytes);
    return bytes;
  }

  #keep(block: number, bytes: Uint8Array): void {
    this.#cache.set(block, bytes);
    this.#cachedBytes += bytes.length;
    for (const [oldest, { length }] of this.#cache) {
      if (this.#cachedBytes <= CACHED_BYTES) return;
      this.#cache.delete(oldest);
      this.#cachedBytes -= length;
    }
  }

  /** A block as it is stored, header and all, its checksum verified. */
  packedBlock(block: number): Buffer {
    const start = this.#blockOffsets[block] ?? Number.NaN;
    const end = this.#blockOffsets[block + 1] ?? Number.NaN;
    const packed = this.#file.readAt('blocks', start, end - start);
    if (packed.length < PAGE_BLOCK_HEADER_BYTES || crc32c(packed.subarray(4)) !== packed.readUInt32LE(0)) {
      throw this.#file.damage(`page block ${block} that fails its checksum`, 'an unharmed one');
    }
    return packed;
  }

  /** A block uncompressed. */
  rawBlock(block: number): Buffer {
    const packed = this.packedBlock(block);
    const rawLength = packed.readUInt32LE(4);
    try {
      return inflateRawSync(packed.subarray(PAGE_BLOCK_HEADER_BYTES), {
        maxOutputLength: Math.max(1, rawLength),
        chunkSize: Math.min(rawLength, MAX_BUFFER_BYTES) + SPARE_BYTES,
      });
    } catch (error) {
      throw this.#file.damage(
        `page block ${block} that does not unpack (${String(error)})`,
        `${rawLength} bytes`,
      );
    }
  }

  close(): void {
    this.#cache.clear();
    this.#cachedBytes = 0;
    this.#file.close();
  }
}
