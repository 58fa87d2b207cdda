import type { BrotliOptions, ZlibOptions } from 'node:zlib';
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** What a body may grow to. */
export interface InflateLimits {
  /** Default 8 MiB. */
  readonly maxBytes?: number;
  /** Output bytes for each byte of input, beyond the first MiB; default 200. */
  readonly maxRatio?: number;
}

/** A body without its content-encoding. */
export interface Inflated {
  readonly body: Uint8Array;
  /** 'length': cut at a limit. 'disconnect': the coding ends early or breaks; what came before is kept. */
  readonly truncated: '' | 'length' | 'disconnect';
}

/** Longest body that inflate gives out, unless it is told otherwise. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_RATIO = 200;
/** Small bodies may be packed tighter than the ratio allows: a page of blanks is no attack. */
const RATIO_FREE_BYTES = 1024 * 1024;
/** RFC 9110 sets no limit; more than one is a mistake of a proxy, more than three an attack. */
const MAX_LAYERS = 3;

/** Undoes one coding; lenient, a stream that ends early is no error: what there is comes out. */
type Decoder = (input: Uint8Array, maxOutputLength: number, isLenient: boolean) => Uint8Array;

const zlibOptions = (maxOutputLength: number, isLenient: boolean): ZlibOptions =>
  isLenient ? { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH } : { maxOutputLength };
const brotliOptions = (maxOutputLength: number, isLenient: boolean): BrotliOptions =>
  isLenient ? { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH } : { maxOutputLength };

const gunzip: Decoder = (input, max, isLenient) => gunzipSync(input, zlibOptions(max, isLenient));
const unbrotli: Decoder = (input, max, isLenient) =>
  brotliDecompressSync(input, brotliOptions(max, isLenient));
const unzlib: Decoder = (input, max, isLenient) => inflateSync(input, zlibOptions(max, isLenient));
const unraw: Decoder = (input, max, isLenient) => inflateRawSync(input, zlibOptions(max, isLenient));

const isGzip = (input: Uint8Array): boolean => input[0] === 0x1f && input[1] === 0x8b && input[2] === 8;
/** RFC 1950, 2.2: method 8, window of at most 32 KiB, header a multiple of 31. */
const isZlib = (input: Uint8Array): boolean => {
  const [method = 0, flags = 0] = input;
  return (method & 15) === 8 && method >> 4 <= 7 && ((method << 8) | flags) % 31 === 0;
};

/** Decoder for a coding as it is, not as it calls itself; undefined when the input is not coded so at all. */
const decoderFor = (coding: string, input: Uint8Array): Decoder | undefined => {
  if (coding === 'gzip' || coding === 'x-gzip') return isGzip(input) ? gunzip : undefined;
  if (coding === 'br') return unbrotli;
  if (coding !== 'deflate') return undefined;
  if (isGzip(input)) return gunzip;
  return isZlib(input) ? unzlib : unraw;
};

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/** The output, or what went wrong. */
type Attempt = { readonly output: Uint8Array } | { readonly error: unknown };

const attempt = (decode: () => Uint8Array): Attempt => {
  try {
    return { output: decode() };
  } catch (error) {
    return { error };
  }
};

interface Prefix {
  readonly output: Uint8Array;
  /** Bytes of the input that yield it. */
  readonly inputBytes: number;
}

/**
 * What a coding yields before it breaks or passes the limit. zlib gives nothing back on an error, so the longest
 * prefix of the input that decodes is sought by bisection; only bad bodies pay for it.
 */
const decodePrefix = (decode: Decoder, input: Uint8Array, maxOutputLength: number): Prefix => {
  let best: Uint8Array = new Uint8Array();
  let low = 0;
  let high = input.length + 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const tried = attempt(() => decode(input.subarray(0, middle), maxOutputLength, true));
    if ('output' in tried) {
      low = middle;
      best = tried.output;
    } else {
      high = middle;
    }
  }
  return { output: best, inputBytes: low };
};

/**
 * Whether a prefix is a whole stream, with garbage behind it. The decoder reads into the garbage, a byte or two of which may
 * look like the beginning of one more member.
 */
const isWhole = (decode: Decoder, input: Uint8Array, { output, inputBytes }: Prefix): boolean =>
  [0, 1, 2].some((back) => {
    const tried = attempt(() => decode(input.subarray(0, inputBytes - back), output.length + 1, false));
    return 'output' in tried && tried.output.length === output.length;
  });

/** Brotli and bare deflate have no magic number; text that is no such stream is told by its being text. */
const isPlainText = (input: Uint8Array): boolean => {
  const start = input.subarray(0, PLAIN_TEXT_BYTES);
  return start.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 12 || byte === 13);
};
const PLAIN_TEXT_BYTES = 512;

const decodeLayer = (decode: Decoder, input: Uint8Array, maxOutputLength: number): Inflated => {
  const whole = attempt(() => decode(input, maxOutputLength, false));
  if ('output' in whole) return { body: whole.output, truncated: '' };
  if (isTooLarge(whole.error)) {
    return { body: decodePrefix(decode, input, maxOutputLength).output, truncated: 'length' };
  }
  const prefix = isPlainText(input) ? undefined : decodePrefix(decode, input, maxOutputLength);
  // Not one byte came out: the header lied and the body is what it is.
  if (prefix === undefined || prefix.output.length === 0) return { body: input, truncated: '' };
  return { body: prefix.output, truncated: isWhole(decode, input, prefix) ? '' : 'disconnect' };
};

const codingsOf = (contentEncoding: string): readonly string[] =>
  contentEncoding
    .split(/[,\n]/)
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();

/**
 * Undoes Content-Encoding (RFC 9110, 8.4): gzip, x-gzip, deflate with and without zlib's header, br, in up to three
 * layers; an unknown coding or one that the bytes do not show leaves the body as it is. Never fails: what a torn or
 * oversized stream yields up to there comes back, marked.
 */
export const inflate = (body: Uint8Array, contentEncoding: string, limits: InflateLimits = {}): Inflated => {
  const { maxBytes = MAX_BODY_BYTES, maxRatio = MAX_RATIO } = limits;
  let result: Inflated = { body, truncated: '' };
  for (const coding of codingsOf(contentEncoding).slice(0, MAX_LAYERS)) {
    const decode = decoderFor(coding, result.body);
    if (decode === undefined || result.body.length === 0) continue;
    const maxOutputLength = Math.min(maxBytes, Math.max(RATIO_FREE_BYTES, maxRatio * body.length));
    const layer = decodeLayer(decode, result.body, maxOutputLength);
    result = { body: layer.body, truncated: result.truncated === '' ? layer.truncated : result.truncated };
  }
  if (result.body.length <= maxBytes) return result;
  return { body: result.body.subarray(0, maxBytes), truncated: 'length' };
};
