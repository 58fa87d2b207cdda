import { defineErrors } from '../shards/index.ts';

/** Everything that the indexer can refuse. Codes are never reused. */
export const indexerErrors = {
  INDEXER_LOG_DAMAGED: {
    exit: 1,
    message:
      'the page log {file} is damaged at byte {offset}: {reason}; put back that file from a snapshot, or crawl again into another folder',
  },
  INDEXER_LOG_FILE_MISSING: {
    exit: 1,
    message: 'the page log lacks {file}; put it back from a snapshot, or crawl again into another folder',
  },
  INDEXER_LOG_DISK_FULL: {
    exit: 1,
    message:
      'the disk is full: {file} could not grow; what was synced before is safe, free some space and run the command again',
  },
  INDEXER_LOG_WRITE_FAILED: {
    exit: 1,
    message: 'the page log {file} could not be written ({reason}); what was synced before is safe',
  },
  INDEXER_LOG_CLOSED: { exit: 1, message: 'the page log {folder} was closed; open it again to append' },
  INDEXER_RECORD_TOO_LARGE: {
    exit: 1,
    message:
      'the record of {url} has {bytes} bytes, a page log record at most {limit}; lower the limit of a body',
  },
  INDEXER_FOLDER_MISSING: {
    exit: 2,
    message:
      'there is no data folder {folder}; crawl or import something first, or point --data at another one',
  },
  INDEXER_FOLDER_FOREIGN: {
    exit: 2,
    message: '{folder} holds other files and no Quarry data; point --data at an empty or new folder',
  },
  INDEXER_FOLDER_VERSION: {
    exit: 2,
    message:
      'the data folder {folder} is of another version: found {found}, expected {expected}; use the Quarry that made it, or point --data at another folder',
  },
  INDEXER_FOLDER_DAMAGED: {
    exit: 1,
    message: '{file} is damaged: {reason}; put it back from a snapshot, or point --data at another folder',
  },
  INDEXER_FOLDER_UNUSABLE: {
    exit: 2,
    message:
      'the data folder {folder} cannot be used ({reason}); point --data at a folder that you may write to',
  },
  INDEXER_FOLDER_LOCKED: {
    exit: 2,
    message: '{holder} is writing to the data folder {folder}; wait until it has ended, or stop it',
  },
  INDEXER_DISK_LOW: {
    exit: 1,
    message: 'the disk of {folder} has {free} MB left and {needed} MB are needed; free some space first',
  },
  INDEXER_SCRATCH_DISK_FULL: {
    exit: 1,
    message:
      'the disk is full: the index job could not write {file}; free some space and run the command again',
  },
  INDEXER_NOTHING_TO_INDEX: {
    exit: 1,
    message:
      'nothing in the page log of {folder} can be indexed: no page of HTML or text that allows it; `quarry export` lists what there is',
  },
  INDEXER_BAD_REMOVAL: {
    exit: 2,
    message: '{given} names nothing that can be removed: {reason}; nothing was removed',
  },
  INDEXER_NOTHING_TO_REMOVE: {
    exit: 1,
    message:
      'the index of {folder} has none of these documents; `quarry search` and `quarry export` tell which URLs there are',
  },
  INDEXER_IMPORT_UNREADABLE: { exit: 2, message: '{file} cannot be read ({reason}); nothing was imported' },
  INDEXER_IMPORT_TYPE: {
    exit: 2,
    message: '{file}: {reason}; give .jsonl or .jsonl.gz, one document a line',
  },
  INDEXER_IMPORT_LINE: {
    exit: 2,
    message: '{file}, line {line}: {reason}; nothing was imported',
  },
} as const;

/** Makes an error of this room from its table. */
export const failIndexer = defineErrors(indexerErrors);
