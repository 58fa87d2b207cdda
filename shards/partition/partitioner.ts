import { SLOT_COUNT, slotOf } from '../values/hash.ts';
import { type ShardIndex, shardIndex, type UrlKey } from '../values/ids.ts';

/** Shard of each slot of the ring: SLOT_COUNT entries. */
export type SlotMap = Uint16Array;

/**
 * The slots of 1..SLOT_COUNT shards. Built by growing from one shard: each new shard takes its share from the fullest
 * ones, so shards differ by at most one slot, and one shard more moves only the slots that it takes.
 * Depends on the number alone.
 */
export const slotMapOf = (shardCount: number): SlotMap => {
  if (!(Number.isInteger(shardCount) && shardCount >= 1 && shardCount <= SLOT_COUNT)) {
    throw new RangeError(`${shardCount} shards; allowed are 1 to ${SLOT_COUNT}`);
  }
  const slots = new Uint16Array(SLOT_COUNT);
  const slotsOf: number[][] = [Array.from(slots.keys())];
  for (let added = 1; added < shardCount; added += 1) {
    const own: number[] = [];
    for (let share = Math.floor(SLOT_COUNT / (added + 1)); share > 0; share -= 1) {
      const fullest = slotsOf.reduce((best, list) => (list.length > best.length ? list : best));
      const slot = fullest.pop() as number;
      own.push(slot);
      slots[slot] = added;
    }
    slotsOf.push(own);
  }
  return slots;
};

/** Shard that holds the document of that key. */
export const shardOf = (slots: SlotMap, key: UrlKey): ShardIndex => shardIndex(slots[slotOf(key)] ?? 0);
