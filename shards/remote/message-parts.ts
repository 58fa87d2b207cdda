import { failRemote } from './errors.ts';
import { type Frame } from './frame.ts';
import { MAX_FRAME_BYTES, MORE_BIT } from './kinds.ts';

/** A message as frames: one, unless it is long. */
export const splitMessage = ({ kind, id, payload }: Frame): Frame[] => {
  if (payload.length <= MAX_FRAME_BYTES) return [{ kind, id, payload }];
  const frames: Frame[] = [];
  for (let start = 0; start < payload.length; start += MAX_FRAME_BYTES) {
    const end = start + MAX_FRAME_BYTES;
    const isLast = end >= payload.length;
    frames.push({ kind: isLast ? kind : kind | MORE_BIT, id, payload: payload.subarray(start, end) });
  }
  return frames;
};

/** Puts the frames of one long message together. */
export class MessageParts {
  readonly #maxBytes: number;
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a copy. Throws SHARDS_MESSAGE_TOO_LONG. */
  add(payload: Uint8Array): void {
    this.#bytes += payload.length;
    if (this.#bytes > this.#maxBytes) {
      throw failRemote('SHARDS_MESSAGE_TOO_LONG', { bytes: this.#bytes, limit: this.#maxBytes });
    }
    this.#parts.push(Buffer.from(payload));
  }

  whole(): Buffer {
    return Buffer.concat(this.#parts, this.#bytes);
  }
}
