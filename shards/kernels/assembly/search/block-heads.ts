import {
  HEAD_BOUND,
  HEAD_BYTES_BITS,
  HEAD_DOCS_OFFSET,
  HEAD_GROUP_BOUNDS,
  HEAD_LAST_DOC,
  HEAD_POSITIONS_OFFSET,
  HEAD_SHAPE,
  HEADER_BLOCK_HEADS,
} from '../../search-layout.ts';
import { header } from './words.ts';

/**
 * What is stored of a block record in columns of its own, side by side: so a block that is entered costs one line of the cache and
 * one page of memory, not five. Columns remain for what goes through many records.
 */

/** Address of the head of a record. */
// @ts-ignore: decorator
@inline
export function headOf(record: u32): usize {
  return header(HEADER_BLOCK_HEADS) + (<usize>record << HEAD_BYTES_BITS);
}

/** Where its documents begin, in bytes from the list's first posting. */
// @ts-ignore: decorator
@inline
export function docsOffset(head: usize): u32 {
  return load<u32>(head, HEAD_DOCS_OFFSET);
}

/** Where its positions begin, in bytes from the list's first position. */
// @ts-ignore: decorator
@inline
export function positionsOffset(head: usize): u32 {
  return load<u32>(head, HEAD_POSITIONS_OFFSET);
}

// @ts-ignore: decorator
@inline
export function shapeOf(head: usize): u32 {
  return <u32>load<u16>(head, HEAD_SHAPE);
}

/** Stored bound of the block. */
// @ts-ignore: decorator
@inline
export function boundStep(head: usize): u32 {
  return <u32>load<u8>(head, HEAD_BOUND);
}

// @ts-ignore: decorator
@inline
export function lastDoc(head: usize): u32 {
  return load<u32>(head, HEAD_LAST_DOC);
}

/** Address of the stored bounds of its eight groups: u8 each. */
// @ts-ignore: decorator
@inline
export function groupSteps(head: usize): usize {
  return head + HEAD_GROUP_BOUNDS;
}
