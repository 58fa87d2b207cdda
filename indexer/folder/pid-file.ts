import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LockAttempt } from './lock-attempt.ts';

const PID_FILE = 'writer.pid';

/**
 * The lock where there are no abstract sockets: a file that holds the writer's process id, void when no such process
 * lives. It appears with its content (link(2)), so that nobody reads an empty one.
 */
export const takePidFile = async (root: string): Promise<LockAttempt> => {
  const file = join(root, PID_FILE);
  const own = `${file}.${process.pid}`;
  await writeFile(own, String(process.pid));
  try {
    for (;;) {
      if (await appears(own, file)) return { release: () => rm(file, { force: true }) };
      const pid = await readPid(file);
      if (pid !== undefined && isAlive(pid)) return { holder: `process ${pid}` };
      if (pid !== undefined) await removeStale(file, pid);
    }
  } finally {
    await rm(own, { force: true });
  }
};

/** False when `file` is there already. */
const appears = async (own: string, file: string): Promise<boolean> => {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
};

/** undefined when there is no file; 0, which no writer has, when it holds no number. */
const readPid = async (file: string): Promise<number | undefined> => {
  try {
    const text = await readFile(file, 'utf8');
    return /^\d{1,9}$/.test(text) ? Number(text) : 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Moves the file aside first: should another process have replaced it meanwhile, its lock is put back. */
const removeStale = async (file: string, stalePid: number): Promise<void> => {
  const aside = `${file}.stale.${process.pid}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await readPid(aside)) !== stalePid) await appears(aside, file);
  await rm(aside, { force: true });
};

/** Signal 0 only asks; EPERM means that the process lives and is someone else's. */
const isAlive = (pid: number): boolean => {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
