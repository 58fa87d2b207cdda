import { type FileHandle, open } from 'node:fs/promises';
import { ByteReader, ByteWriter, isDiskFull, rethrowNaming } from '../../shards/index.ts';
import { failIndexer } from '../errors.ts';
import type { Pair } from './job.ts';

/*
 * A run: pairs in order, on disk while one job runs and never longer, so it has no envelope.
 *   pair := bytes u32, partition varint, key text, value (the rest)
 */
const LENGTH_BYTES = 4;
const BLOCK_BYTES = 256 * 1024;

/** Writes pairs, which must come in order, to a new file. Error: INDEXER_SCRATCH_DISK_FULL. */
export class RunWriter {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #buffer = new ByteWriter(BLOCK_BYTES);
  #hasFailed = false;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  static async open(path: string): Promise<RunWriter> {
    return new RunWriter(path, await open(path, 'wx'));
  }

  async write(pair: Pair): Promise<void> {
    const start = this.#buffer.length;
    this.#buffer.u32(0);
    this.#buffer.varint(pair.partition);
    this.#buffer.text(pair.key);
    this.#buffer.bytes(pair.value);
    this.#buffer.patchU32(start, this.#buffer.length - start - LENGTH_BYTES);
    if (this.#buffer.length >= BLOCK_BYTES) await this.#flush();
  }

  /** Always closes the file. Writes what waits, unless writing has failed before, which its caller was told. */
  async close(): Promise<void> {
    try {
      if (!this.#hasFailed) await this.#flush();
    } finally {
      await this.#handle.close();
    }
  }

  async #flush(): Promise<void> {
    try {
      await this.#handle.writeFile(this.#buffer.view());
    } catch (error) {
      this.#hasFailed = true;
      if (isDiskFull(error)) throw failIndexer('INDEXER_SCRATCH_DISK_FULL', { file: this.#path }, error);
      rethrowNaming(this.#path)(error);
    }
    this.#buffer.clear();
  }
}

/** Reads a run from its start through a buffer of `blockBytes`. */
export const readRun = async function* (path: string, blockBytes = 64 * 1024): AsyncGenerator<Pair> {
  const handle = await open(path, 'r');
  try {
    let bytes = Buffer.alloc(0);
    for (;;) {
      const block = Buffer.allocUnsafe(Math.max(blockBytes, missingBytes(bytes)));
      const { bytesRead } = await handle.read(block, 0, block.length);
      if (bytesRead === 0) return;
      // New memory for each block: the pairs that were handed out are views of the old one.
      bytes = Buffer.concat([bytes, block.subarray(0, bytesRead)]);
      while (missingBytes(bytes) === 0) {
        const end = LENGTH_BYTES + bytes.readUInt32LE(0);
        yield decodePair(bytes.subarray(LENGTH_BYTES, end), path);
        bytes = bytes.subarray(end);
      }
    }
  } finally {
    await handle.close();
  }
};

/** Bytes that the first pair in `bytes` still lacks. */
const missingBytes = (bytes: Buffer): number => {
  const needed = bytes.length < LENGTH_BYTES ? LENGTH_BYTES : LENGTH_BYTES + bytes.readUInt32LE(0);
  return Math.max(0, needed - bytes.length);
};

const decodePair = (bytes: Buffer, path: string): Pair => {
  const reader = new ByteReader(bytes, path);
  const partition = reader.varint();
  const key = reader.text();
  return { partition, key, value: reader.bytes(reader.remaining) };
};
