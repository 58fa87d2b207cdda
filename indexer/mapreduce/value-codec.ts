import { Packr } from 'msgpackr';

// Records extension off: each value stands alone, in whatever run it lands.
const packr = new Packr({ useRecords: false });

/** A copy: msgpackr reuses its buffer. */
export const packValue = (value: unknown): Uint8Array => Buffer.from(packr.pack(value));

/** Bytes inside come back as views of `bytes`. */
export const unpackValue = <Value>(bytes: Uint8Array): Value => packr.unpack(bytes) as Value;
