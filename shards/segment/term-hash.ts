/**
 * 32-bit hash of a term's UTF-8 bytes: FNV-1a (Fowler, Noll, Vo), mixed once more by the finaliser of MurmurHash3, since
 * the index uses high and low bits apart. Part of the segment format.
 */
export const termHash = (bytes: Uint8Array): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i += 1) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
