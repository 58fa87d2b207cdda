import { defineErrors } from '../shards/index.ts';

export const benchErrors = {
  BENCH_UNKNOWN_NAME: { exit: 2, message: 'no {kind} called "{name}"; there are: {known}' },
  BENCH_BAD_OPTION: { exit: 2, message: '{reason}' },
  BENCH_SHARED_MISSING: {
    exit: 2,
    message:
      '{path} is not there; set QUARRY_SHARED to the folder that holds localweb, collections and queries',
  },
  BENCH_NOT_BUILT: { exit: 2, message: '{path} is not there; run: npm run build' },
  BENCH_WEB_NOT_INSTALLED: {
    exit: 2,
    message: 'the pages of the local web are not installed ({missing}); run: sh {script} small',
  },
  BENCH_PORT_BUSY: {
    exit: 1,
    message: '{address} is in use, and the local web needs it; end what listens there and try again',
  },
  BENCH_WEB_FAILED: { exit: 1, message: 'the local web did not start: {reason}' },
  BENCH_HOSTS_MISSING: {
    exit: 2,
    message:
      'the peers find hosts by the system alone and {host} is not among them; run as root: node {script} hosts {web} >> /etc/hosts',
  },
  BENCH_PEER_MISSING: { exit: 2, message: '{peer} is not installed ({path}); {remedy}' },
  BENCH_PROGRAM_FAILED: { exit: 1, message: '{program} ended with status {status}: {reason}' },
} as const;

export const fail = defineErrors(benchErrors);
