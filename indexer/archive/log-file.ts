import { open } from 'node:fs/promises';
import { isMissing } from '../../shards/index.ts';

/** What the writer needs of an open file; a test puts a disk that fills up in its place. */
export interface LogFile {
  /** Appends all of `bytes` at `offsetBytes`. */
  write(bytes: Uint8Array, offsetBytes: number): Promise<void>;
  /** Makes what was written durable. */
  sync(): Promise<void>;
  truncate(lengthBytes: number): Promise<void>;
  close(): Promise<void>;
}

export type OpenLogFile = (path: string) => Promise<LogFile>;

/** Opens a file for writing, makes it when there is none, and keeps what it holds. */
export const openLogFile: OpenLogFile = async (path) => {
  // 'a' would ignore offsets; 'r+' wants the file to exist.
  const handle = await open(path, 'r+').catch((error: unknown) => {
    if (isMissing(error)) return open(path, 'wx+');
    throw error;
  });
  return {
    write: async (bytes, offsetBytes) => {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offsetBytes + done);
        done += bytesWritten;
      }
    },
    sync: () => handle.datasync(),
    truncate: (lengthBytes) => handle.truncate(lengthBytes),
    close: () => handle.close(),
  };
};
