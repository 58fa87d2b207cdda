import { open } from 'node:fs/promises';
import { crc32c } from '@node-rs/crc32';
import { failShards } from '../errors.ts';
import type { QuarryError } from '../values/errors.ts';
import { rethrowNaming } from './system-errors.ts';

/** How a kind of file is named and versioned. The layout of the envelope is in FORMAT.md. */
export interface FileFormat {
  /** 1 to 16 ASCII characters. */
  readonly name: string;
  /** Version that this Quarry writes, 1..65535. */
  readonly version: number;
  /** Oldest version that this Quarry reads. */
  readonly oldestVersion: number;
  /** What to do when a file is damaged or too old: one clause, as in 'run `quarry index --rebuild`'. */
  readonly remedy: string;
}

/** The body begins here. */
export const HEADER_BYTES = 32;
export const FOOTER_BYTES = 16;

const MAGIC = 'QUARRY';
const END_MARK = 'QEND';
const FOOTER_CRC_OFFSET = 8;
const END_MARK_OFFSET = 12;
const VERSION_OFFSET = 6;
const NAME_OFFSET = 8;
const NAME_BYTES = 16;
const HEADER_CRC_OFFSET = 24;
const VERIFY_BLOCK_BYTES = 1 << 20;

const ascii = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The first HEADER_BYTES of a file of that format, in its newest version. */
export const encodeHeader = (format: FileFormat): Uint8Array => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 0, 'latin1');
  header.writeUInt16LE(format.version, VERSION_OFFSET);
  header.write(format.name, NAME_OFFSET, NAME_BYTES, 'latin1');
  header.writeUInt32LE(crc32c(header.subarray(0, HEADER_CRC_OFFSET)), HEADER_CRC_OFFSET);
  return header;
};

/** The damage error of a file, with what its format says to do. */
export const corrupt = (format: FileFormat, file: string, found: string, expected: string): QuarryError =>
  failShards('SHARDS_FILE_CORRUPT', { file, found, expected, remedy: format.remedy });

/** Checks a file's first bytes and returns the version found. Throws the corrupt, too old or too new error. */
export const checkHeader = (bytes: Uint8Array, format: FileFormat, file: string): number => {
  if (bytes.length < HEADER_BYTES) {
    throw corrupt(format, file, `${bytes.length} bytes`, `a header of ${HEADER_BYTES}`);
  }
  const header = bytes.subarray(0, HEADER_BYTES);
  const magic = ascii(header.subarray(0, MAGIC.length));
  if (magic !== MAGIC) {
    throw corrupt(format, file, `magic ${JSON.stringify(magic)}`, JSON.stringify(MAGIC));
  }
  const storedCrc = viewOf(header).getUint32(HEADER_CRC_OFFSET, true);
  const reserved = viewOf(header).getUint32(HEADER_CRC_OFFSET + 4, true);
  if (storedCrc !== crc32c(header.subarray(0, HEADER_CRC_OFFSET)) || reserved !== 0) {
    throw corrupt(format, file, 'a header that fails its checksum', 'an unharmed one');
  }
  const nameField = ascii(header.subarray(NAME_OFFSET, HEADER_CRC_OFFSET));
  if (nameField !== format.name.padEnd(NAME_BYTES, '\0')) {
    const name = JSON.stringify(nameField.replace(/\0+$/, ''));
    throw corrupt(format, file, `a file of format ${name}`, `format "${format.name}"`);
  }
  return checkVersion(viewOf(header).getUint16(VERSION_OFFSET, true), format, file);
};

const checkVersion = (found: number, format: FileFormat, file: string): number => {
  const details = { file, format: format.name, found, remedy: format.remedy };
  if (found < format.oldestVersion) {
    throw failShards('SHARDS_FILE_TOO_OLD', { ...details, expected: format.oldestVersion });
  }
  if (found > format.version) {
    throw failShards('SHARDS_FILE_TOO_NEW', { ...details, expected: format.version });
  }
  return found;
};

/** `crc` is CRC32C over header and body, `lengthBytes` the length of both. */
export const encodeFooter = (lengthBytes: number, crc: number): Uint8Array => {
  const footer = Buffer.alloc(FOOTER_BYTES);
  footer.writeBigUInt64LE(BigInt(lengthBytes), 0);
  footer.writeUInt32LE(crc, FOOTER_CRC_OFFSET);
  footer.write(END_MARK, END_MARK_OFFSET, 'latin1');
  return footer;
};

/** What a footer says of the header and body before it. */
export interface Footer {
  readonly lengthBytes: number;
  readonly crc: number;
}

/** The footer in the last FOOTER_BYTES of a file; undefined when they are none. */
export const decodeFooter = (bytes: Uint8Array): Footer | undefined => {
  if (bytes.length !== FOOTER_BYTES || ascii(bytes.subarray(END_MARK_OFFSET)) !== END_MARK) return undefined;
  const view = viewOf(bytes);
  return { lengthBytes: Number(view.getBigUint64(0, true)), crc: view.getUint32(FOOTER_CRC_OFFSET, true) };
};

/** A checksum as messages show it: eight hex digits. */
export const formatCrc = (crc: number): string => crc.toString(16).padStart(8, '0');

/** Header, body and footer as the parts of one file. */
export const sealFile = (format: FileFormat, body: readonly Uint8Array[]): Uint8Array[] => {
  const parts = [encodeHeader(format), ...body];
  let crc = 0;
  let lengthBytes = 0;
  for (const part of parts) {
    crc = crc32c(part, crc);
    lengthBytes += part.length;
  }
  return [...parts, encodeFooter(lengthBytes, crc)];
};

const checkFooter = (bytes: Uint8Array, found: Footer, format: FileFormat, file: string): void => {
  const footer = decodeFooter(bytes);
  if (footer === undefined) throw corrupt(format, file, 'no footer at its end', 'a whole file');
  if (footer.lengthBytes !== found.lengthBytes) {
    throw corrupt(format, file, `${found.lengthBytes} bytes before the footer`, `${footer.lengthBytes}`);
  }
  if (footer.crc !== found.crc) {
    throw corrupt(format, file, `checksum ${formatCrc(found.crc)}`, formatCrc(footer.crc));
  }
};

/** Checks a whole file in memory and returns its body as a view. */
export const openSealed = (
  bytes: Uint8Array,
  format: FileFormat,
  file: string,
): { readonly version: number; readonly body: Uint8Array } => {
  const version = checkHeader(bytes, format, file);
  const end = bytes.length - FOOTER_BYTES;
  if (end < HEADER_BYTES) throw corrupt(format, file, `${bytes.length} bytes`, 'a header and a footer');
  const crc = crc32c(bytes.subarray(0, end));
  checkFooter(bytes.subarray(end), { lengthBytes: end, crc }, format, file);
  return { version, body: bytes.subarray(HEADER_BYTES, end) };
};

/** Checks a file on disk block by block, without holding it in memory. Returns version and body length. */
export const verifySealedFile = async (
  file: string,
  format: FileFormat,
): Promise<{ readonly version: number; readonly bodyBytes: number }> => {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const header = Buffer.alloc(Math.min(size, HEADER_BYTES));
    await handle.read(header, 0, header.length, 0).catch(rethrowNaming(file));
    const version = checkHeader(header, format, file);
    const end = size - FOOTER_BYTES;
    if (end < HEADER_BYTES) throw corrupt(format, file, `${size} bytes`, 'a header and a footer');
    const block = Buffer.alloc(VERIFY_BLOCK_BYTES);
    let crc = 0;
    for (let offset = 0; offset < end; ) {
      const { bytesRead } = await handle.read(block, 0, Math.min(block.length, end - offset), offset);
      if (bytesRead === 0) throw corrupt(format, file, `an end at byte ${offset}`, `${end} bytes`);
      crc = crc32c(block.subarray(0, bytesRead), crc);
      offset += bytesRead;
    }
    const footer = Buffer.alloc(FOOTER_BYTES);
    await handle.read(footer, 0, FOOTER_BYTES, end);
    checkFooter(footer, { lengthBytes: end, crc }, format, file);
    return { version, bodyBytes: end - HEADER_BYTES };
  } finally {
    await handle.close();
  }
};
