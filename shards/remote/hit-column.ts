import type { ShardHit } from '../server/shard-client.ts';
import { trustUrlKey } from '../values/hash.ts';

/** Key u64, score u32, shard u32, segment u32, doc u32. */
const HIT_BYTES = 24;

/** Hits as one byte string: a bigint in MessagePack would cost as much as the whole row. */
export const writeHits = (hits: readonly ShardHit[]): Uint8Array => {
  const bytes = new Uint8Array(hits.length * HIT_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { key, score, shard, segment, doc } of hits) {
    view.setBigUint64(at, key, true);
    view.setUint32(at + 8, score, true);
    view.setUint32(at + 12, shard, true);
    view.setUint32(at + 16, segment, true);
    view.setUint32(at + 20, doc, true);
    at += HIT_BYTES;
  }
  return bytes;
};

/** undefined when the bytes do not end with a row. */
export const readHits = (bytes: Uint8Array): ShardHit[] | undefined => {
  if (bytes.length % HIT_BYTES !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / HIT_BYTES }, (_, row) => {
    const at = row * HIT_BYTES;
    return {
      key: trustUrlKey(view.getBigUint64(at, true)),
      score: view.getUint32(at + 8, true),
      shard: view.getUint32(at + 12, true),
      segment: view.getUint32(at + 16, true),
      doc: view.getUint32(at + 20, true),
    };
  });
};
