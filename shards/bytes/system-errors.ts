const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** Whether the system said that there is no space left on the device or in the quota. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, ['ENOSPC', 'EDQUOT']);

/** Whether the system said that there is no such file or folder. */
export const isMissing = (error: unknown): boolean => hasCode(error, ['ENOENT']);

/** The file or folder that an error of the system is about, where it names one. */
export const pathOf = (error: unknown): string | undefined =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
