import { copyFile, link, open } from 'node:fs/promises';

/** What file systems without hard links, or with too many of one file, answer (link(2)). */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'EXDEV',
  'ENOSYS',
]);

const isWithoutLinks = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && NO_LINKS.has(error.code);

/**
 * Gives a file that never changes a second name, without a copy where the file system can. The name is durable once its
 * folder is synced.
 */
export const linkFile = async (existing: string, name: string): Promise<void> => {
  try {
    await link(existing, name);
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    await copyFile(existing, name);
    const handle = await open(name, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
};
