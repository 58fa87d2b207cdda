import { defineErrors } from './values/errors.ts';

/** Everything that reading and writing shard files can refuse. Codes are never reused. */
export const shardErrors = {
  SHARDS_FILE_CORRUPT: {
    exit: 1,
    message: '{file} is damaged: found {found}, expected {expected}; {remedy}',
  },
  SHARDS_FILE_TOO_OLD: {
    exit: 2,
    message:
      '{file} was written by an older Quarry: found version {found} of format {format}, expected {expected} or newer; {remedy}',
  },
  SHARDS_FILE_TOO_NEW: {
    exit: 2,
    message:
      '{file} was written by a newer Quarry: found version {found} of format {format}, expected {expected} or older; install the newer Quarry, or point --data at another folder',
  },
  SHARDS_READ_OVERRUN: {
    exit: 1,
    message: '{file} is damaged: at byte {offset} found {found}, expected {expected}',
  },
  SHARDS_NO_STATISTICS: {
    exit: 1,
    message: '{folder} holds no statistics of the index; run `quarry index` to make them',
  },
  SHARDS_UNKNOWN_EPOCH: {
    exit: 1,
    message:
      '{folder} no longer holds epoch {epoch} of the statistics; plan the query with the epoch in force',
  },
  SHARDS_EPOCH_CONFLICT: {
    exit: 1,
    message:
      '{folder} holds another epoch {epoch} of the statistics than the one offered, or a newer one; publish under a higher number',
  },
  SHARDS_PAGE_GONE: {
    exit: 1,
    message: 'the page of a hit (key {key}) is no longer in the index; search again',
  },
  SHARDS_WORKER_LOST: {
    exit: 1,
    message: 'a search thread ended before it answered; it has been replaced, ask again',
  },
  SHARDS_WORKER_UNREADY: {
    exit: 1,
    message: 'a search thread could not take up what it was asked about: {reason}; ask again',
  },
  SHARDS_NODE_CLOSED: {
    exit: 1,
    message: 'the index was closed before it was asked',
  },
  SHARDS_DISK_FULL: {
    exit: 1,
    message: '{file} could not be written, the disk is full; free some space and run the command again',
  },
  SHARDS_DUPLICATE_URL: {
    exit: 1,
    message: '{url} was given to the index twice; give each document once',
  },
  SHARDS_OTHER_LAYOUT: {
    exit: 2,
    message:
      'the index in {folder} has {found}, not {asked}; make it anew with `quarry index --rebuild`, or leave those settings out',
  },
  SHARDS_WRITER_OVERTAKEN: {
    exit: 1,
    message:
      'another writer has changed the index in {folder} meanwhile (commit {commit}); nothing of this one was kept, run the command again',
  },
  SHARDS_MERGE_FAILED: {
    exit: 1,
    message:
      'segments in {folder} could not be merged ({reason}); the index is whole, the next commit tries again',
  },
  SHARDS_NO_SUCH_SHARD: {
    exit: 2,
    message:
      'there is no shard {shard}: the index has {shardCount}, numbered from 0; name others with --shards',
  },
  SHARDS_NO_INDEX: {
    exit: 1,
    message: 'there is no index in {folder} yet; run `quarry index` first',
  },
  SHARDS_SEGMENT_TOO_LARGE: {
    exit: 2,
    message:
      '{file} belongs to a segment that needs {bytes} bytes of memory, and {maxBytes} are the most; spread the index over more shards',
  },
  SHARDS_NO_MEMORY: {
    exit: 1,
    message:
      'a segment of {folder} needs {bytes} bytes of memory, which the system does not give; free some memory',
  },
  SHARDS_BIG_ENDIAN: {
    exit: 1,
    message: 'shard files can be read on little-endian machines only, and this one is big-endian',
  },
} as const;

/** Makes an error of this room from its table. */
export const failShards = defineErrors(shardErrors);
