import { defineErrors } from '../shards/index.ts';

/** Every error of the query room; codes are never reused. */
export const queryErrors = {
  QUERY_NO_SHARD: {
    exit: 1,
    message: 'no shard answered, so nothing can be searched; first reason: {reason}',
  },
  QUERY_BAD_RANGE: {
    exit: 2,
    message: 'from {from} and k {k} reach outside the first {limit} results; ask for a smaller from or k',
  },
  QUERY_PORT_IN_USE: {
    exit: 1,
    message:
      'port {port} on {host} is in use by another program; stop it or choose another port with --port (crawl-and-index: --serve PORT)',
  },
  QUERY_PORT_FORBIDDEN: {
    exit: 1,
    message: 'this user may not listen on port {port} of {host}; choose a port above 1023 with --port',
  },
  QUERY_BAD_HOST: {
    exit: 2,
    message: 'cannot listen on host "{host}": {reason}; give an address of this machine with --host',
  },
} as const;

export const failQuery = defineErrors(queryErrors);
