const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** Whether the system said that there is no space left on the device or in the quota. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, ['ENOSPC', 'EDQUOT']);

/** Whether the system said that there is no such file or folder. */
export const isMissing = (error: unknown): boolean => hasCode(error, ['ENOENT']);
