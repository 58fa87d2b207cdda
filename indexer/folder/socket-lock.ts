import { stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { LockAttempt } from './lock-attempt.ts';

const ANSWER_TIMEOUT_MS = 1000;

/**
 * An abstract Unix socket (unix(7)) is a name without a file: only one process at a time can listen on it, and the
 * kernel frees it with the process, also after kill -9. Device and inode name the folder by whatever path it is
 * reached; the name holds in one network namespace.
 */
export const takeSocket = async (root: string): Promise<LockAttempt> => {
  const { dev, ino } = await stat(root, { bigint: true });
  const name = `\0quarry-writer-${dev}-${ino}`;
  const release = await listenOn(name);
  if (release !== undefined) return { release };
  const pid = await askHolder(name);
  return { holder: pid === undefined ? 'another process' : `process ${pid}` };
};

/** Listens and tells the own process id to whoever connects; undefined when the name is taken. */
const listenOn = (name: string): Promise<(() => Promise<void>) | undefined> =>
  new Promise((done, fail) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(String(process.pid));
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') done(undefined);
      else fail(error);
    });
    server.listen(name, () => {
      // The lock alone keeps no process alive.
      server.unref();
      done(() => new Promise((closed) => void server.close(() => closed())));
    });
  });

/** Process id of the listener; undefined when it does not answer in time. */
const askHolder = (name: string): Promise<number | undefined> =>
  new Promise((done) => {
    let answer = '';
    const socket = connect(name);
    socket.setEncoding('latin1');
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => done(/^\d+$/.test(answer) ? Number(answer) : undefined));
  });
