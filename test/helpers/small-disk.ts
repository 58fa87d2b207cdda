import { type FileHandle, open } from 'node:fs/promises';
import type { TestContext } from 'node:test';

/** A disk as all file handles of this process see it. */
export interface SmallDisk {
  /** Bytes written since the last `resize`. */
  readonly usedBytes: number;
  /** Gives it so much room from now on. */
  resize(bytes: number): void;
}

type Write = (bytes: Uint8Array, offset: number, length: number) => Promise<{ bytesWritten: number }>;

/**
 * Until the test ends, `FileHandle.write` fills a disk of endless room, or of the room that `resize` gives: the last write
 * that fits is cut short, the next one is refused with ENOSPC, as write(2) does it.
 */
export const smallDisk = async (context: TestContext): Promise<SmallDisk> => {
  const probe = await open('/dev/null', 'w');
  const prototype = Object.getPrototypeOf(probe) as { write: Write };
  await probe.close();
  const { write } = prototype;
  let capacity = Number.POSITIVE_INFINITY;
  let used = 0;
  prototype.write = async function limited(this: FileHandle, bytes, offset, length) {
    const fits = Math.min(length, capacity - used);
    if (fits <= 0 && length > 0) {
      const message = 'ENOSPC: no space left on device, write';
      throw Object.assign(new Error(message), { code: 'ENOSPC', errno: -28, syscall: 'write' });
    }
    used += fits;
    return write.call(this, bytes, offset, fits);
  };
  context.after(() => {
    prototype.write = write;
  });
  return {
    get usedBytes() {
      return used;
    },
    resize: (bytes) => {
      capacity = bytes;
      used = 0;
    },
  };
};
