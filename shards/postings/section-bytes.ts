/** Bytes of a section, all of them or those near where it is read: lists are merged in rising order of their places. */
export interface SectionBytes {
  /** What is at hand; maybe another array after `reach`. */
  readonly bytes: Uint8Array;
  /** Brings up to `length` bytes of the section from `offset` on to hand; returns where in `bytes` they begin. */
  reach(offset: number, length: number): number;
}

/** A section that is in memory as a whole. */
export const wholeSection = (bytes: Uint8Array): SectionBytes => ({ bytes, reach: (offset) => offset });
