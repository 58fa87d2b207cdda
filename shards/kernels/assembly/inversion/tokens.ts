import { WIDE_GAP, WIDE_ID } from '../../inversion-layout.ts';

/** Set by readToken: the token's term id and the gap before it. */
export let tokenId: u32 = 0;
export let tokenGap: u32 = 0;

/** Reads the token at `address`; returns the address behind it. */
// @ts-ignore: decorator
@inline
export function readToken(address: usize): usize {
  const word = load<u32>(address);
  tokenId = word >>> 8;
  tokenGap = word & 255;
  address += 4;
  if (tokenId === WIDE_ID) {
    tokenId = load<u32>(address);
    address += 4;
  }
  if (tokenGap === WIDE_GAP) {
    tokenGap = load<u32>(address);
    address += 4;
  }
  return address;
}
