import { WORK, WORK_BYTES } from '../../shards/kernels/search-layout.ts';
import type { OpenSegment } from '../../shards/segment/segment-reader.ts';

/**
 * To be called before the segment's first query. The function fills the kernels' work area with that byte: kernels share it, so
 * each must do without anything that another one, or an earlier query, left there.
 */
export const scribbler = (segment: OpenSegment): ((byte: number) => void) => {
  const memory = segment.kernelMemory?.memory;
  const base = memory?.buffer.byteLength ?? 0;
  return (byte) => {
    if (memory !== undefined && memory.buffer.byteLength > base)
      new Uint8Array(memory.buffer, base + WORK, WORK_BYTES).fill(byte);
  };
};
