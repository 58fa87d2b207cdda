declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** An absolute http(s) URL in normal form, or `id:` + percent-encoded id for a document without URL. */
export type NormalUrl = Brand<string, 'NormalUrl'>;
/** Lower-case ASCII host as parsed (no port, no trailing dot); the key of politeness. */
export type HostKey = Brand<string, 'HostKey'>;
/** XXH64 (seed 0) of the UTF-8 normal URL: ties, look-up, slot. Unsigned, 64 bits. */
export type UrlKey = Brand<bigint, 'UrlKey'>;
/** Ordinal of a shard, from 0. */
export type ShardIndex = Brand<number, 'ShardIndex'>;
/** One of the 1,024 slots of the partition ring. */
export type SlotIndex = Brand<number, 'SlotIndex'>;
/** Number of a published version of the global statistics, from 1; 0 means none yet. */
export type EpochNumber = Brand<number, 'EpochNumber'>;

/** Use only on a string that the normaliser made, or that was read from one of our own files. */
export const trustNormalUrl = (url: string): NormalUrl => url as NormalUrl;
/** Use only on a host as a parsed URL has it. */
export const trustHostKey = (host: string): HostKey => host as HostKey;
/** From 0; the caller knows that there is such a shard. */
export const shardIndex = (value: number): ShardIndex => value as ShardIndex;
/** From 1, or 0 for none yet. */
export const epochNumber = (value: number): EpochNumber => value as EpochNumber;
