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
} as const;

/** Makes an error of this room from its table. */
export const failIndexer = defineErrors(indexerErrors);
