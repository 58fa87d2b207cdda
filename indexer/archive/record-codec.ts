import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import { Packr } from 'msgpackr';
import { failIndexer } from '../errors.ts';
import { Compression, encodeFrame, FrameKind, MAX_PAYLOAD_BYTES } from './frame.ts';
import type { LogRecord } from './record.ts';

const compress = promisify(brotliCompress);

// Plain MessagePack maps: without msgpackr's record extension any reader of any language can read the log.
const packr = new Packr({ useRecords: false });

/**
 * Quality 1: on 1,501 documentation pages (55 MB of body and text) 210 MB/s of CPU time at ratio 4.1, against
 * 107 MB/s at 3.7 by deflate level 1 and 132 MB/s at 4.4 by quality 2.
 */
const BROTLI_QUALITY = 1;
/** Below this a compressed payload is hardly shorter. */
const LEAST_COMPRESSED_BYTES = 128;

/** The frame of a record. Packs at once, so that the record may change afterwards; compresses in the thread pool. */
export const encodeRecord = (record: LogRecord): Promise<Buffer> => {
  // A copy: msgpackr reuses its buffer, and the compressor reads it later.
  const raw = Buffer.from(packr.pack(record));
  if (raw.length > MAX_PAYLOAD_BYTES) {
    throw failIndexer('INDEXER_RECORD_TOO_LARGE', {
      url: record.url,
      bytes: raw.length,
      limit: MAX_PAYLOAD_BYTES,
    });
  }
  return frameOf(raw);
};

const frameOf = async (raw: Buffer): Promise<Buffer> => {
  if (raw.length < LEAST_COMPRESSED_BYTES) {
    return encodeFrame(FrameKind.Record, Compression.None, raw, raw.length);
  }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
  };
  const payload = await compress(raw, { params });
  return encodeFrame(FrameKind.Record, Compression.Brotli, payload, raw.length);
};

const isRecord = (value: unknown): value is LogRecord =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'page' || value.kind === 'redirect' || value.kind === 'gone') &&
  'url' in value &&
  typeof value.url === 'string';

/** The record in a frame's payload; throws a plain Error saying what is wrong with it. */
export const decodeRecord = (payload: Buffer, compression: Compression, rawBytes: number): LogRecord => {
  // A body in the record would otherwise be a view of the reader's buffer, which the next record overwrites.
  const raw =
    compression === Compression.Brotli
      ? brotliDecompressSync(payload, { maxOutputLength: Math.max(1, rawBytes) })
      : Buffer.from(payload);
  if (raw.length !== rawBytes) throw new Error(`${raw.length} bytes after decompression, not ${rawBytes}`);
  const value: unknown = packr.unpack(raw);
  if (!isRecord(value)) throw new Error('its content is not a page record');
  return value;
};
