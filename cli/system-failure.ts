import { defineErrors, isSystemError, type QuarryError } from '../shards/index.ts';

export const systemFailureErrors = {
  CLI_SYSTEM: { exit: 1, message: '{what}: {reason}; {advice}' },
} as const;
const fail = defineErrors(systemFailureErrors);

const REMOVE =
  'remove that folder and put the file back from a snapshot, or run `quarry index --rebuild` if it is of shards or stats';
const RESTORE =
  'put back from a snapshot what belongs there, run `quarry index --rebuild` for shards and statistics, or point --data at another folder';

/** What can be done, by the system's code (errno(3)). */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'let this user read and write it',
  EPERM: 'let this user read and write it',
  EROFS: 'use a disk that can be written to',
  ENOSPC: 'free some space and run the command again',
  EDQUOT: 'free some space and run the command again',
  EFBIG: 'allow larger files (ulimit -f), or use a file system that takes them',
  EMFILE: 'allow more open files (ulimit -n)',
  ENFILE: 'allow more open files on this machine',
  EIO: 'check the disk',
  EISDIR: REMOVE,
  ERR_FS_EISDIR: REMOVE,
  ENOTDIR: RESTORE,
  ENOENT: RESTORE,
  ELOOP: RESTORE,
};

/** What the operating system refused, as one sentence on the path or on the data folder; undefined for other errors. */
export const systemFailure = (error: unknown, data: string): QuarryError | undefined => {
  if (!isSystemError(error)) return undefined;
  const { code = '', message, path } = error;
  return fail(
    'CLI_SYSTEM',
    {
      what: path === undefined ? `the work on ${data} failed` : `${path} cannot be used`,
      reason: message,
      advice: ADVICE[code] ?? 'mend that and run the command again',
    },
    error,
  );
};
