import { type FileHandle, open } from 'node:fs/promises';
import { crc32c } from '@node-rs/crc32';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { encodeFooter, encodeHeader, type FileFormat } from '../bytes/file-envelope.ts';
import { isDiskFull, rethrowNaming } from '../bytes/system-errors.ts';
import { failShards } from '../errors.ts';

/** Sections begin at multiples of this, so that typed arrays and SIMD loads of any width lie straight. */
export const SECTION_ALIGNMENT = 64;
/** Behind the directory: its offset (u64) and its CRC32C (u32). */
export const DIRECTORY_POINTER_BYTES = 12;

const WRITE_BUFFER_BYTES = 1 << 18;

/** What a manifest keeps of a file, so that a file of another segment is not taken for it. */
export interface FileSeal {
  readonly bytes: number;
  /** CRC32C over header and body, as in the footer. */
  readonly crc: number;
}

/** An entry of a file's directory; offsets count from the file's start. */
export interface Section {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

export const asBytes = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Writes one file of named sections in order; no other name than `path` is touched. */
export class SectionFileWriter {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #buffer = new ByteWriter(WRITE_BUFFER_BYTES);
  readonly #sections: Section[] = [];
  #lengthBytes = 0;
  #crc = 0;
  #open: { readonly name: string; readonly offset: number; crc: number } | undefined;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  static async create(path: string, format: FileFormat): Promise<SectionFileWriter> {
    const writer = new SectionFileWriter(await open(path, 'w'), path);
    await writer.#append(encodeHeader(format));
    return writer;
  }

  /** A section with one content. */
  async section(name: string, content: ArrayBufferView): Promise<void> {
    await this.startSection(name);
    await this.write(asBytes(content));
    this.endSection();
  }

  async startSection(name: string): Promise<void> {
    const padding = (SECTION_ALIGNMENT - (this.#lengthBytes % SECTION_ALIGNMENT)) % SECTION_ALIGNMENT;
    await this.#append(new Uint8Array(padding));
    this.#open = { name, offset: this.#lengthBytes, crc: 0 };
  }

  async write(content: Uint8Array): Promise<void> {
    if (this.#open) this.#open.crc = crc32c(content, this.#open.crc);
    await this.#append(content);
  }

  endSection(): void {
    if (this.#open === undefined) return;
    const { name, offset, crc } = this.#open;
    this.#sections.push({ name, offset, length: this.#lengthBytes - offset, crc });
    this.#open = undefined;
  }

  /** Writes directory and footer, makes the file durable and closes it. */
  async finish(): Promise<FileSeal> {
    const directory = encodeDirectory(this.#sections);
    const pointer = new ByteWriter(DIRECTORY_POINTER_BYTES);
    pointer.u64(BigInt(this.#lengthBytes));
    pointer.u32(crc32c(directory));
    await this.#append(directory);
    await this.#append(pointer.view());
    const crc = this.#crc;
    await this.#append(encodeFooter(this.#lengthBytes, crc));
    await this.#guard(async () => {
      await this.#flush();
      await this.#handle.sync();
    });
    await this.#handle.close();
    return { bytes: this.#lengthBytes, crc };
  }

  /** Closes the file as it is; for the error path. Idempotent. */
  async abandon(): Promise<void> {
    await this.#handle.close();
  }

  async #append(content: Uint8Array): Promise<void> {
    this.#crc = crc32c(content, this.#crc);
    this.#lengthBytes += content.length;
    if (this.#buffer.length + content.length < WRITE_BUFFER_BYTES) {
      this.#buffer.bytes(content);
      return;
    }
    await this.#guard(async () => {
      await this.#flush();
      await this.#writeAll(content);
    });
  }

  async #flush(): Promise<void> {
    await this.#writeAll(this.#buffer.view());
    this.#buffer.clear();
  }

  async #writeAll(content: Uint8Array): Promise<void> {
    for (let offset = 0; offset < content.length; ) {
      const { bytesWritten } = await this.#handle.write(content, offset, content.length - offset);
      offset += bytesWritten;
    }
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isDiskFull(error)) throw failShards('SHARDS_DISK_FULL', { file: this.#path }, error);
      rethrowNaming(this.#path)(error);
    }
  }
}

/** Writes a file of sections that are all in memory, in their order. Closes the file also when it fails. */
export const writeSectionFile = async (
  path: string,
  format: FileFormat,
  sections: Readonly<Record<string, ArrayBufferView>>,
): Promise<FileSeal> => {
  const file = await SectionFileWriter.create(path, format);
  try {
    for (const [name, content] of Object.entries(sections)) await file.section(name, content);
    return await file.finish();
  } catch (error) {
    await file.abandon();
    throw error;
  }
};

const encodeDirectory = (sections: readonly Section[]): Uint8Array => {
  const writer = new ByteWriter();
  writer.varint(sections.length);
  for (const { name, offset, length, crc } of sections) {
    writer.text(name);
    writer.varint(offset);
    writer.varint(length);
    writer.u32(crc);
  }
  return writer.view();
};
