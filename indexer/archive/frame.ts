import { crc32c } from '@node-rs/crc32';
import type { FileFormat } from '../../shards/index.ts';

/** The page log is the source of truth: every version ever written stays readable. */
export const PAGE_LOG_FORMAT: FileFormat = {
  name: 'page-log',
  version: 1,
  oldestVersion: 1,
  remedy: 'put the file back from a snapshot, or crawl again into another folder',
};

/** What a frame holds. */
export const FrameKind = { Record: 1, Mark: 2 } as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

export const Compression = { None: 0, Brotli: 1 } as const;
export type Compression = (typeof Compression)[keyof typeof Compression];

export const FRAME_HEADER_BYTES = 16;
/** Upper bound of a payload before and after compression; a longer length field is damage. */
export const MAX_PAYLOAD_BYTES = 128 * 1024 * 1024;
/** Eight bytes by which a sync mark is found again behind damaged bytes. */
const MARK_WORD = Buffer.from('QMARK\r\n\u001a', 'latin1');
const MARK_PAYLOAD_BYTES = 32;
export const MARK_BYTES = FRAME_HEADER_BYTES + MARK_PAYLOAD_BYTES;

const CRC_OFFSET = 12;

export interface FrameHeader {
  readonly kind: FrameKind;
  readonly compression: Compression;
  readonly payloadBytes: number;
  /** Length of the payload after decompression. */
  readonly rawBytes: number;
  readonly crc: number;
}

/** A frame with its checksum. `rawBytes`: length of the payload before compression. */
export const encodeFrame = (
  kind: FrameKind,
  compression: Compression,
  payload: Uint8Array,
  rawBytes: number,
): Buffer => {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  frame.writeUInt8(kind, 0);
  frame.writeUInt8(compression, 1);
  frame.writeUInt16LE(0, 2);
  frame.writeUInt32LE(payload.length, 4);
  frame.writeUInt32LE(rawBytes, 8);
  frame.set(payload, FRAME_HEADER_BYTES);
  frame.writeUInt32LE(frameCrc(frame), CRC_OFFSET);
  return frame;
};

/** CRC32C over the header before the checksum, then the payload. */
const frameCrc = (frame: Uint8Array): number =>
  crc32c(frame.subarray(FRAME_HEADER_BYTES), crc32c(frame.subarray(0, CRC_OFFSET)));

/** The header in the first 16 bytes, or in words why it cannot be one. */
export const decodeFrameHeader = (bytes: Buffer): FrameHeader | string => {
  const kind = bytes.readUInt8(0);
  const compression = bytes.readUInt8(1);
  const payloadBytes = bytes.readUInt32LE(4);
  const rawBytes = bytes.readUInt32LE(8);
  if (kind !== FrameKind.Record && kind !== FrameKind.Mark) return `unknown frame kind ${kind}`;
  if (compression !== Compression.None && compression !== Compression.Brotli) {
    return `unknown compression ${compression}`;
  }
  if (bytes.readUInt16LE(2) !== 0) return 'reserved bits are set';
  if (payloadBytes > MAX_PAYLOAD_BYTES || rawBytes > MAX_PAYLOAD_BYTES) return 'impossible length';
  return { kind, compression, payloadBytes, rawBytes, crc: bytes.readUInt32LE(CRC_OFFSET) };
};

/** Whether a whole frame has the checksum that its header says. */
export const frameIsIntact = (frame: Uint8Array, header: FrameHeader): boolean =>
  frameCrc(frame) === header.crc;

/** What a sync mark says: all records before it, in this file and earlier ones, are committed. */
export interface SyncMark {
  /** Where the mark itself stands; a mark found elsewhere is a copy and not valid. */
  readonly file: number;
  readonly offsetBytes: number;
  /** Records in the log before the mark. */
  readonly recordCount: number;
}

/** The frame of a sync mark. */
export const encodeMark = (mark: SyncMark): Buffer => {
  const payload = Buffer.alloc(MARK_PAYLOAD_BYTES);
  MARK_WORD.copy(payload, 0);
  payload.writeBigUInt64LE(BigInt(mark.file), 8);
  payload.writeBigUInt64LE(BigInt(mark.offsetBytes), 16);
  payload.writeBigUInt64LE(BigInt(mark.recordCount), 24);
  return encodeFrame(FrameKind.Mark, Compression.None, payload, payload.length);
};

/** undefined when the payload is not one of a mark. */
export const decodeMark = (payload: Buffer): SyncMark | undefined => {
  if (payload.length !== MARK_PAYLOAD_BYTES || !payload.subarray(0, 8).equals(MARK_WORD)) return undefined;
  return {
    file: Number(payload.readBigUInt64LE(8)),
    offsetBytes: Number(payload.readBigUInt64LE(16)),
    recordCount: Number(payload.readBigUInt64LE(24)),
  };
};

/** Offset in `bytes` of the next place where a mark's frame may begin, -1 when there is none. */
export const findMarkWord = (bytes: Buffer, from: number): number => {
  const word = bytes.indexOf(MARK_WORD, from + FRAME_HEADER_BYTES);
  return word < 0 ? -1 : word - FRAME_HEADER_BYTES;
};
