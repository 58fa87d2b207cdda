import type { ParsedPage, ParseInput } from './parsed-page.ts';

/** To a parse worker: one page. The body's buffer is transferred. */
export interface ParseRequest {
  readonly id: number;
  readonly input: ParseInput;
}

/** From a parse worker: the page, its body transferred back, or why parsing threw. */
export type ParseReply =
  | { readonly id: number; readonly page: ParsedPage }
  | { readonly id: number; readonly failure: string };

/**
 * Bytes that are the whole of their buffer, so that the buffer may be transferred without taking others' bytes along; a
 * copy where they are a part (small Buffers share one).
 */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
};
