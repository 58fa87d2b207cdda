import { HEADER_ADDRESS } from '../../search-layout.ts';

/** Word `index` of the record at `address`. */
// @ts-ignore: decorator
@inline
export function wordOf(address: usize, index: u32): u32 {
  return load<u32>(address + (<usize>index << 2));
}

// @ts-ignore: decorator
@inline
export function setWord(address: usize, index: u32, value: u32): void {
  store<u32>(address + (<usize>index << 2), value);
}

/** An address out of the segment's header. */
// @ts-ignore: decorator
@inline
export function header(index: u32): usize {
  return <usize>wordOf(HEADER_ADDRESS, index);
}
