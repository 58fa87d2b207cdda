/**
 * Unsigned LEB128: seven bits a byte, low bits first, the high bit of a byte says that another one follows
 * (DWARF 5, section 7.6; IIR 5.3.1 has the same code with the bytes in the other order).
 * Values are 0..2^53-1, so a code has at most 8 bytes.
 */
export const MAX_VARINT_BYTES = 8;

/** Writes `value` at `offset`, returns the offset behind it. `bytes` must have room. */
export const putVarint = (bytes: Uint8Array, offset: number, value: number): number => {
  let at = offset;
  let rest = value;
  while (rest >= 128) {
    bytes[at] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
};
