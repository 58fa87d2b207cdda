/** A word of the state. */
// @ts-ignore: decorator
@inline
export function state(address: usize): u32 {
  return load<u32>(address);
}

// @ts-ignore: decorator
@inline
export function setState(address: usize, value: u32): void {
  store<u32>(address, value);
}

/** Writes `value` as LEB128; returns the address behind it. Twin: putVarint in bytes/varint.ts. */
export function putVarint(address: usize, value: u32): usize {
  while (value >= 128) {
    store<u8>(address++, (value & 127) | 128);
    value >>>= 7;
  }
  store<u8>(address, value);
  return address + 1;
}

/** Bits that a value needs, 0..32. */
// @ts-ignore: decorator
@inline
export function widthOf(value: u32): u32 {
  return 32 - clz(value);
}
