import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32c } from '@node-rs/crc32';
import { ByteReader } from '../bytes/byte-reader.ts';
import {
  checkHeader,
  corrupt,
  decodeFooter,
  type FileFormat,
  FOOTER_BYTES,
  formatCrc,
  HEADER_BYTES,
} from '../bytes/file-envelope.ts';
import { failShards } from '../errors.ts';
import {
  DIRECTORY_POINTER_BYTES,
  type FileSeal,
  SECTION_ALIGNMENT,
  type Section,
} from './section-file-writer.ts';

/** Most bytes that one read asks for: the call takes a 32-bit count. */
const READ_BYTES = 1 << 30;
const VERIFY_BYTES = 1 << 20;

const readExactly = (fd: number, target: Uint8Array, offset: number, file: string): void => {
  for (let done = 0; done < target.length; ) {
    const count = readSync(fd, target, done, Math.min(target.length - done, READ_BYTES), offset + done);
    if (count === 0)
      throw failShards('SHARDS_READ_OVERRUN', overrun(file, offset + done, target.length - done));
    done += count;
  }
};

const overrun = (file: string, offset: number, missing: number) => ({
  file,
  offset,
  found: 'the end',
  expected: `${missing} bytes more`,
});

/** Checks that the file is the one that the manifest means, by its length and the checksum in its footer. */
const checkSeal = (bytes: Uint8Array, lengthBytes: number, seal: FileSeal, source: Source): void => {
  const { format, file } = source;
  if (lengthBytes !== seal.bytes) throw corrupt(format, file, `${lengthBytes} bytes`, `${seal.bytes}`);
  const footer = decodeFooter(bytes);
  if (footer?.lengthBytes !== lengthBytes - FOOTER_BYTES) {
    throw corrupt(format, file, 'no whole footer at its end', 'a whole file');
  }
  if (footer.crc !== seal.crc) {
    throw corrupt(
      format,
      file,
      `checksum ${formatCrc(footer.crc)}`,
      `${formatCrc(seal.crc)} of the manifest`,
    );
  }
};

interface Source {
  readonly format: FileFormat;
  readonly file: string;
}

/** `bytes` are the last of the body, the directory's and its pointer's at least; the body ends at byte `end` of the file. */
const decodeDirectory = (bytes: Uint8Array, end: number, source: Source): ReadonlyMap<string, Section> => {
  const { format, file } = source;
  const pointer = new ByteReader(bytes.subarray(bytes.length - DIRECTORY_POINTER_BYTES), file);
  const start = bytes.length - (end - Number(pointer.u64()));
  const crc = pointer.u32();
  const directory = bytes.subarray(Math.max(0, start), bytes.length - DIRECTORY_POINTER_BYTES);
  if (start < 0 || crc32c(directory) !== crc) {
    throw corrupt(format, file, 'a directory that fails its checksum', 'an unharmed one');
  }
  const reader = new ByteReader(directory, file);
  const sections = new Map<string, Section>();
  for (let rest = reader.varint(); rest > 0; rest -= 1) {
    const section = {
      name: reader.text(),
      offset: reader.varint(),
      length: reader.varint(),
      crc: reader.u32(),
    };
    if (section.offset % SECTION_ALIGNMENT !== 0 || section.offset + section.length > end) {
      throw corrupt(format, file, `section ${section.name} at byte ${section.offset}`, 'one inside the file');
    }
    sections.set(section.name, section);
  }
  return sections;
};

/** A file's sections in memory that threads may share. */
export class LoadedSections {
  readonly #file: Uint8Array;
  readonly #sections: ReadonlyMap<string, Section>;
  readonly #source: Source;

  /** Takes the bytes of a file that `loadSectionFile` has verified, maybe in another thread. */
  constructor(file: Uint8Array, source: Source) {
    this.#file = file;
    this.#source = source;
    const body = file.subarray(0, file.length - FOOTER_BYTES);
    this.#sections = decodeDirectory(body, body.length, source);
  }

  names(): Iterable<string> {
    return this.#sections.keys();
  }

  bytes(name: string): Uint8Array {
    const { offset, length } = this.section(name);
    return this.#file.subarray(offset, offset + length);
  }

  u16(name: string): Uint16Array {
    const { buffer, byteOffset, length } = this.bytes(name);
    return new Uint16Array(buffer, byteOffset, Math.floor(length / 2));
  }

  u32(name: string): Uint32Array {
    const { buffer, byteOffset, length } = this.bytes(name);
    return new Uint32Array(buffer, byteOffset, Math.floor(length / 4));
  }

  f64(name: string): Float64Array {
    const { buffer, byteOffset, length } = this.bytes(name);
    return new Float64Array(buffer, byteOffset, Math.floor(length / 8));
  }

  /** Byte of the memory at which a section begins. Throws the damage error unless it has just `lengthBytes`. */
  address(name: string, lengthBytes?: number): number {
    const { offset, length } = this.section(name);
    if (lengthBytes !== undefined && length !== lengthBytes) {
      throw this.damage(`section ${name} of ${length} bytes`, `${lengthBytes}`);
    }
    return this.#file.byteOffset + offset;
  }

  section(name: string): Section {
    const section = this.#sections.get(name);
    if (section) return section;
    throw this.damage(`no section ${name}`, 'one');
  }

  damage(found: string, expected: string): Error {
    return corrupt(this.#source.format, this.#source.file, found, expected);
  }

  /** Throws the damage error that names the section. */
  verify(crc: number): void {
    const found = crc32c(this.#file.subarray(0, this.#file.length - FOOTER_BYTES));
    if (found === crc) return;
    for (const section of this.#sections.values()) {
      if (crc32c(this.bytes(section.name)) !== section.crc) {
        throw this.damage(`section ${section.name} that fails its checksum`, 'an unharmed one');
      }
    }
    throw this.damage(`checksum ${formatCrc(found)}`, formatCrc(crc));
  }
}

/** The files that lie in a segment's memory. */
export interface LoadedFiles {
  readonly index: LoadedSections;
  readonly positions: LoadedSections;
  readonly bounds: LoadedSections | undefined;
}

/** A file that is loaded whole. */
export interface LoadRequest {
  readonly file: string;
  readonly format: FileFormat;
  readonly seal: FileSeal;
}

/** Reads a whole file into `target`, which has the seal's length, and verifies every byte of it. */
export const loadSectionFile = (
  { file, format, seal }: LoadRequest,
  target = new Uint8Array(new SharedArrayBuffer(seal.bytes)),
): LoadedSections => {
  const fd = openSync(file, 'r');
  try {
    const lengthBytes = lengthOf(fd, { format, file });
    const header = Buffer.alloc(HEADER_BYTES);
    readExactly(fd, header, 0, file);
    checkHeader(header, format, file);
    if (lengthBytes !== seal.bytes) throw corrupt(format, file, `${lengthBytes} bytes`, `${seal.bytes}`);
    readExactly(fd, target, 0, file);
    checkSeal(target.subarray(lengthBytes - FOOTER_BYTES), lengthBytes, seal, { format, file });
    const sections = new LoadedSections(target, { format, file });
    sections.verify(seal.crc);
    return sections;
  } finally {
    closeSync(fd);
  }
};

const lengthOf = (fd: number, { format, file }: Source): number => {
  const status = fstatSync(fd);
  if (status.isDirectory()) throw corrupt(format, file, 'a folder', 'a file');
  const least = HEADER_BYTES + DIRECTORY_POINTER_BYTES + FOOTER_BYTES;
  if (status.size < least) throw corrupt(format, file, `${status.size} bytes`, `at least ${least}`);
  return status.size;
};

/** A file that stays on the disk: header, footer and directory are verified, a section when it is read whole. */
export class SectionFile {
  readonly #fd: number;
  readonly #source: Source;
  readonly #sections: ReadonlyMap<string, Section>;
  #closed = false;

  private constructor(fd: number, source: Source, sections: ReadonlyMap<string, Section>) {
    this.#fd = fd;
    this.#source = source;
    this.#sections = sections;
  }

  static open(file: string, format: FileFormat, seal: FileSeal): SectionFile {
    const fd = openSync(file, 'r');
    try {
      const lengthBytes = lengthOf(fd, { format, file });
      const header = Buffer.alloc(HEADER_BYTES);
      readExactly(fd, header, 0, file);
      checkHeader(header, format, file);
      const footer = Buffer.alloc(FOOTER_BYTES);
      const end = lengthBytes - FOOTER_BYTES;
      readExactly(fd, footer, end, file);
      checkSeal(footer, lengthBytes, seal, { format, file });
      const pointer = Buffer.alloc(DIRECTORY_POINTER_BYTES);
      readExactly(fd, pointer, end - DIRECTORY_POINTER_BYTES, file);
      const start = Number(pointer.readBigUInt64LE(0));
      if (start < HEADER_BYTES || start > end - DIRECTORY_POINTER_BYTES) {
        throw corrupt(format, file, `a directory at byte ${start}`, 'one inside the file');
      }
      const tail = Buffer.alloc(end - start);
      readExactly(fd, tail, start, file);
      return new SectionFile(fd, { format, file }, decodeDirectory(tail, end, { format, file }));
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  get file(): string {
    return this.#source.file;
  }

  /** Reads and verifies a section. */
  read(name: string): Uint8Array {
    const { offset, length, crc } = this.section(name);
    const bytes = new Uint8Array(length);
    readExactly(this.#fd, bytes, offset, this.file);
    if (crc32c(bytes) !== crc)
      throw this.damage(`section ${name} that fails its checksum`, 'an unharmed one');
    return bytes;
  }

  /** Reads a section a part at a time and verifies it; nothing of it is kept. */
  verify(name: string): void {
    const { length, crc } = this.section(name);
    const part = new Uint8Array(Math.min(length, VERIFY_BYTES));
    let found = 0;
    for (let offset = 0; offset < length; offset += part.length) {
      const bytes = part.subarray(0, length - offset);
      this.readInto(name, offset, bytes);
      found = crc32c(bytes, found);
    }
    if (found !== crc) throw this.damage(`section ${name} that fails its checksum`, 'an unharmed one');
  }

  /** Reads a part of a section, unverified. */
  readAt(name: string, offset: number, length: number): Buffer {
    this.#refuseOutside(name, offset, length);
    const bytes = Buffer.alloc(length);
    this.readInto(name, offset, bytes);
    return bytes;
  }

  /** Fills `target` from byte `offset` of a section on, unverified. */
  readInto(name: string, offset: number, target: Uint8Array): void {
    this.#refuseOutside(name, offset, target.length);
    readExactly(this.#fd, target, this.section(name).offset + offset, this.file);
  }

  #refuseOutside(name: string, offset: number, length: number): void {
    const section = this.section(name);
    const isPlace = Number.isInteger(offset) && Number.isInteger(length) && offset >= 0 && length >= 0;
    if (isPlace && offset + length <= section.length) return;
    throw this.damage(`a pointer to byte ${offset} of ${name}`, `one of at most ${section.length}`);
  }

  section(name: string): Section {
    const section = this.#sections.get(name);
    if (section) return section;
    throw this.damage(`no section ${name}`, 'one');
  }

  damage(found: string, expected: string): Error {
    return corrupt(this.#source.format, this.file, found, expected);
  }

  close(): void {
    if (!this.#closed) closeSync(this.#fd);
    this.#closed = true;
  }
}
