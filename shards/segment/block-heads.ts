import { failShards } from '../errors.ts';
import {
  HEAD_BYTES_BITS,
  HEAD_DOCS_OFFSET,
  HEAD_GROUP_BOUNDS,
  HEAD_LAST_DOC,
  HEAD_POSITIONS_OFFSET,
  HEAD_SHAPE,
  PAGE_BYTES,
} from '../kernels/search-layout.ts';
import type { LoadedFiles } from './section-file.ts';

/** The stored bound that stands for the most that there is, and four of them. */
const MAX_STEP = 255;
const FOUR_MAX_STEPS = 0xffffffff;
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Adds room to a memory and gives its address. Throws SHARDS_NO_MEMORY. */
const grow = (memory: WebAssembly.Memory, bytes: number): number => {
  try {
    return memory.grow(Math.ceil(bytes / PAGE_BYTES)) * PAGE_BYTES;
  } catch (error) {
    throw failShards(
      'SHARDS_NO_MEMORY',
      { folder: 'a shard', bytes: memory.buffer.byteLength + bytes },
      error,
    );
  }
};

/**
 * Writes the heads of all block records behind the files (HEAD_… of kernels/search-layout.ts; 32 bytes for each 128 postings) and gives
 * their address: what columns say of a block, side by side.
 */
export const writeBlockHeads = (
  memory: WebAssembly.Memory,
  { index, bounds }: LoadedFiles,
  blockCount: number,
): number => {
  const bytes = blockCount << HEAD_BYTES_BITS;
  const address = grow(memory, bytes);
  const heads = new Uint32Array(memory.buffer, address, bytes / WORD_BYTES);
  const docsOffsets = index.u32('docsOffsets');
  const positionsOffsets = index.u32('positionsOffsets');
  const lastDocs = index.u32('lastDocs');
  const shapes = index.u16('shapes');
  const blocks = bounds?.bytes('blocks');
  const groups = bounds?.u32('groups');
  const headWords = (1 << HEAD_BYTES_BITS) / WORD_BYTES;
  for (let record = 0, at = 0; record < blockCount; record += 1, at += headWords) {
    const group = at + HEAD_GROUP_BOUNDS / WORD_BYTES;
    heads[at + HEAD_DOCS_OFFSET / WORD_BYTES] = docsOffsets[record]!;
    heads[at + HEAD_POSITIONS_OFFSET / WORD_BYTES] = positionsOffsets[record]!;
    heads[at + HEAD_SHAPE / WORD_BYTES] = shapes[record]! | ((blocks?.[record] ?? MAX_STEP) << 16);
    heads[at + HEAD_LAST_DOC / WORD_BYTES] = lastDocs[record]!;
    heads[group] = groups?.[2 * record] ?? FOUR_MAX_STEPS;
    heads[group + 1] = groups?.[2 * record + 1] ?? FOUR_MAX_STEPS;
  }
  return address;
};
