const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** Whether the system said that there is no space left on the device or in the quota. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, ['ENOSPC', 'EDQUOT']);

/** Whether the system said that there is no such file or folder. */
export const isMissing = (error: unknown): boolean => hasCode(error, ['ENOENT']);

/** Whether the system said that there is already something of that name. */
export const isTaken = (error: unknown): boolean => hasCode(error, ['EEXIST']);

/** The file or folder that an error of the system is about, where it names one. */
export const pathOf = (error: unknown): string | undefined =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;

/** Whether the operating system said it, of a file, a folder or a socket. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'errno' in error;

/** Throws the error on, with the file's path where the system tells none: so it is when a folder is read as a file. */
export const rethrowNaming =
  (file: string) =>
  (error: unknown): never => {
    if (isSystemError(error)) error.path ??= file;
    throw error;
  };
