import { type HostKey, hash64, type NormalUrl } from '../../shards/index.ts';
import { hostOf, originOf, siteOf } from '../url/hosts.ts';

/**
 * Keys of the crawl store (layout in FORMAT.md). Each begins with the virtual partition, one byte made of the registrable
 * domain, so that a partition is a range of every table and its politeness stays together when it moves.
 */
export type Partition = number;

const LOW_56_BITS = (1n << 56n) - 1n;
const PARTITION_CACHE_SIZE = 16_384;
const partitions = new Map<string, Partition>();

/** XXH64 of the registrable domain (private suffixes counted), its eight high bits; of the host itself where there is none. */
export const partitionOf = (host: string): Partition => {
  const cached = partitions.get(host);
  if (cached !== undefined) return cached;
  const partition = Number(hash64(siteOf(host)) >> 56n);
  if (partitions.size >= PARTITION_CACHE_SIZE) partitions.clear();
  partitions.set(host, partition);
  return partition;
};

const withPartition = (host: string, hash: bigint): bigint =>
  (BigInt(partitionOf(host)) << 56n) | (hash & LOW_56_BITS);

/** Partition byte + low 56 bits of the URL key: key of the URL table and fingerprint of the duplicate-URL eliminator. */
export const urlFingerprint = (url: NormalUrl): bigint => withPartition(hostOf(url), hash64(url));

/** Partition byte + 56 bits of the host's hash. */
export const hostId = (host: HostKey): bigint => withPartition(host, hash64(host));

/** Partition byte + 56 bits of the origin's hash: key of the robots table. */
export const originId = (url: NormalUrl): bigint => withPartition(hostOf(url), hash64(originOf(url)));

/** Eight bytes, big-endian, so that keys sort as numbers. */
export const key64 = (id: bigint): Buffer => {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(id);
  return key;
};

/** Where a URL waits. */
export interface QueueKey {
  readonly host: bigint;
  /** 0 to 7. */
  readonly level: number;
  /** Order of discovery, below 2^48. */
  readonly seq: number;
}

/** host id 8 | level 1 | seq 6, big-endian: a scan of a host's range is its queue in order of level, then discovery. */
export const queueKey = ({ host, level, seq }: QueueKey): Buffer => {
  const key = Buffer.allocUnsafe(15);
  key.writeBigUInt64BE(host);
  key.writeUInt8(level, 8);
  key.writeUIntBE(seq, 9, 6);
  return key;
};

export const parseQueueKey = (key: Buffer): QueueKey => ({
  host: key.readBigUInt64BE(0),
  level: key.readUInt8(8),
  seq: key.readUIntBE(9, 6),
});

/** Partition 0 holds the run's own scalars. */
export const metaKey = (name: string): Buffer => Buffer.from(`\0${name}`);
