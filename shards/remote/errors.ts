import { defineErrors } from '../values/errors.ts';

/** What may go wrong between a shard server and who asks it. Codes are never reused. */
export const remoteErrors = {
  SHARDS_NODE_UNREACHABLE: {
    exit: 1,
    message:
      'node {node} cannot be reached: {reason}; start it with `quarry shard`, or take it out of --nodes',
  },
  SHARDS_NODE_LOST: {
    exit: 1,
    message: 'the connection to node {node} ended before it answered: {reason}; ask again',
  },
  SHARDS_NODE_LATE: {
    exit: 1,
    message: 'node {node} did not answer within {timeoutMs} ms; ask again later',
  },
  SHARDS_NODE_BUSY: {
    exit: 1,
    message:
      'the shard server already works on {limit} requests, as many as it may; ask again later, or raise --max-requests',
  },
  SHARDS_NODE_DRAINING: {
    exit: 1,
    message: 'the shard server is being stopped and takes no new request; ask another one',
  },
  SHARDS_NODE_FORBIDDEN: {
    exit: 2,
    message: 'the shard server asks for another token; give both sides the same --token',
  },
  SHARDS_NODE_FAILED: {
    exit: 1,
    message: 'the shard server failed at the request: {reason}',
  },
  SHARDS_BAD_NODE_NAME: {
    exit: 2,
    message: '"{node}" names no shard server; write HOST:PORT or [IPV6]:PORT',
  },
  SHARDS_PROTOCOL_VERSION: {
    exit: 2,
    message:
      '{peer} speaks versions {found} of the shard protocol, this side speaks {expected}; run the same Quarry on both sides',
  },
  SHARDS_PROTOCOL_VIOLATED: {
    exit: 1,
    message: '{peer} broke the shard protocol: found {found}, expected {expected}',
  },
  SHARDS_MESSAGE_TOO_LONG: {
    exit: 1,
    message: 'a message of {bytes} bytes is longer than the {limit} that the shard protocol allows',
  },
  SHARDS_LISTEN_FAILED: {
    exit: 1,
    message: 'cannot listen on port {port} of {host}: {reason}; choose others with --host and --port',
  },
} as const;

export const failRemote = defineErrors(remoteErrors);
